import AetherCore
import AetherMedia
import AetherTestSupport
import Glibc
import Synchronization

/// The script of a device, the samples that it was given, and the part of them that a listener heard.
final class PCMScript: Sendable {
    /// How a device words its position.
    enum Stamp: Sendable {
        /// The moment at which the position was true.
        case exact
        /// The moment of asking, however old the position is.
        case now
    }
    struct State {
        var partsPerMillion = 0.0
        /// The position moves in steps of this many frames.
        var period = 1
        var stamp = Stamp.exact
        /// The time stamp is off by up to this much, evenly.
        var jitter = TimeSpan.zero
        var isGone = false
        /// Since when it has taken nothing although it runs.
        var standsSince: HostTime?
        /// Takes bursts of 48 kHz in two channels of 16 bits: a frame is 32 bits, as that of the samples.
        var takesBitstream = false
        var openCount = 0
        var isOpen = false
        var random = SeededRandom(seed: 7)
        var xruns = 0
        /// Frames since the last empty state.
        var written: [Int32] = []
        var startedAt: HostTime?
        /// Frames that were heard before the last empty state.
        var heard: [Int32] = []
    }
    let state: Mutex<State>
    /// Whether calls to the device come back, and how many wait for that.
    private let gate = Monitor((isShut: false, waiting: 0))
    let time: any TimeSource
    static let sampleRate = 48000

    init(time: any TimeSource, _ change: (inout State) -> Void = { _ in }) {
        var state = State()
        change(&state)
        self.state = Mutex(state)
        self.time = time
    }

    /// Frames heard of what was written since the last empty state, with their fraction.
    private static func consumed(_ state: State, at now: HostTime) -> Double {
        guard let started = state.startedAt else { return 0 }
        let rate = Double(sampleRate) * (1 + state.partsPerMillion * 1e-6)
        let until = min(now, state.standsSince ?? now)
        return min(max(0, (until - started).seconds * rate), Double(state.written.count))
    }

    /// Every sample heard so far, in order.
    var heard: [Int32] {
        let now = time.now()
        return state.withLock { $0.heard + $0.written.prefix(Int(Self.consumed($0, at: now))) }
    }

    /// How many frames were heard since the last empty state, exactly.
    var truth: Double {
        let now = time.now()
        return state.withLock { Self.consumed($0, at: now) }
    }

    /// How many frames were heard in all, exactly.
    var played: Double {
        let now = time.now()
        return state.withLock { Double($0.heard.count) + Self.consumed($0, at: now) }
    }

    var xrunCount: Int { state.withLock { $0.xruns } }

    /// How often the device was opened, and whether it is now.
    var opened: (count: Int, isOpen: Bool) { state.withLock { ($0.openCount, $0.isOpen) } }

    fileprivate func open() {
        empty()
        state.withLock {
            $0.openCount += 1
            $0.isOpen = true
        }
    }

    fileprivate func close() {
        empty()
        state.withLock { $0.isOpen = false }
    }

    /// Takes the device out of the machine, and puts it back.
    func unplug() { state.withLock { $0.isGone = true } }
    func plug() { state.withLock { $0.isGone = false } }

    /// Stops the server that plays, so that calls to it wait, and lets it go on.
    func freeze() {
        stand()
        gate.update { $0.isShut = true }
    }

    func thaw() {
        goOn()
        gate.update { $0.isShut = false }
    }

    /// How many threads wait in a call.
    var waiting: Int { gate.read { $0.waiting } }

    fileprivate func pass() {
        gate.update { $0.waiting += 1 }
        _ = gate.wait { $0.isShut ? nil : true }
        gate.update { $0.waiting -= 1 }
    }

    /// Lets the device hold what it has, as a suspended sink does, and go on from there.
    func stand() {
        let now = time.now()
        state.withLock { $0.standsSince = now }
    }

    func goOn() {
        let now = time.now()
        state.withLock { state in
            if let since = state.standsSince, let started = state.startedAt { state.startedAt = started + (now - since) }
            state.standsSince = nil
        }
    }

    fileprivate func write(_ samples: [Int32], limit: Int) -> Int {
        settle()
        let now = time.now()
        return state.withLock { state in
            let queued = state.written.count - Int(Self.consumed(state, at: now))
            let taken = min(samples.count, limit - queued)
            state.written += samples.prefix(taken)
            return taken
        }
    }

    fileprivate func empty(at moment: HostTime? = nil) {
        let now = moment ?? time.now()
        state.withLock { state in
            state.heard += state.written.prefix(Int(Self.consumed(state, at: now)))
            state.written = []
            state.startedAt = nil
        }
    }

    /// Running past the last frame is an underrun.
    fileprivate func settle() {
        let now = time.now()
        let isDry = state.withLock { state -> Bool in
            guard state.startedAt != nil, Self.consumed(state, at: now) >= Double(state.written.count) else { return false }
            state.xruns += 1
            return true
        }
        if isDry { empty() }
    }

    /// Both at one moment.
    fileprivate func stop(limit: Int) -> AudioDeviceStatus {
        settle()
        let now = time.now(), last = status(limit: limit, at: now)
        empty(at: now)
        return last
    }

    fileprivate func status(limit: Int, at moment: HostTime? = nil) -> AudioDeviceStatus {
        if moment == nil { settle() }
        let now = moment ?? time.now()
        return state.withLock { state in
            let exact = Self.consumed(state, at: now)
            let period = Double(state.period)
            let position = (exact / period).rounded(.down) * period
            let rate = Double(Self.sampleRate) * (1 + state.partsPerMillion * 1e-6)
            var host = now
            if case .exact = state.stamp { host = now - .seconds((exact - position) / rate) }
            let range = Int(state.jitter.nanoseconds)
            if range > 0 { host = host + TimeSpan(nanoseconds: Int64(state.random.below(2 * range + 1) - range)) }
            let queued = state.written.count - Int(position)
            return AudioDeviceStatus(
                delayFrames: queued, availableFrames: max(0, limit - queued), host: host, isRunning: state.startedAt != nil)
        }
    }
}

/// A sound device that behaves as told: its own quartz, coarse and jittery positions, underruns, and being pulled out.
/// One channel of 32-bit samples, so that a test can number the frames.
final class ScriptedPCM: AudioDevice {
    let script: PCMScript
    let name = "scripted"
    let bufferFrames = 8640

    private var isConfigured = false

    init(_ script: PCMScript) { self.script = script }

    deinit {
        if isConfigured {
            script.pass()
            script.close()
        }
    }

    var xrunCount: Int { script.xrunCount }

    private func check() throws(MediaError) {
        script.pass()
        if script.state.withLock({ $0.isGone }) {
            throw MediaError(.audioDevice, "write sound", cause: -ENODEV, reason: "No such device")
        }
    }

    func configure(_ wanted: AudioFormat) throws(MediaError) -> AudioFormat {
        try check()
        script.open()
        isConfigured = true
        if wanted.isBitstream, wanted.bytesPerFrame == 4, wanted.sampleRate == PCMScript.sampleRate,
            script.state.withLock({ $0.takesBitstream })
        {
            return wanted
        }
        return AudioFormat(sampleRate: PCMScript.sampleRate, channelCount: 1, sample: .int32)
    }

    func write(_ samples: UnsafeRawBufferPointer) throws(MediaError) -> Int {
        try check()
        return script.write(Array(samples.bindMemory(to: Int32.self)), limit: bufferFrames)
    }

    func start() throws(MediaError) {
        try check()
        let now = script.time.now()
        script.state.withLock { if $0.startedAt == nil { $0.startedAt = now } }
    }

    func drop() throws(MediaError) {
        try check()
        script.empty()
    }

    func stop() throws(MediaError) -> AudioDeviceStatus {
        try check()
        return script.stop(limit: bufferFrames)
    }

    func close() {
        guard isConfigured else { return }
        script.pass()
        script.close()
        isConfigured = false
    }

    func status() throws(MediaError) -> AudioDeviceStatus {
        try check()
        return script.status(limit: bufferFrames)
    }

    func wait(frames: Int, wake: WakeHandle, until deadline: HostTime) throws(MediaError) -> AudioWaitResult {
        try check()
        let missing = frames - script.status(limit: bufferFrames).availableFrames
        if missing <= 0 { return .ready }
        let span = min(deadline - script.time.now(), TimeSpan.seconds(Double(missing) / Double(PCMScript.sampleRate)))
        var descriptor = pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&descriptor, 1, Int32(max(0, span.milliseconds) + 1)) > 0 ? .woken : .ready
    }
}
