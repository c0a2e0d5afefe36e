import AetherCore
import AetherFormats
import Synchronization

/// The events that segments were found to hold (`emsg`), each once. Any thread.
final class FoundEvents: Sendable {
    private struct Key: Hashable {
        let scheme, value, id: String
        let start: MediaTime
    }
    private let state = Mutex<(seen: Set<Key>, events: [MediaEvent])>(([], []))
    /// Events at most: those of a day of broadcast.
    private static let limit = 10_000

    /// Takes the events at the beginning of a segment.
    func take(_ bytes: ArraySlice<UInt8>, of segment: Segment) {
        let found = MediaEvent.events(in: bytes, of: segment)
        guard !found.isEmpty else { return }
        state.withLock { state in
            for event in found where state.events.count < Self.limit {
                // The same one comes with each segment until it has happened.
                let key = Key(
                    scheme: event.scheme, value: event.value, id: event.id ?? "",
                    start: event.id == nil ? event.start.time : .zero)
                if state.seen.insert(key).inserted { state.events.append(event) }
            }
        }
    }

    /// From a number on, in the order in which they were found.
    func events(from number: Int) -> [MediaEvent] { state.withLock { Array($0.events.dropFirst(number)) } }

    /// How many there are.
    var count: Int { state.withLock { $0.events.count } }
}

/// The marks of a source in segments: what its manifest and its segments say, and what could not be had.
struct StreamMarks {
    private(set) var all: [SourceMark] = []
    private var passed: [SourceMark] = [], found: [SourceMark] = [], stated: [SourceMark] = [], listed: [SourceMark] = []
    private var count = 0
    private static let limit = 1000

    /// The events of a manifest of DASH.
    mutating func take(_ events: [MediaEvent]) {
        stated = events.compactMap(\.mark)
        join()
    }

    /// Takes the marks of the segment list that is played.
    mutating func take(_ list: HLSSegmentList) {
        listed = list.marks
        join()
    }

    /// A stretch could not be had.
    mutating func pass(_ range: Range<Ticks>) {
        passed.append(SourceMark(.gap, start: range.lowerBound.time, duration: (range.upperBound - range.lowerBound).span))
        join()
    }

    /// Takes the events that were found since the last call.
    mutating func take(_ events: FoundEvents) {
        guard events.count != count else { return }
        let new = events.events(from: count)
        count += new.count
        found += new.compactMap(\.mark)
        join()
    }

    private mutating func join() {
        var seen: Set<SourceMark> = []
        all = (stated + listed + found + passed).filter { seen.insert($0).inserted }.sorted { $0.start < $1.start }
        if all.count > Self.limit { all.removeFirst(all.count - Self.limit) }
    }
}

extension StreamCatalog {
    /// A stretch could not be had from anywhere.
    func pass(_ range: Range<Ticks>) { marks.pass(range) }

    /// The marks by now.
    func marksByNow() -> [SourceMark] {
        marks.take(fetch.events)
        return marks.all
    }
}
