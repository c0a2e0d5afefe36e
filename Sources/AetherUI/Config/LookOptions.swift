import AetherCore
import AetherOptions
public import ArgumentParser

/// How video lies on the screen, how audio sounds and how subtitles look, beyond what every file needs; on the command line.
public struct LookOptions: ParsableArguments, Sendable {
    /// `--no-video`: only the audio of a video is played.
    @Flag(help: .translated("Play only the audio of a video, shown like a song."))
    public var noVideo = false

    /// `--rotate`: clockwise degrees.
    @Option(help: .translated("Turn the video clockwise: 0, 90, 180 or 270.", value: "degrees"))
    public var rotate = 0

    /// `--flip`: the sides that change places.
    @Option(help: .translated("Mirror the video: none, horizontal, vertical or both."))
    public var flip = FlipChoice.none

    /// `--crossfeed`: for headphones.
    @Flag(help: .translated("Let each ear hear a little of the other channel, for stereo in headphones."))
    public var crossfeed = false

    /// `--vf`: a graph of filters.
    @Option(help: .translated("Filters of libavfilter for the video, such as hflip,eq=contrast=1.2.", value: "filters"))
    public var vf: String?

    /// `--af`: a graph of filters.
    @Option(help: .translated("Filters of libavfilter for the audio, such as bass=g=6.", value: "filters"))
    public var af: String?

    /// `--sub-font`: a name that fontconfig knows.
    @Option(help: .translated("Font of subtitles that are drawn in pixels.", value: "name"))
    public var subFont: String?

    /// `--sub-font-size`: in 288ths of the frame.
    @Option(help: .translated("Height of subtitle letters in 288ths of the frame, 4 to 96; 16 by default.", value: "size"))
    public var subFontSize: Double?

    /// `--sub-color`: of letters, also of those that are the terminal's.
    @Option(help: .translated("Colour of subtitles, also of those in cells.", form: "#RRGGBB"))
    public var subColor: String?

    /// `--sub-border-color`: of their edges.
    @Option(help: .translated("Colour of the border around subtitle letters.", form: "#RRGGBB"))
    public var subBorderColor: String?

    /// `--sub-border`: in 288ths of the frame.
    @Option(help: .translated("Width of that border in 288ths of the frame, 0 to 10; 1.2 by default.", value: "width"))
    public var subBorder: Double?

    /// `--sub-margin`: in 288ths of the frame.
    @Option(
        help: .translated(
            "Distance of subtitles from the lower edge in 288ths of the frame, 0 to 200; 12 by default.", value: "distance")
    )
    public var subMargin: Double?

    /// `--sub-override`: also scripts.
    @Flag(help: .translated("Draw ASS scripts in this look too, and not in their own."))
    public var subOverride = false

    /// The defaults.
    public init() {}

    /// The values of `--flip`.
    public enum FlipChoice: String, CaseIterable, ExpressibleByArgument, Sendable {
        case none, horizontal, vertical, both
    }

    /// Throws what types alone do not say.
    public func validate() throws {
        guard [0, 90, 180, 270].contains(rotate) else { throw ValidationError(translated("--rotate takes 0, 90, 180 or 270")) }
        for (name, text, medium) in [("--vf", vf, FilterGraph.Medium.video), ("--af", af, .audio)] {
            do throws(ActionName.Problem) {
                _ = try FilterText.graph(text ?? "", medium, asksLibrary: true)
            } catch {
                throw ValidationError("\(name): \(error.reason)")
            }
        }
        for (name, text) in [("--sub-color", subColor), ("--sub-border-color", subBorderColor)] {
            if let text, SubtitleLook.colour(text) == nil {
                throw ValidationError(translated("\(name) takes a colour such as #FFE000"))
            }
        }
        if let subFont, !SubtitleLook.isFontName(subFont) {
            throw ValidationError(
                translated("--sub-font takes the name of a font of at most 64 characters, without commas and braces"))
        }
        let ranges: [(String, Double?, ClosedRange<Double>, String)] = [
            ("--sub-font-size", subFontSize, 4...96, "4 to 96"), ("--sub-border", subBorder, 0...10, "0 to 10"),
            ("--sub-margin", subMargin, 0...200, "0 to 200"),
        ]
        for (name, value, range, words) in ranges {
            if let value, !range.contains(value) { throw ValidationError(translated("\(name) takes a number from \(words)")) }
        }
    }

    /// Puts them into the settings of playback.
    func apply(to settings: inout PlaybackSettings) {
        settings.videoLook.view.rotation = rotate
        settings.videoLook.view.flip = VideoView.Flip(rawValue: flip.rawValue) ?? .none
        settings.hasCrossfeed = crossfeed
        if let change = SettingChange(.videoFilters, text: vf ?? "") { settings.apply(change) }
        if let change = SettingChange(.audioFilters, text: af ?? "") { settings.apply(change) }
        var look = SubtitleLook()
        (look.font, look.size, look.border, look.margin) = (subFont, subFontSize, subBorder, subMargin)
        (look.colour, look.borderColour) = (
            subColor.flatMap { SubtitleLook.colour($0) }, subBorderColor.flatMap { SubtitleLook.colour($0) }
        )
        look.overridesScripts = subOverride
        settings.subtitleLook = look
    }
}
