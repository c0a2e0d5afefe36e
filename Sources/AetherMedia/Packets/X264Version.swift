import AetherCore
import CFFmpeg

/// Versions of x264 before 151 made 4:4:4 in a way of their own. They say so beside the first frame alone, so that libavcodec, when it
/// begins anywhere else, takes the stream for another and decodes rubbish.
enum X264Version {
    /// The message stands at the beginning: 2 kB are its settings, the rest is the frame.
    private static let searched = 4096
    private static let mark = BytePattern("x264 - core ")

    /// Read from the first packets of a stream; nil for other codecs, and where nothing says so.
    static func find(_ parameters: UnsafePointer<AVCodecParameters>, _ packets: [UnsafeMutablePointer<AVPacket>]) -> Int? {
        guard parameters.pointee.codec_id == AV_CODEC_ID_H264 else { return nil }
        for packet in packets.prefix(2) {
            guard let data = packet.pointee.data, packet.pointee.size > 0 else { continue }
            let bytes = UnsafeBufferPointer(start: data, count: min(searched, Int(packet.pointee.size)))
            if let version = version(in: bytes) { return version }
        }
        return nil
    }

    /// Whether a stream whose profile is known may be of one of those: High 4:4:4 Predictive, 244, which is all that differs.
    static func isCandidate(_ parameters: UnsafePointer<AVCodecParameters>) -> Bool {
        parameters.pointee.codec_id == AV_CODEC_ID_H264 && parameters.pointee.profile & 0xFF == 244
    }

    /// Whether it is one of those; of one that is not known, no: only the first frame of a stream tells.
    static func isOld(_ version: Int?) -> Bool { version.map { $0 < 151 } ?? false }

    static func version(in bytes: some RandomAccessCollection<UInt8>) -> Int? {
        guard let place = mark.first(in: bytes) else { return nil }
        let digits = bytes.dropFirst(place + mark.count).prefix(5).prefix { (48...57).contains($0) }
        return digits.isEmpty ? nil : digits.reduce(0) { $0 * 10 + Int($1) - 48 }
    }
}
