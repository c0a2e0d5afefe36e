public import AetherCore
import AetherFormats
import CFFmpeg

/// The length that a source declares, to tell one that was cut off from one that has come to its end. A source that declares none, or cannot
/// know it (a recording that was never finished, a stream), is never called cut off.
public struct DeclaredExtent: Sendable, Equatable {
    /// The bytes that the header counts; nil where it counts none.
    public var size: Int64?
    /// The time that the header counts by frames or samples; nil where it is an estimate.
    public var duration: TimeSpan?

    /// 1 kB: a padding byte and a tag at the end are counted by some and left out by others.
    static let sizeTolerance: Int64 = 1024
    /// 1 s: streams of a file end some frames apart, and encoders round.
    static let timeTolerance = TimeSpan.seconds(1)

    /// Whether a source of so many bytes that gave packets up to a time after its start lacks its end. What is not known (nil) speaks against
    /// no source.
    public func isCut(size actual: Int64?, reached: TimeSpan?) -> Bool {
        if let size, let actual, actual > 0, size - actual > DeclaredExtent.sizeTolerance { return true }
        if let duration, let reached, duration - reached > DeclaredExtent.timeTolerance { return true }
        return false
    }

    /// The size of a file that begins with these bytes: RIFF (WAV, AVI) counts what follows its first eight. nil for all else, and where the
    /// writer did not know it: 0, or within 64 kB of the largest numbers of 31 and 32 bits.
    public static func size(riff head: [UInt8]) -> Int64? {
        guard head.count >= 12, Array(head[..<4]) == Array("RIFF".utf8) else { return nil }
        let kind = Array(head[8..<12])
        guard kind == Array("WAVE".utf8) || kind == Array("AVI ".utf8) else { return nil }
        let counted = (0..<4).reduce(Int64(0)) { $0 | Int64(head[4 + $1]) << (8 * Int64($1)) }
        let largest: [Int64] = [0x7FFF_FFFF, 0xFFFF_FFFF]
        guard counted > 0, !largest.contains(where: { $0 - counted >= 0 && $0 - counted < 65536 }) else { return nil }
        return counted + 8
    }

    /// The size of a file of Matroska that begins with these bytes: its segment counts its own. nil for all else, and where the writer did not know it.
    public static func size(matroska head: [UInt8]) -> Int64? {
        var offset: Int64 = 0
        // The header, and what fills the room behind it.
        for _ in 0..<4 {
            guard offset < head.count, let element = EBMLHeader(head[Int(offset)...]), let end = element.end(at: offset) else {
                return nil
            }
            switch element.id {
            case 0x1853_8067: return end
            case 0x1A45_DFA3 where offset == 0, 0xEC where offset > 0: offset = end
            default: return nil
            }
        }
        return nil
    }

    init(size: Int64? = nil, duration: TimeSpan? = nil) {
        (self.size, self.duration) = (size, duration)
    }
}

extension Demuxer {
    /// Whether the source ends before its header says, now that it gave packets up to a time after its start; nil where that time does not
    /// count, because the source was not read from its start. Blocks: looks at the first bytes again.
    public borrowing func isCut(reached: TimeSpan?) -> Bool {
        if let boxed { return boxed.isCut(reached: reached) }
        // MP4 gives each sample its size. A broadcast that was cut into files ends like this, too, and is whole.
        if info.family == .isoBMFF, lastPacketIsCut { return true }
        var extent = DeclaredExtent()
        let isRIFF = ["wav", "avi"].contains(info.container)
        if isRIFF {
            withBytes { read in extent.size = read(0, 12).flatMap { DeclaredExtent.size(riff: $0) } }
        }
        if info.family == .matroska {
            withBytes { read in extent.size = read(0, 4096).flatMap { DeclaredExtent.size(matroska: $0) } }
        }
        // These containers count frames or samples in their headers; others' ends libavformat misses by itself.
        let counts = ["flac", "mp3", "flv"].contains(info.container)
        if counts, context.pointer.pointee.duration_estimation_method != AVFMT_DURATION_FROM_BITRATE {
            extent.duration = info.duration
        }
        return extent.isCut(size: context.pointer.pointee.pb.map { avio_size($0) }, reached: reached)
    }
}
