import AetherCore
import AetherEngine

/// The items of the menu of audio devices, from what the engine knows.
enum DeviceItems {
    /// The default first, then ALSA's devices in its order; the present one in any case: names may be typed that stand in no list. Plug-ins that
    /// only convert what another device plays are one entry until the person unfolds it. Not ALSA's `null`, which takes a song in a moment.
    static func items(_ snapshot: EngineSnapshot, unfolds: Bool) -> [MenuItem] {
        guard let present = snapshot.audioDevice else { return [] }
        let hints = (snapshot.audioDevices ?? []).filter { $0.name != "null" || present == "null" }
        let others = hints.contains { $0.name == present } ? [] : [AudioDeviceHint(name: present, description: [])]
        func isFolded(_ hint: AudioDeviceHint) -> Bool { isPlugIn(hint.name) && hint.name != present }
        let usual = hints.filter { $0.name == "default" } + hints.filter { $0.name != "default" && !isFolded($0) }
        let plugIns = hints.filter(isFolded)
        func item(_ hint: AudioDeviceHint) -> MenuItem {
            MenuItem(
                hint.description.isEmpty ? hint.name : hint.description.joined(separator: ", "),
                detail: hint.description.isEmpty ? "" : hint.name, isPresent: hint.name == present, choice: .device(hint.name))
        }
        let folded =
            plugIns.isEmpty
            ? []
            : unfolds
                ? [.heading(translated("ALSA plug-ins"))] + plugIns.map(item)
                : [MenuItem(translated("ALSA plug-ins…"), detail: "\(plugIns.count)", choice: .devicePlugIns)]
        return (others + usual).map(item) + folded + channels(snapshot) + downmix(snapshot)
    }

    /// ALSA's own plug-ins, by the first part of their names: they resample, mix, share or throw away, and no one plugs anything into them.
    private static let plugIns: Set<String> = [
        "a52", "arcam-av", "dmix", "dsnoop", "dshare", "lavrate", "null", "oss", "plug", "samplerate", "shm", "speex",
        "speexrate",
        "upmix", "usbstream", "vdownmix",
    ]

    private static func isPlugIn(_ name: String) -> Bool {
        plugIns.contains(String(name.prefix { $0 != ":" && $0 != "_" }))
    }

    /// The layouts that the device may be asked for.
    private static func channels(_ snapshot: EngineSnapshot) -> [MenuItem] {
        [.heading(translated("Channels"))]
            + SpeakerLayout.allCases.map { layout in
                let label =
                    layout == .auto
                    ? translated("Those of the source") : layout == .stereo ? translated("Stereo") : layout.rawValue
                return MenuItem(
                    label, detail: layout.rawValue, isPresent: layout == snapshot.channels, choice: .setting(.channels(layout)))
            }
    }

    /// How loud it is where the device has fewer channels.
    private static func downmix(_ snapshot: EngineSnapshot) -> [MenuItem] {
        [.heading(translated("Mixed into fewer channels"))]
            + Downmix.allCases.reversed().map { downmix in
                MenuItem(
                    downmix == .loud ? translated("As loud as stereo") : translated("Lowered until nothing clips"),
                    detail: downmix.rawValue,
                    isPresent: downmix == snapshot.downmix, choice: .setting(.downmix(downmix)))
            }
    }
}
