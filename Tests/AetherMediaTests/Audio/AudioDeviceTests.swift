import AetherCore
import CALSA
import Foundation
import Testing

@testable import AetherMedia

@Suite struct NullAudioDeviceTests {
    private let format = AudioFormat(sampleRate: 48000, channelCount: 2)

    private func write(_ device: NullAudioDevice, _ frames: Int) throws -> Int {
        let bytes = [UInt8](repeating: 0, count: frames * 8)
        return try bytes.withUnsafeBytes { try device.write($0) }
    }

    @Test func consumesAtItsRateAfterTheStart() throws {
        let time = ManualTime()
        let device = NullAudioDevice(time: time)
        #expect(try device.configure(format) == format)
        #expect(device.bufferFrames == 8640)
        #expect(try write(device, 10000) == 8640)
        #expect(try write(device, 1) == 0)
        time.advance(by: .seconds(5))
        #expect(
            try device.status() == AudioDeviceStatus(delayFrames: 8640, availableFrames: 0, host: time.now(), isRunning: false))
        try device.start()
        time.advance(by: .milliseconds(100))
        #expect(
            try device.status() == AudioDeviceStatus(delayFrames: 3840, availableFrames: 4800, host: time.now(), isRunning: true))
        #expect(try write(device, 9999) == 4800)
        try device.drop()
        #expect(
            try device.status() == AudioDeviceStatus(delayFrames: 0, availableFrames: 8640, host: time.now(), isRunning: false))
        #expect(device.xrunCount == 0)
    }

    @Test func runningDryIsOneUnderrunAndNeedsANewStart() throws {
        let time = ManualTime()
        let device = NullAudioDevice(time: time)
        _ = try device.configure(format)
        _ = try write(device, 480)
        try device.start()
        time.advance(by: .milliseconds(11))
        #expect(try device.status().isRunning == false)
        #expect(device.xrunCount == 1)
        time.advance(by: .seconds(1))
        #expect(try write(device, 480) == 480)
        #expect(try device.status().delayFrames == 480)
        #expect(device.xrunCount == 1)
    }

    @Test func aWakeEndsTheWait() throws {
        let time = ManualTime()
        let device = NullAudioDevice(time: time)
        _ = try device.configure(format)
        let wake = WakeHandle()
        #expect(try device.wait(frames: 8640, wake: wake, until: HostTime(nanoseconds: 0)) == .ready)
        _ = try write(device, 8640)
        wake.wake()
        #expect(try device.wait(frames: 1, wake: wake, until: HostTime(nanoseconds: .max)) == .woken)
        wake.drain()
        #expect(try device.wait(frames: 1, wake: wake, until: HostTime(nanoseconds: -5)) == .woken)
    }

    @Test func useBeforeConfigureThrows() {
        let device = NullAudioDevice()
        var code: MediaError.Code?
        do throws(MediaError) { try device.start() } catch { code = error.code }
        #expect(code == .audioDevice)
    }
}

@Suite struct ALSADeviceTests {
    /// In a process of its own: the log keeps the last thousand lines, and other tests write many more.
    @Test func aMissingDeviceThrowsAndItsMessagesGoToTheLog() async {
        await #expect(processExitsWith: .success) {
            let device = ALSADevice(name: "aether-no-such-pcm")
            var error: MediaError?
            do throws(MediaError) { _ = try device.configure(AudioFormat(sampleRate: 48000, channelCount: 2)) } catch let e {
                error = e
            }
            #expect(error?.code == .audioDevice)
            #expect(error?.description.contains("aether-no-such-pcm") == true)
            #expect(Log.shared.lines.contains { $0.module == "alsa" && $0.text.contains("aether-no-such-pcm") })
        }
    }

    @Test func theFilePCMReceivesEveryByteInOrder() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("aether-\(UUID().uuidString).raw").path
        defer { try? FileManager.default.removeItem(atPath: path) }  // A leftover in /tmp harms nobody.
        do {
            let device = ALSADevice(name: "file:'\(path)',raw")
            let format: AudioFormat
            do throws(MediaError) {
                format = try device.configure(AudioFormat(sampleRate: 48000, channelCount: 2, sample: .int16))
            } catch {
                // Without a sound card the slave of `file` may be missing: the null PCM then stands in below.
                print("skipped: \(error)")
                return
            }
            let frame = format.bytesPerFrame
            let sent = (0..<device.bufferFrames * frame).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            let first = try sent[..<(100 * frame)].withUnsafeBytes { try device.write($0) }
            #expect(first == 100)
            #expect(try device.status().delayFrames == 100 && device.status().isRunning == false)
            let second = try sent[(100 * frame)...].withUnsafeBytes { try device.write($0) }
            #expect(second == device.bufferFrames - 100)
            try device.start()
            try device.drop()
            device.close()
            let received = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
            #expect(received == sent)
        }
    }

    @Test func theNullPCMKeepsTheContract() throws {
        let device = ALSADevice(name: "null")
        let format = try device.configure(AudioFormat(sampleRate: 44100, channelCount: 2))
        #expect(format.sampleRate == 44100 && format.channelCount == 2 && format.sample == .float32)
        #expect(device.bufferFrames > 0 && device.periodFrames > 0)
        let wake = WakeHandle()
        let bytes = [UInt8](repeating: 0, count: (device.bufferFrames + 50) * format.bytesPerFrame)
        #expect(try bytes.withUnsafeBytes { try device.write($0) } == device.bufferFrames)
        #expect(try device.status().isRunning == false)
        #expect(try device.status().delayFrames == device.bufferFrames)
        wake.wake()
        #expect(try device.wait(frames: 1, wake: wake, until: HostTime(nanoseconds: .max)) == .woken)
        try device.drop()
        #expect(try device.status().delayFrames == 0)
        try device.start()
        let before = SystemTime().now(), host = try device.status().host
        #expect(host > before - .seconds(1) && host <= SystemTime().now())
    }
}
