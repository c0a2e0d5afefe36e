import AetherCore
import AetherUI

/// Theme files: each is a theme whose colours can be drawn, or an error of one safe line.
func fuzzThemeParser(_ input: UnsafeBufferPointer<UInt8>) {
    let text = String(decoding: input, as: UTF8.self)
    do throws(ConfigError) {
        let theme = try ThemeParser.parse(text, file: "fuzz.toml")
        precondition(!theme.name.unicodeScalars.contains(where: DisplayText.isUnsafe))
        for role in ThemeRole.allCases { if let contrast = theme.contrast(role) { precondition((1...21.01).contains(contrast)) } }
    } catch {
        precondition(!error.description.unicodeScalars.contains(where: DisplayText.isUnsafe), "a control character got through")
    }
}
