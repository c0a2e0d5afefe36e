import AetherCore
import AetherOptions
import AetherSources
import AetherTerminal
import ArgumentParser
import FoundationEssentials
import TOMLKit

/// The effective settings of a file: the person's settings, those of the profiles that fit, and the command line, each over the one before.
struct Settings: Sendable {
    /// Settings for some files, terminals or links.
    struct Profile: Sendable, Equatable {
        let name: String
        /// Patterns of which one must fit the file's name; nil: any file.
        var files: [FileGlob]?
        /// Patterns of which one must fit the terminal's name or TERM.
        var terminals: [FileGlob]?
        /// Over SSH, or not; nil: either.
        var isRemote: Bool?
        var values: [String: String] = [:]

        /// `file` nil: a file that no pattern fits.
        func fits(file: String?, _ environment: ProbeEnvironment) -> Bool {
            if let files, !(file.map { file in files.contains { $0.matches(file) } } ?? false) { return false }
            let names = [environment.identity.name, environment.term]
            if let terminals, !terminals.contains(where: { glob in names.contains { glob.matches($0) } }) { return false }
            return isRemote == nil || isRemote == environment.isRemote
        }
    }

    private(set) var values: [String: String] = [:]
    /// By their names.
    private(set) var profiles: [Profile] = []
    /// By their patterns.
    private(set) var hosts: [HostSettings] = []
    private let commandLine: [String]
    /// Asked of the parser only where there is a file to understand: that takes as long as a help page.
    private var catalogue: OptionCatalogue { .player }

    /// Nothing but a command line.
    init(commandLine: [String]) { self.commandLine = commandLine }

    /// The settings of a file with a command line over them. Every value is checked here, whether its profile will ever fit or not; what is
    /// wrong with them goes to the report.
    init(_ document: TOMLDocument?, commandLine: [String], _ report: inout ConfigReport) {
        self.commandLine = commandLine
        guard let document else { return }
        for key in document.table.keys {
            if key == "profile" {
                guard let table = document.table[key]?.table else {
                    report.refuse(document.error([key], translated("is a table: write [profile.NAME]")))
                    continue
                }
                for name in table.keys {
                    if let found = profile(name, table[name]?.table, document, &report) { profiles.append(found) }
                }
            } else if key == "host" {
                hosts = hosts(document, &report)
            } else if let found = value(document.table[key], [key], document, &report) {
                values[key] = found
            }
        }
        profiles.sort { $0.name < $1.name }
        for fault in SettingsCheck(values, profiles, hosts).faults(document) { report.refuse(fault) }
    }

    /// The options for a file; nil: for any of which no profile knows. `parsed`: those of the command line alone, where they are at hand: without
    /// other settings they are not parsed again, which takes 4 ms.
    func options(
        for location: MediaLocation?, _ environment: ProbeEnvironment, parsed: PlayerOptions? = nil
    ) throws -> PlayerOptions {
        let said = arguments(for: location, environment)
        var options = try parsed.flatMap { said.isEmpty ? $0 : nil } ?? PlayerOptions.parse(said + commandLine)
        options.network.hosts = try hosts.compactMap { try $0.options(under: commandLine) }
        return options
    }

    /// The settings that count for a file as text that a settings file can hold; what is not set is a comment with its default.
    func text(for location: MediaLocation?, _ environment: ProbeEnvironment) -> String {
        var merged = merged(for: location, environment)
        var said: Set<String> = []
        for (option, value) in catalogue.settings(in: commandLine) {
            // Of what may be given several times the command line's come together, as the parser takes them.
            let isMore = option.isRepeated && (merged[option.name] != nil || said.contains(option.name))
            merged[option.name] = isMore ? (merged[option.name] ?? "") + Settings.separator + value : value
            said.insert(option.name)
        }
        return catalogue.options.map { option in
            if let value = merged[option.name] { return "\(option.name) = \(Settings.literal(value, option))\n" }
            let standard = option.isFlag ? "false" : option.defaultValue.map { Settings.literal($0, option) } ?? "\"\""
            return "# \(option.name) = \(standard)\n"
        }.joined() + hosts.map(text).joined()
    }

    /// Whether a settings file, a profile that fits or the command line says it.
    func isSet(_ name: String, for location: MediaLocation, _ environment: ProbeEnvironment) -> Bool {
        isSaid(name, by: merged(for: location, environment)[name]) || isOnCommandLine(name)
    }

    /// An empty text sets nothing.
    private func isSaid(_ name: String, by value: String?) -> Bool {
        guard let value else { return false }
        return catalogue.option(name)?.isUnset(by: value) != true
    }

    private func isOnCommandLine(_ name: String) -> Bool {
        commandLine.prefix { $0 != "--" }.contains { $0 == "--\(name)" || $0.hasPrefix("--\(name)=") }
    }

    /// The names of settings that a profile for some files says of this one, where nothing counts more; with their values, to tell one profile
    /// from another.
    func fileSettings(for location: MediaLocation, _ environment: ProbeEnvironment) -> [String: String] {
        guard profiles.contains(where: { $0.files != nil }) else { return [:] }
        var said: [String: String] = [:]
        for profile in profiles where profile.fits(file: location.displayName, environment) {
            for (name, value) in profile.values { said[name] = profile.files == nil ? nil : value }
        }
        return said.filter { isSaid($0.key, by: $0.value) && !isOnCommandLine($0.key) }
    }

    private func merged(for location: MediaLocation?, _ environment: ProbeEnvironment) -> [String: String] {
        var merged = values
        for profile in profiles where profile.fits(file: location?.displayName, environment) {
            merged.merge(profile.values) { $1 }
        }
        return merged
    }

    private func text(_ host: HostSettings) -> String {
        let lines = host.values.sorted { $0.key < $1.key }.compactMap { name, value in
            catalogue.option(name).map { "\(name) = \(Settings.literal(value, $0))\n" }
        }
        return "[host.\(Settings.quoted(host.pattern))]\n" + lines.joined()
    }

    private func arguments(for location: MediaLocation?, _ environment: ProbeEnvironment) -> [String] {
        merged(for: location, environment).sorted { $0.key < $1.key }.flatMap { name, value in
            guard let option = catalogue.option(name), !option.isFlag else { return value == "true" ? ["--\(name)"] : [] }
            if option.isUnset(by: value) { return [] }
            guard option.isRepeated else { return Settings.words(name, value) }
            return value.components(separatedBy: Settings.separator).filter { !$0.isEmpty }.map { "--\(name)=\($0)" }
        }
    }

    /// An option and its value for the parser, which takes the word behind `--name=` for the value: that may be a file.
    static func words(_ name: String, _ value: String) -> [String] {
        value.isEmpty ? ["--\(name)", value] : ["--\(name)=\(value)"]
    }

    /// Between the values of an option that was given several times: no path has it.
    static let separator = "\u{0}"

    private static func literal(_ value: String, _ option: OptionCatalogue.Option) -> String {
        if option.isRepeated {
            return "[" + value.components(separatedBy: separator).filter { !$0.isEmpty }.map(quoted).joined(separator: ", ") + "]"
        }
        return option.isFlag || isNumber(value) ? value : quoted(value)
    }

    /// Whether TOML takes it for a number and gives back the same text: not "+80", "007", ".5", nor the "1.10" of a name.
    private static func isNumber(_ value: String) -> Bool {
        if let number = Int(value) { return String(number) == value }
        guard let number = Double(value), number.isFinite, !value.contains("e") else { return false }
        return "\(number)" == value
    }

    private static func quoted(_ value: String) -> String {
        var text = "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"", "\\": text += "\\" + String(scalar)
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }

    // MARK: - Reading

    /// nil for a profile that cannot be used.
    private func profile(
        _ name: String, _ table: TOMLTable?, _ document: TOMLDocument, _ report: inout ConfigReport
    ) -> Profile? {
        guard let table else {
            report.refuse(document.error(["profile", name], translated("is a table: write [profile.\(name)]")))
            return nil
        }
        var profile = Profile(name: name)
        let former = report
        for key in table.keys {
            let path = ["profile", name, key]
            switch key {
            case "if-file": profile.files = report.take { _ throws(ConfigError) in try globs(table[key], path, document) }
            case "if-terminal": profile.terminals = report.take { _ throws(ConfigError) in try globs(table[key], path, document) }
            case "if-remote":
                profile.isRemote = table[key]?.bool
                if profile.isRemote == nil { report.refuse(document.error(path, translated("is true or false"))) }
            default: profile.values[key] = value(table[key], path, document, &report)
            }
        }
        guard profile.files == nil, profile.terminals == nil, profile.isRemote == nil else { return profile }
        // A condition that is misspelt was told: the profile fits nothing.
        if report == former {
            report.refuse(document.error(["profile", name], translated("needs a condition: if-file, if-terminal or if-remote")))
        }
        return nil
    }

    private func hosts(_ document: TOMLDocument, _ report: inout ConfigReport) -> [HostSettings] {
        guard let table = document.table["host"]?.table else {
            report.refuse(document.error(["host"], translated("is a table: write [host.\"example.org\"]")))
            return []
        }
        return table.keys.sorted().compactMap { pattern in
            report.take { report throws(ConfigError) in try host(pattern, table[pattern]?.table, document, &report) }
        }
    }

    private func host(
        _ pattern: String, _ table: TOMLTable?, _ document: TOMLDocument, _ report: inout ConfigReport
    ) throws(ConfigError) -> HostSettings {
        let path = ["host", pattern]
        guard let table, !table.keys.contains(where: { table[$0]?.table != nil }) else {
            throw document.error(path, translated("is a table; its name stands in quotes: [host.\"example.org\"]"))
        }
        var host = HostSettings(pattern: pattern)
        guard HTTPHostOptions(pattern) != nil else {
            throw document.error(path, translated("is not a host: write \"example.org\", or \"*.example.org\" for all below it"))
        }
        for key in table.keys {
            guard HostSettings.names.contains(key) else {
                let near = ConfigError.suggestion(for: key, among: HostSettings.names)
                let known = translated("; the settings of a host are \(HostSettings.names.joined(separator: ", "))")
                report.warn(document.unknownSetting(path + [key], near.isEmpty ? known : near))
                continue
            }
            host.values[key] = value(table[key], path + [key], document, &report)
        }
        return host
    }

    private func globs(
        _ value: (any TOMLValueConvertible)?, _ path: [String], _ document: TOMLDocument
    ) throws(ConfigError) -> [FileGlob] {
        let texts = value?.string.map { [$0] } ?? value?.array.map { $0.compactMap(\.string) } ?? []
        guard !texts.isEmpty, texts.allSatisfy({ !$0.isEmpty }) else {
            throw document.error(path, translated("is a pattern such as \"*.mkv\", or a list of them"))
        }
        return texts.map { FileGlob($0) }
    }

    /// A value in the command line's form; nil where there is none to use. Whether the command line takes it is looked at for all of them at
    /// the end.
    private func value(
        _ value: (any TOMLValueConvertible)?, _ path: [String], _ document: TOMLDocument, _ report: inout ConfigReport
    ) -> String? {
        let name = path.last ?? ""
        guard let option = catalogue.option(name) else {
            let conditions = path.count == 3 ? ["if-file", "if-terminal", "if-remote"] : ["profile", "host"]
            let near = ConfigError.suggestion(for: name, among: catalogue.options.map(\.name) + conditions)
            let known =
                path.count == 3
                ? translated(
                    "; the conditions of a profile are if-file, if-terminal and if-remote, its settings the options of aether-tui --help"
                )
                : translated("; aether-tui --help lists the options that are")
            report.warn(document.unknownSetting(path, near.isEmpty ? known : near))
            return nil
        }
        return report.take { _ throws(ConfigError) in try text(value, of: option, path, document) }
    }

    private func text(
        _ value: (any TOMLValueConvertible)?, of option: OptionCatalogue.Option, _ path: [String], _ document: TOMLDocument
    ) throws(ConfigError) -> String {
        if option.isFlag {
            guard let flag = value?.bool else { throw document.error(path, translated("is true or false")) }
            return flag ? "true" : "false"
        }
        let texts = value?.array.map { $0.map(\.string) }
        if let texts, texts.isEmpty && !option.isRepeated || texts.contains(where: { $0?.isEmpty ?? true }) {
            throw document.error(path, translated("is a text in quotes, or a list of them: [\"a\", \"b\"]"))
        }
        let list = texts.map { $0.compactMap { $0 }.joined(separator: option.isRepeated ? Settings.separator : ",") }
        guard let text = value?.string ?? value?.int.map(String.init) ?? value?.double.map({ "\($0)" }) ?? list else {
            throw document.error(path, translated("is a text in quotes or a number"))
        }
        if !option.words.isEmpty, !option.words.contains(text), !option.isUnset(by: text) {
            let near = ConfigError.suggestion(for: text, among: option.words)
            throw document.error(
                path,
                translated("\"\(DisplayText.singleLine(text, limit: 40))\" is none of \(option.words.joined(separator: ", "))")
                    + near)
        }
        return text
    }
}

extension Settings {
    /// The folder of this program's settings; nil without a home.
    static func directory(_ environment: [String: String]) -> String? {
        if let config = environment["XDG_CONFIG_HOME"], config.hasPrefix("/") { return config + "/aether-tui" }
        if let home = environment["HOME"], home.hasPrefix("/") { return home + "/.config/aether-tui" }
        return nil
    }
}
