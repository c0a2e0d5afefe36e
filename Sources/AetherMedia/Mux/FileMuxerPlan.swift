public import AetherCore
import CFFmpeg

/// The contents of a file that packets are put into.
public struct FileMuxerPlan: Sendable {
    /// The streams, in the order of the file.
    public var streams: [StreamInfo]
    /// Tracks of texts behind them, which are written cue by cue. Matroska and MP4 have them.
    public var texts: [FileMuxerText] = []
    /// Tags of the whole file.
    public var tags: [(key: String, value: String)]
    /// Chapters, with the times that packets have in the file.
    public var chapters: [ChapterInfo]
    /// Every second is written in such a way that it can be played if nothing follows. Without it MP4 has one index, at its front.
    public var survivesCrashes: Bool
    /// A file of that name is written over; else it is an error.
    public var replacesFile: Bool

    /// The contents of a file.
    public init(
        streams: [StreamInfo], tags: [(key: String, value: String)] = [], chapters: [ChapterInfo] = [],
        survivesCrashes: Bool = true, replacesFile: Bool = false
    ) {
        (self.streams, self.tags, self.chapters) = (streams, tags, chapters)
        (self.survivesCrashes, self.replacesFile) = (survivesCrashes, replacesFile)
    }

    /// Sets tags. What counts the bytes and packets of the file that they come from is wrong in another one.
    static func write(_ tags: [(key: String, value: String)], to dictionary: inout OpaquePointer?) {
        let former: Set = [
            "encoder", "duration", "major_brand", "minor_version", "compatible_brands", "handler_name", "vendor_id", "bps",
        ]
        for tag in tags {
            let key = tag.key.lowercased()
            if former.contains(key) || ["_", "bps-", "number_of_", "duration-"].contains(where: key.hasPrefix) { continue }
            av_dict_set(&dictionary, tag.key, tag.value, 0)
        }
    }

    /// Says what concerns the whole file.
    func describe(_ context: UnsafeMutablePointer<AVFormatContext>) {
        Self.write(tags, to: &context.pointee.metadata)
        writeChapters(to: context)
    }

    /// Makes libavformat's chapters. Where memory ends, so do they.
    private func writeChapters(to context: UnsafeMutablePointer<AVFormatContext>) {
        guard !chapters.isEmpty else { return }
        let stride = MemoryLayout<UnsafeMutablePointer<AVChapter>?>.stride
        guard let list = av_calloc(chapters.count, stride) else { return }
        let places = list.bindMemory(to: UnsafeMutablePointer<AVChapter>?.self, capacity: chapters.count)
        context.pointee.chapters = places
        for (index, chapter) in chapters.enumerated() {
            guard let made = av_mallocz(MemoryLayout<AVChapter>.size)?.bindMemory(to: AVChapter.self, capacity: 1) else { return }
            made.pointee.id = Int64(index + 1)
            made.pointee.time_base = AVRational(num: 1, den: 1_000_000_000)
            made.pointee.start = chapter.start.nanoseconds
            made.pointee.end = (chapter.start + chapter.duration).nanoseconds
            if !chapter.name.isEmpty { av_dict_set(&made.pointee.metadata, "title", chapter.name, 0) }
            places[index] = made
            context.pointee.nb_chapters = UInt32(index + 1)
        }
    }
}
