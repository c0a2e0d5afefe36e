import AetherCore
import AetherMedia
import AetherSources
import AetherTestSupport
import Glibc
import Synchronization

@testable import AetherEngine

/// Bytes that come as the world sends them: in pieces, late, and now and then not at all. The faults are those of a seed.
final class UnsteadyBytes: IOReader {
    private let inner: MemoryReader
    private let time: ManualTime
    private let random: Mutex<SeededRandom>
    private let isCancelled = Atomic(false)
    let isSteady: Atomic<Bool>

    init(_ bytes: [UInt8], time: ManualTime, seed: UInt64, isSteady: Bool) {
        (inner, self.time) = (MemoryReader(bytes), time)
        random = Mutex(SeededRandom(seed: seed))
        self.isSteady = Atomic(isSteady)
    }

    private enum Turn { case whole, piece(Int), late(TimeSpan), broken }

    private func turn(_ count: Int) -> Turn {
        guard !isSteady.load(ordering: .relaxed) else { return .whole }
        return random.withLock { random in
            switch random.below(2000) {
            case 0: .broken
            case 1...10: .late(.milliseconds(Double(20 + random.below(2500))))
            case 11...200: .piece(1 + random.below(count))
            default: .whole
            }
        }
    }

    func read(_ buffer: UnsafeMutableRawBufferPointer) throws(IOReaderError) -> Int {
        guard buffer.count > 0 else { return 0 }
        switch turn(buffer.count) {
        case .broken: throw .posix(EIO)
        case .late(let span):
            let end = time.now() + span
            while time.now() < end {
                if isCancelled.load(ordering: .relaxed) { throw .cancelled }
                ThreadTurns.rest(until: min(end, time.now() + .milliseconds(20)))
            }
            return try inner.read(buffer)
        case .piece(let count): return try inner.read(UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
        case .whole: return try inner.read(buffer)
        }
    }

    func seek(to offset: Int64) throws(IOReaderError) { try inner.seek(to: offset) }
    var size: Int64? { inner.size }
    var isSeekable: Bool { true }
    /// As of a share in a network: it may stall.
    var traits: IOReaderTraits { IOReaderTraits(isLocal: false, seekCost: .roundTrip, mayStall: true, isRepeatable: true) }
    func cancel() {
        isCancelled.store(true, ordering: .relaxed)
        inner.cancel()
    }
    func resume() {
        isCancelled.store(false, ordering: .relaxed)
        inner.resume()
    }
    func close() { inner.close() }
    func makeIndependentReader() -> (any IOReader)? { nil }
}

/// A device of the simulation and what befalls it.
final class DeviceFate: Sendable {
    private let time: ManualTime
    private struct State {
        var random: SeededRandom
        var goneUntil = HostTime(nanoseconds: 0)
        var isSteady: Bool
    }
    private let state: Mutex<State>

    init(time: ManualTime, seed: UInt64, isSteady: Bool) {
        self.time = time
        state = Mutex(State(random: SeededRandom(seed: seed), isSteady: isSteady))
    }

    /// It is pulled out for a time.
    func unplug(for span: TimeSpan) { state.withLock { $0.goneUntil = time.now() + span } }

    var isGone: Bool { state.withLock { $0.goneUntil > time.now() } }

    /// How much too late a waiting thread is woken: now and then by more than the buffer holds.
    var lateness: TimeSpan {
        state.withLock { state in
            guard !state.isSteady else { return .zero }
            switch state.random.below(3000) {
            case 0: return .milliseconds(Double(150 + state.random.below(300)))
            case 1...60: return .milliseconds(Double(state.random.below(40)))
            default: return .zero
            }
        }
    }
}

/// A silent device whose time is the simulation's.
final class SimulatedDevice: AudioDevice {
    let name = "simulated"
    private let inner: NullAudioDevice
    private let time: ManualTime
    private let fate: DeviceFate

    init(time: ManualTime, fate: DeviceFate) {
        (inner, self.time, self.fate) = (NullAudioDevice(time: time), time, fate)
    }

    private func check() throws(MediaError) {
        if fate.isGone { throw MediaError(.audioDevice, "write sound", cause: -ENODEV, reason: "No such device") }
    }

    func configure(_ wanted: AudioFormat) throws(MediaError) -> AudioFormat {
        try check()
        return try inner.configure(wanted)
    }

    var bufferFrames: Int { inner.bufferFrames }
    var xrunCount: Int { inner.xrunCount }

    func write(_ samples: UnsafeRawBufferPointer) throws(MediaError) -> Int {
        try check()
        return try inner.write(samples)
    }

    func start() throws(MediaError) {
        try check()
        try inner.start()
    }

    func drop() throws(MediaError) {
        try check()
        try inner.drop()
    }

    func close() { inner.close() }

    func status() throws(MediaError) -> AudioDeviceStatus {
        try check()
        return try inner.status()
    }

    func wait(frames: Int, wake: WakeHandle, until deadline: HostTime) throws(MediaError) -> AudioWaitResult {
        try check()
        if try inner.status().availableFrames >= min(frames, bufferFrames) { return .ready }
        let now = time.now()
        ThreadTurns.rest(until: max(now + .milliseconds(1), min(deadline, now + .milliseconds(10))) + fate.lateness)
        return try status().availableFrames >= min(frames, bufferFrames) ? .ready : .woken
    }
}
