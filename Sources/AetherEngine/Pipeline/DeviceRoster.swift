import AetherCore
import AetherMedia

/// Where sound goes: to the device that was asked for, to what stands in for those that could not be had, in the end to silence,
/// which always can be.
struct DeviceRoster<Device: AudioDevice & ~Copyable> {
    private let standard: AudioDeviceList<Device>
    private var devices: AudioDeviceList<Device>
    private var choice: String?
    /// How many of the list could not be had.
    private var lost = 0
    private static var log: ModuleLog { Log.module("audio") }

    init(_ devices: AudioDeviceList<Device>) {
        standard = devices
        self.devices = devices
    }

    /// Whether the present device, or the silence, stands in for the one that was asked for.
    var usesStandIn: Bool { lost > 0 }

    /// Whether none of the devices can be had.
    var isSilent: Bool { lost >= devices.count }

    /// The present device, closed; silence that keeps the time of `time` where there is none.
    func outlet(time: any TimeSource) -> AudioOutlet<Device> {
        isSilent ? AudioOutlet(silentFor: devices.make(0), time: time) : AudioOutlet(devices.make(lost))
    }

    /// Another device is asked for; returns whether it is another.
    mutating func choose(_ name: String?) -> Bool {
        guard let name, name != choice else { return false }
        choice = name
        devices = standard.choose?(name) ?? standard
        lost = 0
        return true
    }

    /// The present device is not asked again.
    mutating func giveUp(_ error: MediaError) {
        Self.log.error("\(error)")
        lost += 1
    }

    /// The device that was asked for gets another chance.
    mutating func reset() { lost = 0 }
}
