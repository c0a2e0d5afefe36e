import AetherCore
import TOMLKit

/// A file of keys: `preset = "vim"`, and under `[keys]` a key or a chord for each action that shall have another.
enum KeysFile {
    /// The keymap that a file makes of the standard one; without a file, the standard one. `preset`: in place of the file's. What is wrong
    /// with the file goes to the report.
    static func keymap(_ document: TOMLDocument?, preset: KeyPreset? = nil, _ report: inout ConfigReport) -> Keymap {
        let own = document.flatMap { document in report.take { report throws(ConfigError) in try self.preset(document, &report) }
        }
        var changes = (preset ?? own).map { KeysFile.changes(of: $0) } ?? []
        if let document, let value = document.table["keys"] {
            if let table = value.table {
                changes += table.keys.compactMap { change($0, table[$0]?.string, document, &report) }
            } else {
                report.refuse(document.error(["keys"], translated("is a table: write [keys]")))
            }
        }
        return Keymap(.standard, changes: changes)
    }

    private static func preset(_ document: TOMLDocument, _ report: inout ConfigReport) throws(ConfigError) -> KeyPreset? {
        for key in document.table.keys where key != "preset" && key != "keys" {
            report.warn(
                document.error(
                    [key],
                    translated("is not known; a file of keys has preset and [keys]")
                        + ConfigError.suggestion(for: key, among: ["preset", "keys"])))
        }
        guard let value = document.table["preset"] else { return nil }
        if let preset = value.string.flatMap({ KeyPreset(rawValue: $0) }) { return preset }
        let names = KeyPreset.allCases.map(\.rawValue)
        let near = value.string.map { ConfigError.suggestion(for: $0, among: names) } ?? ""
        throw document.error(["preset"], translated("is one of \(names.joined(separator: ", "))") + near)
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

    private static func change(
        _ name: String, _ value: String?, _ document: TOMLDocument, _ report: inout ConfigReport
    ) -> Keymap.Change? {
        let path = ["keys", name]
        guard let strokes = KeyName.strokes(name) else {
            report.warn(document.error(path, KeyName.complaint(name)))
            return nil
        }
        guard let value else {
            report.refuse(document.error(path, translated("is an action in quotes, such as \"seek 5\"")))
            return nil
        }
        do throws(ActionName.Problem) {
            return Keymap.Change(strokes: strokes, action: try ActionName.action(value))
        } catch {
            let fault = document.error(path, error.reason)
            if error.isUnknown { report.warn(fault) } else { report.refuse(fault) }
            return nil
        }
    }
}
