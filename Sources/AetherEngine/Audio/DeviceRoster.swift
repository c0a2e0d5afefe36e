import AetherCore
import AetherMedia
import Glibc

/// Where audio goes: to the device that was asked for, to what stands in for those that could not be had, in the end to silence,
/// which always can be.
struct DeviceRoster {
    private let standard: AudioDeviceList
    private var devices: AudioDeviceList
    private var choice: String?
    /// How many of the list could not be had: the place of the present one.
    private(set) var position = 0
    /// When a better one may be asked for again, and how long after that the next time; nil: not by itself.
    private var retryAt: HostTime?
    private var patience: TimeSpan
    private let shortestPatience: TimeSpan
    private static var longestPatience: TimeSpan { .seconds(60) }
    /// When a device that played was lost last.
    private var lostAt: HostTime?
    private static var log: ModuleLog { Log.module("audio") }

    /// `patience`: after how long a lost device is asked for again, for the first time.
    init(_ devices: AudioDeviceList, patience: TimeSpan = .seconds(5)) {
        standard = devices
        self.devices = devices
        (self.patience, shortestPatience) = (patience, patience)
    }

    /// Whether the present device, or the silence, stands in for the one that was asked for.
    var usesStandIn: Bool { position > 0 }

    /// Whether none of the devices can be had.
    var isSilent: Bool { position >= devices.count }

    /// The present device, closed; silence that keeps the time of `time` where there is none.
    func device(time: any TimeSource) -> any AudioDevice { device(at: position, time: time) }

    /// A device of the list, closed; silence behind its end.
    func device(at place: Int, time: any TimeSource) -> any AudioDevice {
        place >= devices.count
            ? NullAudioDevice(time: time) : devices.make(place)
    }

    /// Another device is asked for; returns whether it is another.
    mutating func choose(_ name: String?) -> Bool {
        guard let name, name != choice else { return false }
        choice = name
        devices = standard.choose?(name) ?? standard
        reset()
        return true
    }

    /// The present device cannot be had: the next one takes its place. It may be asked again some time after `now`; nil: only when a person
    /// wants it.
    mutating func giveUp(_ error: MediaError, at now: HostTime?) {
        Self.log.error("\(error)")
        position += 1
        guard let now else {
            retryAt = nil
            return
        }
        postpone(at: now)
    }

    /// The present device was lost while it played. It is tried once more before another one takes its place, for a server that was started
    /// anew is there already when that is seen; not twice within the patience, or where there was no answer.
    mutating func lose(_ error: MediaError, at now: HostTime) {
        defer { lostAt = now }
        if error.cause == -ETIMEDOUT || lostAt.map({ now - $0 < shortestPatience }) ?? false { return giveUp(error, at: now) }
        Self.log.error("\(error)")
    }

    /// The present device does not answer: the next one takes its place until it does.
    mutating func pass(at now: HostTime) {
        position += 1
        postpone(at: now)
    }

    /// Whether something stands in, and it is time to ask for what is better.
    func isDue(at now: HostTime) -> Bool { usesStandIn && retryAt.map { $0 <= now } ?? false }

    /// Asks later, and ever more seldom: after 5 s, then 10, 20, 40 more and each minute. `isNews`: it was another trouble this time.
    mutating func postpone(at now: HostTime, isNews: Bool = false) {
        if isNews { patience = shortestPatience }
        retryAt = now + patience
        patience = min(patience + patience, Self.longestPatience)
    }

    /// A device that was lost can be had again. One that is better still is asked for later.
    mutating func settle(on place: Int, at now: HostTime) {
        reset()
        position = place
        if place > 0 { postpone(at: now) }
    }

    /// The device that was asked for gets another chance.
    mutating func reset() { (position, retryAt, patience) = (0, nil, shortestPatience) }
}
