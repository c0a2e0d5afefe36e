import AetherCore
import ArgumentParser
import FoundationEssentials

/// Whether the command line's own rules take every value of a settings file, one by one.
///
/// The parser takes a third of a millisecond a run, whatever it is given: so values of different options are looked at together, and one by
/// one only where that fails. Values that are good alone may contradict each other, as `start` and `end` can: their user finds that.
struct SettingsCheck {
    private struct Value {
        let name: String, text: String
        /// The place in the file.
        let path: [String]
    }
    private var values: [Value] = []

    /// The values of a file and of its profiles.
    init(_ values: [String: String], _ profiles: [Settings.Profile], _ hosts: [HostSettings] = []) {
        add(values, [])
        for profile in profiles { add(profile.values, ["profile", profile.name]) }
        for host in hosts { add(host.values, ["host", host.pattern]) }
    }

    private mutating func add(_ some: [String: String], _ path: [String]) {
        for (name, text) in some.sorted(by: { $0.key < $1.key }) {
            guard let option = OptionCatalogue.player.option(name), !option.isFlag, !option.isUnset(by: text) else { continue }
            values.append(Value(name: name, text: text, path: path + [name]))
        }
    }

    /// The faults of all values.
    func faults(_ document: TOMLDocument) -> [ConfigError] {
        guard batches.contains(where: { Self.refusal(of: $0) != nil }) else { return [] }
        return values.compactMap { value in
            Self.refusal(of: [value]).map { document.error(value.path, Self.words($0, value)) }
        }
    }

    /// The parser's own words for a value that it cannot read name the command line; what the option is says more.
    private static func words(_ error: any Error, _ value: Value) -> String {
        // A caret below an expression has no place in one line.
        let message = String(PlayerOptions.message(for: error).prefix { !$0.isNewline })
        guard message.hasPrefix("The value "), let option = OptionCatalogue.player.option(value.name) else { return message }
        return translated("\"\(DisplayText.singleLine(value.text, limit: 40))\" does not fit: \(option.abstract)")
    }

    /// Every different value once, no option twice in a batch.
    private var batches: [[Value]] {
        var batches: [[String: Value]] = []
        for value in values {
            if batches.contains(where: { $0[value.name]?.text == value.text }) { continue }
            if let index = batches.firstIndex(where: { $0[value.name] == nil }) {
                batches[index][value.name] = value
            } else {
                batches.append([value.name: value])
            }
        }
        return batches.map { Array($0.values) }
    }

    private static func refusal(of values: [Value]) -> (any Error)? {
        do {
            let words = values.flatMap { value in
                value.text.components(separatedBy: Settings.separator).flatMap { Settings.words(value.name, $0) }
            }
            _ = try PlayerOptions.parse(words + ["x"])
            return nil
        } catch {
            return error
        }
    }
}
