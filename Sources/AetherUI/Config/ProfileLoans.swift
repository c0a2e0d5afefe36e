import AetherCore
import AetherEngine
import AetherSources
import AetherTerminal

/// A person's settings are carried from file to file, and those of a profile for some files (`if-file`) are lent to these: they end
/// where they do, and the person's own is back. What the person changes meanwhile is the person's own from then on. A value.
struct ProfileLoans: Sendable {
    private struct Loan<Value: Equatable & Sendable>: Sendable {
        /// As the profile has it, in words: a file of the same profile goes on with the loan.
        let words: String
        let own: Value
        let lent: Value
    }
    private var loans: [Setting: Loan<SettingChange>] = [:]
    private var output: Loan<AudioOutput>?

    /// `loading` holds what is carried; here it becomes what counts for the next file. `lent`: what profiles for some files say, under its
    /// names in a settings file (`Settings.fileSettings`), which `options` has as values.
    mutating func follow(_ loading: inout LoadOptions, lent: [String: String], _ options: PlayerOptions) {
        var wanted = LoadOptions()
        ProfileLoans.reset(&wanted, to: options)
        for setting in Setting.allCases {
            var value = loading.settings[setting]
            Self.follow(&value, &loans[setting], Self.words(setting, lent), wanted.settings[setting])
            loading.settings.apply(value)
        }
        if wanted.audioOutput != .none { Self.follow(&loading.audioOutput, &output, lent["audio-device"], wanted.audioOutput) }
    }

    /// The options that make up the look of subtitles; every other setting has the name of its option.
    private static let lookOptions = [
        "sub-font", "sub-font-size", "sub-color", "sub-border-color", "sub-border", "sub-margin", "sub-override",
    ]

    /// What profiles say of a setting; nil for nothing.
    private static func words(_ setting: Setting, _ lent: [String: String]) -> String? {
        guard setting == .subtitleLook else { return lent[setting.rawValue] }
        let said = lookOptions.compactMap { name in lent[name].map { "\(name)=\($0)" } }
        return said.isEmpty ? nil : said.joined(separator: "\n")
    }

    private static func follow<Value>(_ value: inout Value, _ loan: inout Loan<Value>?, _ words: String?, _ wanted: Value) {
        if let loan, loan.words == words { return }
        let own = loan.map { value == $0.lent ? $0.own : value } ?? value
        loan = words.map { Loan(words: $0, own: own, lent: wanted) }
        value = words == nil ? own : wanted
    }

    /// Whether another file has the same loans, or none where there are none: it can go on from the present one without a beginning.
    func areKept(by location: MediaLocation, _ settings: Settings, _ environment: ProbeEnvironment) -> Bool {
        let lent = settings.fileSettings(for: location, environment)
        return output?.words == lent["audio-device"] && Setting.allCases.allSatisfy { loans[$0]?.words == Self.words($0, lent) }
    }

    /// The settings that can be lent, as options have them.
    static func reset(_ loading: inout LoadOptions, to options: PlayerOptions) {
        loading.settings = PlaybackSettings(options)
        loading.audioOutput = options.noAudio ? .none : .alsa(device: options.audioDevice)
    }
}
