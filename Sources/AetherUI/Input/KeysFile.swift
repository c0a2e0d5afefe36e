import TOMLKit

/// A file of keys: `preset = "vim"`, and under `[keys]` a key or a chord for each action that shall have another.
enum KeysFile {
    /// The keymap that a file makes of the standard one; without a file, the standard one.
    static func keymap(_ document: TOMLDocument?) throws(ConfigError) -> Keymap {
        guard let document else { return .standard }
        var changes: [Keymap.Change] = []
        for key in document.table.keys where key != "preset" && key != "keys" {
            throw document.error(
                [key],
                "is not known; a file of keys has preset and [keys]"
                    + ConfigError.suggestion(for: key, among: ["preset", "keys"]))
        }
        if let value = document.table["preset"] {
            guard let preset = value.string.flatMap({ KeyPreset(rawValue: $0) }) else {
                let names = KeyPreset.allCases.map(\.rawValue)
                let near = value.string.map { ConfigError.suggestion(for: $0, among: names) } ?? ""
                throw document.error(["preset"], "is one of " + names.joined(separator: ", ") + near)
            }
            changes = KeysFile.changes(of: preset)
        }
        if let value = document.table["keys"] {
            guard let table = value.table else { throw document.error(["keys"], "is a table: write [keys]") }
            for name in table.keys { changes.append(try change(name, table[name]?.string, document)) }
        }
        return Keymap(.standard, changes: changes)
    }

    static func changes(of preset: KeyPreset) -> [Keymap.Change] {
        preset.bindings.compactMap { binding in
            guard let strokes = KeyName.strokes(binding.keys) else { return nil }
            do throws(ActionName.Problem) {
                return Keymap.Change(strokes: strokes, action: try ActionName.action(binding.action))
            } catch {
                return nil
            }
        }
    }

    private static func change(_ name: String, _ value: String?, _ document: TOMLDocument) throws(ConfigError) -> Keymap.Change {
        let path = ["keys", name]
        guard let strokes = KeyName.strokes(name) else {
            throw document.error(path, KeyName.complaint(name))
        }
        guard let value else { throw document.error(path, "is an action in quotes, such as \"seek 5\"") }
        do throws(ActionName.Problem) {
            return Keymap.Change(strokes: strokes, action: try ActionName.action(value))
        } catch {
            throw document.error(path, error.reason)
        }
    }
}
