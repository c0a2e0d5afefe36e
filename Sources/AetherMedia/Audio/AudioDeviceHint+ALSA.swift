public import AetherCore
import CALSA
import Glibc

extension AudioDeviceHint {
    /// At most so many: a configuration may name any number.
    private static let limit = 1024

    /// All playback devices in ALSA's order. Reads configuration files; blocks for some milliseconds, longer where a sound server is asked.
    public static func all() throws(MediaError) -> [AudioDeviceHint] {
        _ = ALSALog.install
        var list: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
        let result = snd_device_name_hint(-1, "pcm", &list)
        if result < 0 { throw .alsa("list audio devices", name: "", result) }
        guard let list else { return [] }
        defer { snd_device_name_free_hint(list) }
        var hints: [AudioDeviceHint] = []
        var next = list
        while let hint = next.pointee, hints.count < limit {
            next += 1
            // No direction means both.
            if let direction = text(hint, "IOID"), direction != "Output" { continue }
            guard let name = text(hint, "NAME") else { continue }
            let safe = DisplayText.singleLine(name, limit: 200)
            // A name that cannot be shown as it is could not be typed either.
            guard !safe.isEmpty, safe == name else { continue }
            hints.append(
                AudioDeviceHint(name: safe, description: DisplayText.lines(text(hint, "DESC") ?? "", limit: 200, lineLimit: 4)))
        }
        return hints
    }

    private static func text(_ hint: UnsafeMutableRawPointer, _ key: String) -> String? {
        guard let value = snd_device_name_get_hint(hint, key) else { return nil }
        defer { free(value) }
        return String(cString: value)
    }
}
