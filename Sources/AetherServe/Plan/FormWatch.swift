import AetherCore
import AetherMedia

/// Numbers the forms that the tracks of a programme have together, segment by segment, as the source is read on. Pure.
///
/// Tracks of one programme change close to each other, but not at once: in a segment each has the form of most of its packets, and only a change
/// well behind the border asks for another one.
struct FormWatch {
    private var present: [Int: TrackForm]
    private var counts: [Int: [TrackForm: Int]] = [:]
    private var known: [[Int: TrackForm]: Int]
    private var border: MediaTime?
    /// A track has changed since the border: the next key frame has to be one.
    private(set) var isDue = false

    /// So far apart tracks change together.
    private static let slack = TimeSpan.milliseconds(500)
    /// Of a broadcast with advertisements each may have one of its own.
    private static let limit = 4096

    /// The forms that the tracks begin with have number 0.
    init(_ forms: [Int: TrackForm]) { (present, known) = (forms, [forms: 0]) }

    /// Whether a packet is in another form than the one before it.
    func isChange(_ form: TrackForm, of track: Int) -> Bool { present[track].map { $0 != form } ?? false }

    /// Takes a packet.
    mutating func note(_ form: TrackForm, of track: Int, at time: MediaTime) {
        if isChange(form, of: track), let border, time - border > Self.slack { isDue = true }
        present[track] = form
        counts[track, default: [:]][form, default: 0] += 1
    }

    /// A border: the number of the form of the segment that ends there.
    mutating func close(at time: MediaTime) -> Int {
        let forms = present.map { track, form in
            (track, counts[track]?.max { ($0.value, $1.key == form ? 1 : 0) < ($1.value, $0.key == form ? 1 : 0) }?.key ?? form)
        }
        (counts, border, isDue) = ([:], time, false)
        let all = Dictionary(uniqueKeysWithValues: forms)
        if let number = known[all] { return number }
        let number = known.count
        if number < Self.limit { known[all] = number }
        return number
    }

    /// The first border.
    mutating func open(at time: MediaTime) { (counts, border, isDue) = ([:], time, false) }
}
