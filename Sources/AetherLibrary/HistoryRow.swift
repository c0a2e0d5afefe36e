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
            choices.audioTrack?.description, choices.subtitles.map(HistoryRow.text), choices.audioDelay?.seconds,
            choices.subtitleDelay?.seconds, choices.rate, choices.shape.map(HistoryRow.aspect),
            choices.equalizer?.description,
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
        "audioDelay", "subtitleDelay", "rate", "aspect", "equalizer",
    ]

    private static func choices(_ row: Row) -> HistoryChoices {
        var choices = HistoryChoices()
        let audio: String? = value(row, "audioTrack"), subtitles: String? = value(row, "subtitles")
        let audioDelay: Double? = value(row, "audioDelay"), subtitleDelay: Double? = value(row, "subtitleDelay")
        let rate: Double? = value(row, "rate"), aspect: Double? = value(row, "aspect")
        let equalizer: String? = value(row, "equalizer")
        choices.audioTrack = audio.flatMap { TrackID($0) }
        if subtitles == "off" {
            choices.subtitles = .off
        } else {
            choices.subtitles = subtitles.flatMap { TrackID($0) }.map { .track($0) }
        }
        choices.audioDelay = audioDelay.flatMap { abs($0) <= 10 ? .seconds($0) : nil }
        choices.subtitleDelay = subtitleDelay.flatMap { abs($0) <= 3600 ? .seconds($0) : nil }
        choices.rate = rate.flatMap { (0.25...4).contains($0) ? $0 : nil }
        choices.shape = aspect.flatMap { $0 == 0 ? .source : (0.1...10).contains($0) ? .ratio($0) : nil }
        choices.equalizer = equalizer.flatMap { EqualizerCurve($0) }
        return choices
    }

    /// 0 for the file's own shape.
    static func aspect(_ shape: HistoryChoices.Shape) -> Double {
        switch shape {
        case .source: 0
        case .ratio(let ratio): ratio
        }
    }

    static func text(_ subtitles: HistoryChoices.Subtitles) -> String {
        switch subtitles {
        case .off: "off"
        case .track(let track): track.description
        }
    }
}
