import AetherCore

@testable import AetherUI

/// Files of settings and of keys: read or refused with one line, never a trap.
func fuzzSettings(_ input: UnsafeBufferPointer<UInt8>) {
    let text = String(decoding: input, as: UTF8.self)
    do throws(ConfigError) {
        let document = try TOMLDocument(text, file: "x.toml")
        let keymap = try KeysFile.keymap(document)
        precondition(!keymap.entries.isEmpty || !text.isEmpty)
    } catch {
        precondition(!error.description.unicodeScalars.contains(where: DisplayText.isUnsafe))
    }
    do throws(ConfigError) {
        let settings = try Settings(try TOMLDocument(text, file: "x.toml"), commandLine: ["x"])
        precondition(settings.profiles.count <= text.utf8.count)
    } catch {
        precondition(error.description.hasPrefix("x.toml"))
    }
}
