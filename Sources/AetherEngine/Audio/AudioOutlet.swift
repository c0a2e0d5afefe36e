import AetherCore
import AetherMedia

/// Where sound goes: one of the devices that were asked for, or, when none of them can be had, silence that keeps real time. The clock,
/// pauses and the end are the same in both, so nobody above has to know. Owned by the audio thread.
struct AudioOutlet<Device: AudioDevice & ~Copyable>: ~Copyable, AudioDevice {
    /// Nothing is heard: the samples are thrown away in their time.
    let isSilent: Bool
    private var device: Device
    private var silence: NullAudioDevice

    /// Sound on a device.
    init(_ device: consuming Device) {
        self.device = device
        silence = NullAudioDevice()
        isSilent = false
    }

    /// Silence in real time of a clock; the device stays closed.
    init(silentFor device: consuming Device, time: any TimeSource) {
        self.device = device
        silence = NullAudioDevice(time: time)
        isSilent = true
    }

    var name: String { isSilent ? silence.name : device.name }
    var bufferFrames: Int { isSilent ? silence.bufferFrames : device.bufferFrames }
    var xrunCount: Int { isSilent ? silence.xrunCount : device.xrunCount }

    mutating func configure(_ wanted: AudioFormat) throws(MediaError) -> AudioFormat {
        isSilent ? try silence.configure(wanted) : try device.configure(wanted)
    }

    mutating func configure(_ wanted: AudioFormat, within span: TimeSpan) throws(MediaError) -> AudioFormat? {
        isSilent ? try silence.configure(wanted) : try device.configure(wanted, within: span)
    }

    mutating func write(_ samples: UnsafeRawBufferPointer) throws(MediaError) -> Int {
        isSilent ? try silence.write(samples) : try device.write(samples)
    }

    mutating func start() throws(MediaError) { isSilent ? try silence.start() : try device.start() }

    mutating func drop() throws(MediaError) { isSilent ? try silence.drop() : try device.drop() }

    mutating func stop() throws(MediaError) -> AudioDeviceStatus { isSilent ? try silence.stop() : try device.stop() }

    mutating func close() {
        device.close()
        silence.close()
    }

    mutating func status() throws(MediaError) -> AudioDeviceStatus { isSilent ? try silence.status() : try device.status() }

    mutating func wait(frames: Int, wake: WakeHandle, until deadline: HostTime) throws(MediaError) -> AudioWaitResult {
        isSilent
            ? try silence.wait(frames: frames, wake: wake, until: deadline)
            : try device.wait(frames: frames, wake: wake, until: deadline)
    }
}

/// The devices that sound may go to, best first: what was asked for, and what stands in for it.
struct AudioDeviceList<Device: AudioDevice & ~Copyable>: Sendable {
    let count: Int
    /// A closed device of the list.
    let make: @Sendable (Int) -> Device
    /// The list when somebody asks for another device by name; nil where there is only one list.
    var choose: (@Sendable (String) -> AudioDeviceList)?
}

/// A device of ALSA, on a thread of its own.
typealias SoundDevice = ThreadedDevice<ALSADevice>

extension AudioDeviceList<SoundDevice> {
    /// Where the device that was asked for is missing or goes, the system's own takes its place.
    static func alsa(_ name: String, isAlone: Bool) -> AudioDeviceList {
        let names = name == "default" ? [name] : [name, "default"]
        let period = isAlone ? ALSADevice.longPeriod : ALSADevice.closePeriod
        return AudioDeviceList(
            count: names.count,
            make: { place in
                let name = names[place]
                return SoundDevice(name: name) { ALSADevice(name: name, period: period) }
            },
            choose: { .alsa($0, isAlone: isAlone) })
    }
}
