import AetherCore

/// ALSA's words for a digital output that carries a bitstream. Pure.
enum DigitalOutput {
    /// Devices that mix, resample or hand on to a sound server: bursts sent there would be heard as noise at full level.
    private static let mixers = [
        "default", "sysdefault", "pulse", "pipewire", "jack", "dmix", "plug", "front", "surround", "rear", "center_lfe", "side",
        "upmix",
        "vdownmix", "speex", "lavrate", "samplerate", "oss",
    ]

    /// Whether a PCM of this name may be given a bitstream at all.
    static func mayCarry(_ name: String) -> Bool {
        let kind = name.prefix { $0 != ":" && $0 != "," }
        return !mixers.contains { kind == $0 || kind.hasPrefix($0) }
    }

    /// The name with the channel status that says "not audio" (IEC 60958-3): AES0 bit 1, copying allowed, and the rate. Only `iec958`,
    /// `spdif` and `hdmi` take such arguments; others are left as they are.
    static func name(_ name: String, sampleRate: Int) -> String {
        let kind = name.prefix { $0 != ":" }
        guard ["iec958", "spdif", "hdmi"].contains(String(kind)) else { return name }
        // A person who writes them means them.
        guard !name.contains("AES0") else { return name }
        let rates = [
            32000: "0x03", 44100: "0x00", 48000: "0x02", 88200: "0x08", 96000: "0x0a", 176_400: "0x0c", 192_000: "0x0e",
        ]
        // 0x01: not indicated.
        let status = "AES0=0x06,AES1=0x82,AES2=0x00,AES3=\(rates[sampleRate] ?? "0x01")"
        let arguments = name.dropFirst(kind.count + 1)
        return arguments.isEmpty ? "\(kind):\(status)" : "\(kind):\(arguments),\(status)"
    }
}
