import AetherCore
import AetherMedia

/// A device that was asked to open while another one, or silence, has the audio: it is looked at between two steps, and no thread waits for it.
/// Owned by the audio thread.
struct DeviceProspect: ~Copyable {
    private let device: any AudioDevice
    /// Which of the list it is.
    let place: Int
    let wanted: AudioFormat
    let began: HostTime
    /// The device was left because it stood.
    private let hasStood: Bool

    /// A server that is stopped does not answer, and a second time not at once: what opens sooner than this although it stood is as it was.
    private static var shortestSilence: TimeSpan { .milliseconds(500) }

    init(_ device: any AudioDevice, place: Int, wanted: AudioFormat, began: HostTime, hasStood: Bool = false) {
        self.device = device
        self.place = place
        self.wanted = wanted
        self.began = began
        self.hasStood = hasStood
    }

    var name: String { device.name }

    /// The format that it agreed to; nil while it has not answered within the time.
    func format(within span: TimeSpan) throws(MediaError) -> AudioFormat? {
        try device.configure(wanted, within: span)
    }

    /// Whether it has kept one waiting.
    func wasSilent(at now: HostTime) -> Bool { now - began >= Self.shortestSilence }

    /// Whether it is of use, having answered now.
    func isOfUse(at now: HostTime) -> Bool { !hasStood || wasSilent(at: now) }

    /// Its renderer, when it has answered.
    consuming func renderer(_ format: AudioFormat) -> AudioRenderer {
        AudioRenderer(opened: device, wanted: wanted, format: format)
    }
}
