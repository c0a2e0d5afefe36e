import AetherCore
import AetherFormats

/// A file to be fetched.
struct DownloadJob: Sendable {
    /// As the journal will have it, without what only its bytes say.
    var entry: PackageEntry
    /// The segment, or the one that the init section stands before.
    var segment: Segment
    /// The init section that is fetched; nil: the segment.
    var map: InitSection?
    let part: DownloadPlan.Part
    var attempts = 0
    var search: StreamCatalog.Search?
    /// Not before.
    var notBefore: HostTime?

    /// The bytes that are asked for.
    var piece: SegmentPiece { map.map { SegmentPiece($0, before: segment) } ?? SegmentPiece(segment) }
    /// The encryption of the bytes.
    var encryption: SegmentEncryption? { map == nil ? segment.encryption : map?.encryption }
}

/// The files of one rendition: what its list names, less what its folder has. Pure.
struct RenditionWork: Sendable {
    let part: DownloadPlan.Part
    /// The number of its folder.
    let folder: Int
    /// A list whose segments are other ones than those that are there.
    private(set) var mustBeginAnew = false
    /// Numbers of the list that were given out.
    private var taken: Set<Int64> = []
    private var maps: [InitSection: Int64] = [:]
    /// Init sections that are being fetched.
    private var asked: Set<Int64> = []
    /// Segments that are there without their init section.
    private var lacking: [Segment] = []
    private var nextMap: Int64 = 1, nextNumber: Int64 = 0
    /// Numbers of files.
    private var used: Set<Int64> = []
    /// Of a recording that goes on: what its times and stretches are moved by.
    private var shift: Int64 = 0, continuityShift: Int64 = 0
    /// Before the first list of a recording.
    private var former: [PackageEntry]
    private let isLive: Bool

    /// The times of two lists of the same segments agree so far, in nanoseconds: lists round differently.
    static let tolerance: Int64 = 20_000_000

    init(_ part: DownloadPlan.Part, folder: Int, journal: PackageJournal, isLive: Bool) {
        (self.part, self.folder, self.isLive) = (part, folder, isLive)
        former = journal.list(folder)
        used = Set(former.map(\.number))
        nextNumber = min(former.map(\.number).max() ?? -1, 1 << 40) + 1
        nextMap = min(journal.maps[folder]?.keys.max() ?? 0, 1 << 40) + 1
    }

    /// The files that a list names and that were not asked for yet, in order. The first list is compared with what the folder has; where that is
    /// of another list, `mustBeginAnew` is set, and all are named. `journal`: what the folder has.
    mutating func jobs(_ index: any SegmentIndex, _ journal: PackageJournal) -> [DownloadJob] {
        var jobs: [DownloadJob] = []
        if !former.isEmpty {
            if isLive { join(index) } else { match(index, journal) }
            former = []
        }
        for number in index.numbers where !taken.contains(number) {
            guard taken.count < SegmentList.limit, let segment = index.segment(number), !segment.isOpen else { continue }
            taken.insert(number)
            var entry = PackageEntry(.segment, rendition: folder, number: free(number &- index.numbers.lowerBound))
            entry.start = segment.start.span.nanoseconds.addingReportingOverflow(shift).partialValue
            entry.duration = segment.duration.span.nanoseconds
            entry.continuity = segment.continuity.addingReportingOverflow(continuityShift).partialValue
            entry.clock = segment.wallClock.map { $0 / 1_000_000 }
            if let map = segment.map {
                if let known = maps[map] {
                    entry.map = known
                } else {
                    entry.map = nextMap
                    maps[map] = nextMap
                    nextMap += 1
                }
                if let number = entry.map, journal.maps[folder]?[number] == nil, !jobs.contains(where: { $0.map == map }),
                    !asked.contains(number)
                {
                    asked.insert(number)
                    var job = DownloadJob(
                        entry: PackageEntry(.map, rendition: folder, number: number), segment: segment, map: map, part: part)
                    job.entry.start = entry.start
                    jobs.append(job)
                }
            }
            if segment.isGap { entry.kind = .gap }
            jobs.append(DownloadJob(entry: entry, segment: segment, part: part))
        }
        return jobs
    }

    /// A number that no file has: its place in the list as a rule, so that a file that comes again has its former name.
    private mutating func free(_ place: Int64) -> Int64 {
        if !isLive, used.insert(place).inserted { return place }
        while !used.insert(nextNumber).inserted { nextNumber += 1 }
        return nextNumber
    }

    /// Finds the segments that are there in a list that may have changed, by their times.
    private mutating func match(_ index: any SegmentIndex, _ journal: PackageJournal) {
        var found: [Int64: PackageEntry] = [:], sections: [InitSection: Int64] = [:]
        for entry in former where entry.kind == .segment {
            let place = Ticks(entry.start &+ Self.tolerance, timescale: Ticks.nanoseconds)
            guard let number = index.number(at: place), let segment = index.segment(number), found[number] == nil,
                Self.agree(segment.start, entry.start), Self.agree(segment.duration, entry.duration),
                (segment.map == nil) == (entry.map == nil), !segment.isGap
            else { return mustBeginAnew = true }
            // One init section stays one.
            if let map = segment.map, let known = entry.map {
                guard sections[map, default: known] == known else { return mustBeginAnew = true }
                sections[map] = known
            }
            found[number] = entry
        }
        taken = Set(found.keys)
        maps = sections
        // An init section that is not there is asked for with the first segment that lacks it; where all are there, here.
        lacking = sections.filter { journal.maps[folder]?[$0.value] == nil }.keys.compactMap { map in
            found.first { index.segment($0.key)?.map == map }.flatMap { index.segment($0.key) }
        }
    }

    /// Init sections of segments that are there, which are not.
    mutating func missingMaps() -> [DownloadJob] {
        defer { lacking = [] }
        return lacking.compactMap { segment in
            guard let map = segment.map, let number = maps[map], asked.insert(number).inserted else { return nil }
            return DownloadJob(
                entry: PackageEntry(.map, rendition: folder, number: number), segment: segment, map: map, part: part)
        }
    }

    /// Goes on with a recording behind what is there: by the clock of the broadcast where it says one, else behind a hole.
    private mutating func join(_ index: any SegmentIndex) {
        guard let last = former.last, let first = index.segment(index.numbers.lowerBound) else { return }
        let clock = last.clock, moment = clock.map { $0 &* 1_000_000 &+ last.duration }
        if let moment, let begin = first.wallClock {
            // Moments that are there are not fetched again.
            for number in index.numbers {
                guard let segment = index.segment(number), let wall = segment.wallClock,
                    wall &+ segment.duration.span.nanoseconds / 2 < moment
                else { break }
                taken.insert(number)
            }
            shift = last.end &+ (begin &- moment) &- first.start.span.nanoseconds
        } else {
            shift = last.end &+ 1_000_000_000 &- first.start.span.nanoseconds
        }
        continuityShift = last.continuity &+ 1 &- first.continuity
    }

    private static func agree(_ time: Ticks, _ stored: Int64) -> Bool {
        (time.span.nanoseconds &- stored).magnitude <= tolerance.magnitude
    }
}
