import AetherCore
import AetherFormats
import CFFmpeg

extension SourceInfo {
    /// A multiplex carries some twenty programs.
    private static let titleLimit = 64

    /// The programs of a transport stream that have something to be seen or heard, in its order; none where there is no choice.
    ///
    /// Of other containers there is nothing to be had: libavformat's programs of HLS and DASH are qualities of one video. Matroska's
    /// editions are read by the engine (`EditionReading`).
    static func titles(_ context: UnsafeMutablePointer<AVFormatContext>, _ streams: [StreamInfo]) -> [TitleInfo] {
        guard Container(of: context) == .mpegTS else { return [] }
        let programs = (0..<min(titleLimit, Int(context.pointee.nb_programs))).compactMap {
            context.pointee.programs[$0]?.pointee
        }
        var known: Set<Int> = []
        let titles = programs.compactMap { known.insert(Int($0.id)).inserted ? title($0, streams) : nil }
        return titles.count > 1 ? titles : []
    }

    /// The numbers of a transport stream's programs; of other containers none.
    static func services(_ context: UnsafeMutablePointer<AVFormatContext>) -> [Int] {
        guard Container(of: context) == .mpegTS else { return [] }
        return (0..<min(titleLimit, Int(context.pointee.nb_programs))).compactMap {
            context.pointee.programs[$0].map { Int($0.pointee.id) }
        }
    }

    private static func title(_ program: AVProgram, _ streams: [StreamInfo]) -> TitleInfo? {
        guard let list = program.stream_index else { return nil }
        let indices = Set((0..<Int(program.nb_stream_indexes)).map { Int(list[$0]) })
        let members = streams.filter { indices.contains($0.index) }
        let media = members.filter { ($0.kind == .video || $0.kind == .audio) && $0.isDecodable }
        guard !media.isEmpty else { return nil }
        let start = media.compactMap(\.startTime).min() ?? .zero
        let end = media.compactMap { stream in stream.duration.map { (stream.startTime ?? start) + $0 } }.max()
        return TitleInfo(
            id: Int(program.id),
            name: FFmpegText.tag(program.metadata, "service_name") ?? FFmpegText.tag(program.metadata, "title") ?? "",
            startTime: start, duration: end.map { max(.zero, $0 - start) }, tracks: Set(members.compactMap { $0.track?.id }))
    }
}
