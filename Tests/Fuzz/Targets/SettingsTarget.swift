import AetherCore

@testable import AetherUI

/// Files of settings and of keys: read, with what is wrong in lines that can be shown, never a trap.
func fuzzSettings(_ input: UnsafeBufferPointer<UInt8>) {
    let text = String(decoding: input, as: UTF8.self)
    do throws(ConfigError) {
        let document = try TOMLDocument(text, file: "x.toml")
        var report = ConfigReport()
        let keymap = KeysFile.keymap(document, &report)
        precondition(!keymap.entries.isEmpty || !text.isEmpty)
        let settings = Settings(document, commandLine: ["x"], &report)
        precondition(settings.profiles.count <= text.utf8.count)
        precondition((report.warnings + report.errors).allSatisfy { $0.description.hasPrefix("x.toml") })
        precondition(!report.lines.joined().unicodeScalars.contains(where: DisplayText.isUnsafe))
    } catch {
        precondition(!error.description.unicodeScalars.contains(where: DisplayText.isUnsafe))
        precondition(error.description.hasPrefix("x.toml"))
    }
}
