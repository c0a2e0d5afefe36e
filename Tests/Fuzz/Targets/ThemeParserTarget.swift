import AetherCore
import AetherUI

/// Theme files: each is a theme whose colours can be drawn, or an error of one safe line.
func fuzzThemeParser(_ input: UnsafeBufferPointer<UInt8>) {
    let text = String(decoding: input, as: UTF8.self)
    do throws(ConfigError) {
        var report = ConfigReport()
        let theme = try ThemeParser.parse(text, file: "fuzz.toml", &report)
        precondition(report.lines.count <= 100 && !report.lines.joined().unicodeScalars.contains(where: DisplayText.isUnsafe))
        precondition(!theme.name.unicodeScalars.contains(where: DisplayText.isUnsafe))
        for role in ThemeRole.allCases { if let contrast = theme.contrast(role) { precondition((1...21.01).contains(contrast)) } }
    } catch {
        precondition(!error.description.unicodeScalars.contains(where: DisplayText.isUnsafe), "a control character got through")
    }
}
