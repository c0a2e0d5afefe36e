import AetherCore
import GRDB

/// A record as the database has it. What a stranger may have written into it is checked on the way out.
struct HistoryRow {
    let record: HistoryRecord

    init(_ record: HistoryRecord) { self.record = record }

    /// nil where the row is not what this program writes.
    init?(_ row: Row) {
        guard let place: String = HistoryRow.value(row, "location"), let playedAt: Int64 = HistoryRow.value(row, "playedAt")
        else {
            return nil
        }
        let size: Int64? = HistoryRow.value(row, "size"), fingerprint: Int64? = HistoryRow.value(row, "fingerprint")
        let title: String = HistoryRow.value(row, "title") ?? "", position: Double = HistoryRow.value(row, "position") ?? 0
        let duration: Double? = HistoryRow.value(row, "duration"), isFinished: Bool = HistoryRow.value(row, "isFinished") ?? false
        var progress = HistoryProgress(
            title: DisplayText.singleLine(title, limit: 200), position: .seconds(max(0, position)),
            duration: duration.map { .seconds(max(0, $0)) }, isFinished: isFinished)
        progress.choices = HistoryRow.choices(row)
        let location = fingerprint.map { HistoryRow.location(of: place, digest: UInt64(bitPattern: $0)) } ?? place
        record = HistoryRecord(
            identity: FileIdentity(location: location, size: size, fingerprint: fingerprint.map { UInt64(bitPattern: $0) }),
            progress: progress, playedAt: playedAt)
    }

    /// nil where there is none, or one of another type: GRDB's own reading would end the program.
    private static func value<Value: DatabaseValueConvertible>(_ row: Row, _ column: String) -> Value? {
        let value: DatabaseValue? = row[column]
        return value.flatMap { Value.fromDatabaseValue($0) }
    }

    /// In the order of `columns`.
    var values: StatementArguments {
        let (identity, progress) = (record.identity, record.progress), choices = progress.choices
        return [
            HistoryRow.place(of: identity), identity.size, identity.fingerprint.map { Int64(bitPattern: $0) }, progress.title,
            progress.position.seconds, progress.duration?.seconds, progress.isFinished, record.playedAt,
            choices.audioTrack?.description, choices.subtitles.map(HistoryRow.text), HistoryRow.text(choices.settings),
        ]
    }

    /// The location as the database has it, where no two are alike: two URLs that differ in their tokens alone are told apart by their
    /// digests.
    static func place(of identity: FileIdentity) -> String {
        guard let digest = identity.fingerprint, identity.location.contains(Redaction.mark), !identity.location.hasPrefix("/")
        else {
            return identity.location
        }
        return identity.location + suffix(digest)
    }

    private static func location(of place: String, digest: UInt64) -> String {
        let suffix = suffix(digest)
        return place.hasSuffix(suffix) ? String(place.dropLast(suffix.count)) : place
    }

    private static func suffix(_ digest: UInt64) -> String { " [\(String(digest, radix: 16))]" }

    static let columns = [
        "location", "size", "fingerprint", "title", "position", "duration", "isFinished", "playedAt", "audioTrack", "subtitles",
        "settings",
    ]

    private static func choices(_ row: Row) -> HistoryChoices {
        var choices = HistoryChoices()
        let audio: String? = value(row, "audioTrack"), subtitles: String? = value(row, "subtitles")
        let settings: String? = value(row, "settings")
        choices.audioTrack = audio.flatMap { TrackID($0) }
        if subtitles == "off" {
            choices.subtitles = .off
        } else {
            choices.subtitles = subtitles.flatMap { TrackID($0) }.map { .track($0) }
        }
        choices.settings = settings.map(HistoryRow.settings) ?? [:]
        return choices
    }

    /// "speed=1.25 equalizer=night", in the order of all settings; nil for none.
    static func text(_ settings: [Setting: SettingChange]) -> String? {
        let words = Setting.allCases.compactMap { setting in settings[setting].map { "\(setting.rawValue)=\($0.text)" } }
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    /// Reads that; a word that is no setting, of a later version or a stranger's, is left out.
    static func settings(_ text: String) -> [Setting: SettingChange] {
        var settings: [Setting: SettingChange] = [:]
        for word in text.prefix(1000).split(separator: " ") {
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, let setting = Setting(rawValue: parts[0]), setting.isKeptForEachFile else { continue }
            if let change = SettingChange(setting, text: parts[1]) { settings[setting] = change }
        }
        return settings
    }

    static func text(_ subtitles: HistoryChoices.Subtitles) -> String {
        switch subtitles {
        case .off: "off"
        case .track(let track): track.description
        }
    }
}
