import AetherCore
import AetherEngine
import ArgumentParser

extension PlayerOptions {
    /// The error where there is nothing to play and no person to ask.
    static var noFile: ValidationError {
        ValidationError(translated("Name at least one file to play, for example: aether-tui movie.mkv"))
    }

    /// Checks what types alone do not say.
    public func validate() throws {
        if files.contains("") { throw ValidationError(translated("A file name is empty: leave it out or name a file.")) }
        if files.count(where: { $0 == "-" }) > 1 {
            throw ValidationError(translated("Standard input (-) can be played once: name - only once."))
        }
        if !(0.25...4).contains(speed) { throw ValidationError(translated("--speed takes 0.25 to 4, for example --speed 1.5.")) }
        if !(0...150).contains(volume) { throw ValidationError(translated("--volume takes 0 to 150, for example --volume 80.")) }
        if !(-10...10).contains(audioDelay) {
            throw ValidationError(translated("--audio-delay takes -10 to 10 seconds, for example --audio-delay=-0.1."))
        }
        if !(0...600).contains(subtitlesAfterSkipBack) {
            throw ValidationError(
                translated("--subtitles-after-skip-back takes 0 to 600 seconds, for example --subtitles-after-skip-back 10."))
        }
        if let teletextPage, !(100...899).contains(teletextPage) {
            throw ValidationError(translated("--teletext-page takes 100 to 899, for example --teletext-page 150."))
        }
        if let title, title < 1 { throw ValidationError(translated("--title takes a number from 1 on, for example --title 2.")) }
        if !(1...9).contains(angle) { throw ValidationError(translated("--angle takes 1 to 9, for example --angle 2.")) }
        if !(-24...6).contains(centerLevel) {
            throw ValidationError(translated("--center-level takes -24 to 6 dB, for example --center-level=0."))
        }
        if let fpsCap, !(1...240).contains(fpsCap) {
            throw ValidationError(translated("--fps-cap takes 1 to 240, for example --fps-cap 24."))
        }
        if let maxRate, maxRate.bytes < 10_000 {
            throw ValidationError(translated("--max-rate takes at least 10K, for example --max-rate 500K."))
        }
        if audioDevice.isEmpty {
            throw ValidationError(translated("--audio-device takes a name that aetherctl audio-devices lists, or leave it out."))
        }
        if epg == "" { throw ValidationError(translated("--epg takes the name or URL of a guide.")) }
        if !(0...AetherEngine.readyLimit).contains(readyChannels) {
            throw ValidationError(translated("--ready-channels takes 0 to 4, for example --ready-channels 2."))
        }
        if hwdec != .off, sandbox {
            throw ValidationError(translated("--hwdec needs --no-sandbox: the box of --sandbox has no graphics device."))
        }
        if ipc == "" { throw ValidationError(translated("--ipc takes the path of a socket to make.")) }
        if telemetry == "" { throw ValidationError(translated("--telemetry takes the name of a file to write.")) }
        if log == "" { throw ValidationError(translated("--log takes the name of a file to write.")) }
        if screenshotDir == "" { throw ValidationError(translated("--screenshot-dir takes the name of a directory.")) }
        if theme.isEmpty { throw ValidationError(translated("--theme takes the name of a theme or a .toml file.")) }
        if let start, let end, PlayerOptions.isKnownToBeEmpty(start, end) {
            throw ValidationError(translated("--end must be later than --start: there is nothing between them."))
        }
    }

    private static func isKnownToBeEmpty(_ start: TimePoint, _ end: TimePoint) -> Bool {
        switch (start, end) {
        case (.offset(let a), .offset(let b)): b <= a
        case (.fraction(let a), .fraction(let b)): b <= a
        case (.beforeEnd(let a), .beforeEnd(let b)): b >= a
        default: false
        }
    }
}
