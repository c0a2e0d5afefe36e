import AetherCore
import AetherFormats
import AetherMedia
import Synchronization

/// The way of a source's own bytes to a recording of them. What is not recorded passes by. Any thread; never blocks.
final class ByteTap: Sendable {
    private struct State {
        var recorder: Recorder?
        /// All that came since the source's start, for a recording that begins with it; nil: there is none, or it would be too much.
        var head: [RecordedBytes]?
        var headBytes = 0
        /// A reader that only reads on, or segments, give their bytes here.
        var isFed = false, isSegmented = false
        /// The bytes begin in the middle of a packet.
        var isUnaligned = false
        var segments = SegmentJoint()

        mutating func deliver(_ chunk: RecordedBytes) {
            recorder?.take(chunk)
            guard head != nil else { return }
            headBytes += chunk.bytes.count
            head?.append(chunk)
            // Opening reads 5 MB of a stream, and one segment.
            if headBytes > RecorderQueue.limit { head = nil }
        }
    }
    private let state: Mutex<State>
    /// Packets are counted by a thread below the one that plays.
    private let isTimedBelow = Mutex(false)

    /// `isExpected`: a recording begins with the source.
    init(isExpected: Bool) {
        var state = State()
        if isExpected { state.head = [] }
        self.state = Mutex(state)
    }

    /// Begins a recording of bytes; false where there are none to be had from here on.
    func attach(_ recorder: Recorder, to info: SourceInfo) -> Bool {
        state.withLock { state in
            let head = state.head
            (state.head, state.headBytes) = (nil, 0)
            guard state.isFed else { return false }
            let form = StreamForm(info.container)
            guard head != nil || state.isSegmented || form.beginsAnywhere else { return false }
            recorder.beginBytes(ending: state.isSegmented ? nil : form.ending)
            for chunk in head ?? [] { recorder.take(chunk) }
            state.isUnaligned = head == nil && info.family == .mpegTS
            if head == nil { state.segments.beginFile() }
            state.recorder = recorder
            return true
        }
    }

    /// A reader that only reads on gives its bytes here from now on.
    func isFed() { state.withLock { $0.isFed = true } }

    /// The next bytes of it.
    func take(_ bytes: UnsafeRawBufferPointer) {
        state.withLock { state in
            guard state.recorder != nil || state.head != nil else { return }
            var rest = bytes[...]
            if state.isUnaligned {
                guard let start = Self.packetStart(bytes) else { return }
                rest = bytes[start...]
                state.isUnaligned = false
            }
            state.deliver(RecordedBytes(bytes: Array(rest)))
        }
    }

    /// The first packet of a transport stream in bytes that begin in the middle of one; nil where none is found.
    static func packetStart(_ bytes: UnsafeRawBufferPointer) -> Int? {
        (0..<min(188, bytes.count)).first { start in
            stride(from: start, to: min(bytes.count, start + 5 * 188), by: 188).allSatisfy { bytes[$0] == 0x47 }
        }
    }

    // MARK: - Segments

    /// The next bytes of a segment, of a reader of its own for each run. `header`: the init section before it, nil without one.
    func take(
        _ bytes: UnsafeRawBufferPointer, of segment: Segment, header: (section: InitSection, bytes: [UInt8])?,
        by reader: ObjectIdentifier
    ) {
        state.withLock { state in
            (state.isFed, state.isSegmented) = (true, true)
            guard state.recorder != nil || state.head != nil else { return state.segments.forget() }
            if let whole = state.segments.take(bytes, of: segment, header: header, by: reader) { state.deliver(whole) }
        }
    }

    /// The segment that is read is complete.
    func endSegment(by reader: ObjectIdentifier) {
        state.withLock { state in
            if let whole = state.segments.end(by: reader) { state.deliver(whole) }
        }
    }

    /// The bytes of an unfinished segment are thrown away.
    func dropSegment(by reader: ObjectIdentifier) { state.withLock { $0.segments.drop(by: reader) } }

    // MARK: - Times

    /// A packet was read. `below`: by the thread that reads a live source ahead of playing.
    func passed(_ time: MediaTime?, below: Bool) {
        let isTimedBelow = isTimedBelow.withLock { isTimedBelow in
            isTimedBelow = isTimedBelow || below
            return isTimedBelow
        }
        guard let time, below || !isTimedBelow else { return }
        let recorder = state.withLock { $0.isSegmented ? nil : $0.recorder }
        recorder?.passed(time)
    }
}

/// The form of a stream of bytes, by libavformat's name. Pure.
struct StreamForm: Equatable {
    /// The ending of its files.
    let ending: String
    /// A player finds its way into it from any byte on: nothing at its start is needed.
    let beginsAnywhere: Bool

    init(_ container: String) {
        let endings = [
            "mpegts": "ts", "mpeg": "mpg", "mp3": "mp3", "aac": "aac", "ac3": "ac3", "eac3": "eac3", "dts": "dts", "ogg": "ogg",
            "flac": "flac", "wav": "wav", "flv": "flv", "h264": "h264", "hevc": "hevc", "matroska,webm": "mkv", "avi": "avi",
        ]
        ending = endings[container] ?? (Container(formatName: container) == .isoBMFF ? "mp4" : "bin")
        beginsAnywhere = ["mpegts", "mpeg", "mp3", "aac", "ac3", "eac3", "dts"].contains(container)
    }
}
