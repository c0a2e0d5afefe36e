import AetherCore

/// A record as the database has it. What a stranger may have written into it is checked on the way out.
struct HistoryRow {
    let record: HistoryRecord

    init(_ record: HistoryRecord) { self.record = record }

    /// The columns of a row in the order of `columns`; nil where it is not what this program writes.
    init?(_ row: [SQLiteValue]) {
        guard row.count == HistoryRow.columns.count, let place = row[0].text, let playedAt = row[7].integer else { return nil }
        let fingerprint = row[2].integer.map { UInt64(bitPattern: $0) }
        var progress = HistoryProgress(
            title: DisplayText.singleLine(row[3].text ?? "", limit: 200), position: .seconds(max(0, row[4].real ?? 0)),
            duration: row[5].real.map { .seconds(max(0, $0)) }, isFinished: row[6].real.map { $0 != 0 } ?? false)
        progress.choices = HistoryRow.choices(audio: row[8].text, subtitles: row[9].text, settings: row[10].text)
        let location = fingerprint.map { HistoryRow.location(of: place, digest: $0) } ?? place
        record = HistoryRecord(
            identity: FileIdentity(location: location, size: row[1].integer, fingerprint: fingerprint), progress: progress,
            playedAt: playedAt)
    }

    /// In the order of `columns`.
    var values: [SQLiteValue] {
        let (identity, progress) = (record.identity, record.progress), choices = progress.choices
        return [
            .text(HistoryRow.place(of: identity)), SQLiteValue(identity.size),
            SQLiteValue(identity.fingerprint.map { Int64(bitPattern: $0) }), .text(progress.title),
            .real(progress.position.seconds),
            SQLiteValue(progress.duration?.seconds), progress.isFinished ? 1 : 0, .integer(record.playedAt),
            SQLiteValue(choices.audioTrack?.description), SQLiteValue(choices.subtitles.map(HistoryRow.text)),
            SQLiteValue(HistoryRow.text(choices.settings, title: choices.title)),
        ]
    }

    /// The location as the database has it, where no two are alike: two URLs that differ in their tokens alone, and two discs in a
    /// drive, are told apart by their digests.
    static func place(of identity: FileIdentity) -> String {
        let location = identity.location
        let isAmbiguous = location.hasPrefix("/") ? location.hasPrefix("/dev/") : location.contains(Redaction.mark)
        guard isAmbiguous, let digest = identity.fingerprint else { return location }
        return location + suffix(digest)
    }

    /// The location without the digest that tells it from others in the database.
    static func location(of place: String, digest: UInt64) -> String {
        let suffix = suffix(digest)
        return place.hasSuffix(suffix) ? String(place.dropLast(suffix.count)) : place
    }

    private static func suffix(_ digest: UInt64) -> String { " [\(String(digest, radix: 16))]" }

    static let columns = [
        "location", "size", "fingerprint", "title", "position", "duration", "isFinished", "playedAt", "audioTrack", "subtitles",
        "settings",
    ]

    private static func choices(audio: String?, subtitles: String?, settings: String?) -> HistoryChoices {
        var choices = HistoryChoices()
        choices.audioTrack = audio.flatMap { TrackID($0) }
        if subtitles == "off" {
            choices.subtitles = .off
        } else {
            choices.subtitles = subtitles.flatMap { TrackID($0) }.map { .track($0) }
        }
        choices.settings = settings.map(HistoryRow.settings) ?? [:]
        choices.title = settings.flatMap(HistoryRow.title)
        return choices
    }

    /// "speed=1.25 equalizer=night title=2", in the order of all settings, the title of a disc behind them; nil for none.
    static func text(_ settings: [Setting: SettingChange], title: Int? = nil) -> String? {
        let words =
            Setting.allCases.compactMap { setting in settings[setting].map { "\(setting.rawValue)=\($0.text)" } }
            + [title.map { "\(titleWord)\($0)" }].compactMap { $0 }
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

    private static let titleWord = "title="

    /// The title among those words. A disc has 99 at most.
    private static func title(_ text: String) -> Int? {
        text.prefix(1000).split(separator: " ").lazy.filter { $0.hasPrefix(titleWord) }.compactMap { word in
            Int(word.dropFirst(titleWord.count)).flatMap { 1...99 ~= $0 ? $0 : nil }
        }.first
    }

    static func text(_ subtitles: HistoryChoices.Subtitles) -> String {
        switch subtitles {
        case .off: "off"
        case .track(let track): track.description
        }
    }
}
