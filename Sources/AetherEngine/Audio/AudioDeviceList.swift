import AetherCore
import AetherMedia

/// The devices that audio may go to, best first: what was asked for, and what stands in for it.
struct AudioDeviceList: Sendable {
    let count: Int
    /// A closed device of the list.
    let make: @Sendable (Int) -> any AudioDevice
    /// The list when another device is asked for by name; nil where there is only one list.
    var choose: (@Sendable (String) -> AudioDeviceList)?
}

extension AudioDeviceList {
    /// Devices of ALSA, each on a thread of its own. Where the device that was asked for is missing or goes, the system's own takes its place.
    static func alsa(_ name: String, isAlone: Bool) -> AudioDeviceList {
        let names = name == "default" ? [name] : [name, "default"]
        let period = isAlone ? ALSADevice.longPeriod : ALSADevice.closePeriod
        return AudioDeviceList(
            count: names.count,
            make: { place in
                let name = names[place]
                return ThreadedDevice(name: name) { ALSADevice(name: name, period: period) }
            },
            choose: { .alsa($0, isAlone: isAlone) })
    }
}
