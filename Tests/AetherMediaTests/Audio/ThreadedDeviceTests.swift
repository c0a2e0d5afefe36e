import AetherCore
import Testing

@testable import AetherMedia

/// A device whose calls come back when the test lets them.
private final class Gate: Sendable {
    struct State {
        var isShut = false
        var waiting = 0
        var opened = 0
        var closed = 0
        var calls = 0
    }
    let state = Monitor(State())

    func pass() {
        state.update {
            $0.waiting += 1
            $0.calls += 1
        }
        _ = state.wait { $0.isShut ? nil : true }
        state.update { $0.waiting -= 1 }
    }

    func shut(_ isShut: Bool) { state.update { $0.isShut = isShut } }

    func eventually(_ condition: @escaping @Sendable (State) -> Bool) -> Bool {
        state.wait(until: SystemTime().now() + .seconds(60)) { condition($0) ? true : nil } ?? false
    }
}

private final class GatedDevice: AudioDevice {
    let gate: Gate
    let name = "gated"
    var bufferFrames = 0
    let xrunCount = 7

    init(_ gate: Gate) { self.gate = gate }

    func configure(_ wanted: AudioFormat) throws(MediaError) -> AudioFormat {
        gate.pass()
        gate.state.update { $0.opened += 1 }
        bufferFrames = 100
        return AudioFormat(sampleRate: 48000, channelCount: 1, sample: .int16)
    }
    func write(_ samples: UnsafeRawBufferPointer) throws(MediaError) -> Int {
        gate.pass()
        return min(60, samples.count / 2)
    }
    func start() throws(MediaError) { gate.pass() }
    func drop() throws(MediaError) { throw MediaError(.audioDevice, "drop", reason: "gone") }
    /// Better than asking first and then stopping.
    func stop() throws(MediaError) -> AudioDeviceStatus {
        AudioDeviceStatus(delayFrames: 77, availableFrames: 4, host: HostTime(nanoseconds: 5), isRunning: true)
    }
    func close() {
        gate.pass()
        guard bufferFrames > 0 else { return }
        bufferFrames = 0
        gate.state.update { $0.closed += 1 }
    }
    func status() throws(MediaError) -> AudioDeviceStatus {
        gate.pass()
        return AudioDeviceStatus(delayFrames: 3, availableFrames: 4, host: HostTime(nanoseconds: 5), isRunning: true)
    }
    func wait(frames: Int, wake: WakeHandle, until deadline: HostTime) throws(MediaError) -> AudioWaitResult { .ready }
}

@Suite struct ThreadedDeviceTests {
    private let wanted = AudioFormat(sampleRate: 44100, channelCount: 2)

    /// With patience that no busy machine uses up: where it ends, the test says so.
    private func device(
        _ gate: Gate, _ name: String, patience: TimeSpan = .seconds(60)
    ) -> ThreadedDevice {
        ThreadedDevice(name: name, patience: patience) { GatedDevice(gate) }
    }

    @Test func itIsTheDeviceBehindIt() throws {
        let gate = Gate()
        let device = device(gate, "plain")
        #expect(device.bufferFrames == 0)
        #expect(try device.configure(wanted) == AudioFormat(sampleRate: 48000, channelCount: 1, sample: .int16))
        #expect(device.bufferFrames == 100 && device.xrunCount == 7 && device.name == "plain")
        // No more is carried over than the device can take.
        let bytes = [UInt8](repeating: 0, count: 600)
        #expect(try bytes.withUnsafeBytes { try device.write($0) } == 60)
        try device.start()
        #expect(try device.status().delayFrames == 3)
        #expect(try device.wait(frames: 1, wake: WakeHandle(), until: SystemTime().now()) == .ready)
        #expect(try device.stop().delayFrames == 77)
        do throws(MediaError) {
            try device.drop()
            Issue.record("it fails")
        } catch {
            #expect(error.reason == "gone")
        }
        device.close()
        #expect(device.bufferFrames == 0 && gate.eventually { $0.closed == 1 })
        do throws(MediaError) {
            try device.start()
            Issue.record("it is closed")
        } catch {
            #expect(error.code == .audioDevice)
        }
    }

    /// A round of the audio thread: what is written until nothing is taken, how that stands, and a wait.
    @Test func aRoundAsksNoMoreThanItMust() throws {
        let gate = Gate()
        let device = device(gate, "round")
        _ = try device.configure(wanted)
        let before = gate.state.read { $0.calls }
        let bytes = [UInt8](repeating: 0, count: 600)
        #expect(try bytes.withUnsafeBytes { try device.write($0) } == 60)
        #expect(try bytes.withUnsafeBytes { try device.write($0) } == 0)
        // Of the device: the write and the state with it.
        #expect(gate.state.read { $0.calls } - before == 2)
        #expect(try device.status().delayFrames == 3)
        // News are told once, and not late.
        let asked = gate.state.read { $0.calls } - before
        #expect(asked == 2 || asked == 3)
        _ = try device.status()
        #expect(gate.state.read { $0.calls } - before == asked + 1)
        #expect(try bytes.withUnsafeBytes { try device.write($0) } == 60)
    }

    @Test func aCallThatDoesNotComeBackIsLeft() throws {
        let gate = Gate()
        let device = device(gate, "stuck in a call", patience: .milliseconds(200))
        #expect(try device.configure(wanted, within: .seconds(60)) != nil)
        // Nothing opens it before the call has been given up.
        gate.shut(true)
        do throws(MediaError) {
            _ = try device.status()
            Issue.record("it cannot answer")
        } catch {
            #expect(error.code == .audioDevice && error.reason == "it does not answer")
        }
        // Nobody is sent after it.
        #expect(try device.configure(wanted, within: .milliseconds(50)) == nil)
        #expect(gate.eventually { $0.waiting == 1 })
        gate.shut(false)
        // The device that was left is closed, and then opens anew.
        #expect(try device.configure(wanted, within: .seconds(60)) != nil)
        #expect(gate.state.read { $0.closed } == 1 && gate.state.read { $0.opened } == 2)
    }

    @Test func anOpeningIsAnsweredLater() throws {
        let gate = Gate()
        gate.shut(true)
        let device = device(gate, "slow to open")
        #expect(try device.configure(wanted, within: .zero) == nil)
        #expect(try device.configure(wanted, within: .milliseconds(50)) == nil)
        gate.shut(false)
        #expect(try device.configure(wanted, within: .seconds(60)) != nil)
        #expect(gate.state.read { $0.opened } == 1)
        try device.start()
    }

    @Test func closingWaitsForTheDeviceButNotForEver() throws {
        let gate = Gate()
        do {
            let device = device(gate, "closing")
            _ = try device.configure(wanted)
        }
        #expect(gate.eventually { $0.closed == 1 })
        let began = SystemTime().now()
        do {
            let device = device(gate, "closing")
            _ = try device.configure(wanted)
            gate.shut(true)
            withExtendedLifetime(device) {}
        }
        // The gate is still shut: the wait had its end.
        #expect(SystemTime().now() - began > .milliseconds(400))
        gate.shut(false)
        #expect(gate.eventually { $0.closed == 2 })
    }
}
