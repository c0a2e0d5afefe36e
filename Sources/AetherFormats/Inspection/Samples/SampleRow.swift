public import AetherCore

/// A sample of a stream, or a packet of it: its place in the file and its times.
public struct SampleRow: Sendable, Equatable {
    /// Its stream's number, from 0.
    public var stream: Int
    /// Its number in the stream, in the order of decoding, from 1.
    public var number: Int
    /// Time stamps and duration in ticks of the stream; nil where the container has none.
    public var pts: Int64?
    /// See `pts`.
    public var dts: Int64?
    /// See `pts`.
    public var duration: Int64?
    /// Its first byte in the file; nil where that is not known.
    public var position: Int64?
    /// Bytes.
    public var size: Int
    /// Decoding can begin here.
    public var isKey: Bool
    /// An edit list skips the sample: it is decoded and not shown.
    public var isDiscarded = false
    /// Its chunk or fragment, from 1; 0 where the container has none.
    public var part = 0
    /// The sample is encrypted.
    public var isEncrypted = false
    /// How it and others need one another; where the container does not say, key frames need none.
    public var dependency: SampleDependency
    /// The key frame that leads to it, counted from 1 in the stream; 0 before the first.
    public var gop = 0

    /// A row.
    public init(stream: Int, number: Int, pts: Int64?, dts: Int64?, duration: Int64?, position: Int64?, size: Int, isKey: Bool) {
        (self.stream, self.number, self.pts, self.dts, self.duration) = (stream, number, pts, dts, duration)
        (self.position, self.size, self.isKey) = (position, size, isKey)
        dependency = SampleDependency(isDependent: !isKey)
    }
}

/// A stream whose samples are listed.
public struct SampleStream: Sendable, Equatable {
    /// Its number, from 0.
    public let index: Int
    /// `video`, `audio`, `subtitle` or `data`.
    public let kind: String
    /// The unit of its time stamps.
    public let timeBase: TimeBase

    /// A stream.
    public init(index: Int, kind: String, timeBase: TimeBase) { (self.index, self.kind, self.timeBase) = (index, kind, timeBase) }
}

/// The samples of a source in the order in which they are read.
public struct SampleList: Sendable, Equatable {
    /// The streams, by their numbers.
    public var streams: [SampleStream]
    /// The samples.
    public var rows: [SampleRow]
    /// All samples of a stream have the same duration wherever they are shown in another order than decoded: then a demuxer reports the
    /// same durations.
    public var isEven = true
    /// There were more than are kept.
    public var isCut = false

    /// Samples that are kept: ten hours of video and audio.
    public static let limit = 4_000_000

    /// A list. Key frames are counted by `countGroups`.
    public init(streams: [SampleStream], rows: [SampleRow], isCut: Bool = false) {
        (self.streams, self.rows, self.isCut) = (streams, rows, isCut)
    }

    /// Numbers the groups that key frames begin.
    public mutating func countGroups() {
        var groups: [Int: Int] = [:]
        for place in rows.indices {
            if rows[place].isKey { groups[rows[place].stream, default: 0] += 1 }
            rows[place].gop = groups[rows[place].stream] ?? 0
        }
    }

    /// The time base of a stream.
    public func timeBase(_ stream: Int) -> TimeBase { streams.first { $0.index == stream }?.timeBase ?? TimeBase(1, 90_000) }
}
