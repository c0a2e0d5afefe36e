import AetherCore
import AetherMedia
import AetherTestSupport
import Testing

@testable import AetherEngine

/// Whatever was sought, once everything has been read the list is that of a film read from start to end.
@Suite struct CueStoreSeekTests {
    private let track = TrackID(.container, 2)

    private func picture(_ seed: UInt8) -> SubtitleCue.Body {
        .image(
            SubtitleImage(
                width: 2, height: 1, indices: [seed, 1], palette: [0, 0xFFFF_FFFF], x: Int(seed), y: 0,
                canvasSize: PixelSize(width: 100, height: 50), isForced: seed % 2 == 0))
    }

    /// A film's packets: texts with and without ends, several at one start, pictures, and what clears them.
    private func film(_ random: inout SeededRandom, pictures: Bool) -> [[DecodedSubtitle]] {
        var packets: [[DecodedSubtitle]] = [], time = MediaTime.zero
        for number in 0..<120 {
            time = time + .milliseconds(Double(Int.random(in: 100...6000, using: &random)))
            let count = Int.random(in: 1...3, using: &random)
            packets.append(
                (0..<count).map { part in
                    if pictures {
                        let isClear = number % 2 == 1
                        return DecodedSubtitle(
                            start: time, end: nil, body: isClear ? nil : picture(UInt8(number % 200 + part)),
                            isReplacedByNext: true)
                    }
                    let length = Int.random(in: 0...3, using: &random)
                    return DecodedSubtitle(
                        start: time, end: length == 0 ? nil : time + .seconds(Double(length)), lines: ["\(number % 40) \(part)"])
                })
        }
        return packets
    }

    private struct Line: Equatable {
        let start, end: MediaTime
        let body: SubtitleCue.Body
    }
    private func lines(_ store: CueStore) -> [Line] {
        store.cues(track: track).map { Line(start: $0.start, end: $0.end, body: $0.body) }
    }
    private func read(_ packets: some Sequence<[DecodedSubtitle]>, into store: CueStore) {
        for packet in packets { for subtitle in packet { store.add(subtitle, track: track) } }
    }

    @Test(arguments: 0..<40) func afterAnySeeksTheListIsThatOfAStraightPlay(_ seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed) + 1)
        let packets = film(&random, pictures: seed % 2 == 0)
        let straight = CueStore()
        read(packets, into: straight)
        let sought = CueStore()
        for _ in 0..<60 {
            let from = Int.random(in: 0..<packets.count, using: &random)
            let run = packets[from..<min(packets.count, from + Int.random(in: 1...12, using: &random))]
            read(run, into: sought)
            sought.interrupt(at: run.last?.first.map { $0.start + .milliseconds(300) })
        }
        read(packets, into: sought)
        #expect(lines(sought) == lines(straight))
        #expect(Set(sought.cues(track: track).map(\.id)).count == sought.cues(track: track).count)
    }

    @Test func aImageThatASeekCutsOffIsTakenAwayThere() {
        let store = CueStore()
        store.add(DecodedSubtitle(start: .seconds(10), end: nil, body: picture(3), isReplacedByNext: true), track: track)
        #expect(store.visible(track: track, at: .seconds(40)).count == 1)
        store.interrupt(at: .seconds(12))
        #expect(store.visible(track: track, at: .seconds(12)).isEmpty)
        store.add(DecodedSubtitle(start: .seconds(100), end: nil, body: picture(4), isReplacedByNext: true), track: track)
        #expect(store.visible(track: track, at: .seconds(50)).isEmpty)
        // Read again, it stands until it is cleared.
        store.interrupt(at: .seconds(101))
        store.add(DecodedSubtitle(start: .seconds(10), end: nil, body: picture(3), isReplacedByNext: true), track: track)
        store.add(DecodedSubtitle(start: .seconds(14), end: nil, body: nil, isReplacedByNext: true), track: track)
        #expect(store.visible(track: track, at: .seconds(13.9)).count == 1)
        #expect(store.visible(track: track, at: .seconds(14)).isEmpty)
    }

    /// Between the packet that brings a picture and the one that takes it away a seek must not make it shorter: nor when it is read again,
    /// and its end is known or not yet.
    @Test func aImageThatIsReadAgainStandsUntilItsEnd() {
        let store = CueStore()
        func read(_ seconds: Double, _ body: SubtitleCue.Body?) {
            store.add(DecodedSubtitle(start: .seconds(seconds), end: nil, body: body, isReplacedByNext: true), track: track)
        }
        func isSeen(_ seconds: Double) -> Bool { !store.visible(track: track, at: .seconds(seconds)).isEmpty }
        read(10, picture(3))
        store.interrupt(at: .seconds(12))
        #expect(isSeen(11) && !isSeen(13))
        read(10, picture(3))
        #expect(isSeen(13), "it waits for its end again")
        read(14, nil)
        store.interrupt(at: .seconds(15))
        read(10, picture(3))
        store.interrupt(at: .seconds(11))
        #expect(isSeen(13.9) && !isSeen(14), "its end is known")
    }

    @Test func fortyTracksStayWithinTheirMemory() {
        let store = CueStore()
        let indices = (0..<1920 * 200).map { UInt8($0 & 1) }
        for number in 0..<400 {
            let image = SubtitleImage(
                width: 1920, height: 200, indices: indices, palette: [0, UInt32(number)], x: 0, y: 0,
                canvasSize: PixelSize(width: 1920, height: 1080), isForced: false)
            let subtitle = DecodedSubtitle(
                start: .seconds(Double(number)), end: nil, body: .image(image), isReplacedByNext: true)
            store.add(subtitle, track: TrackID(.container, number % 40))
        }
        #expect(store.byteCount <= CueStore.byteLimit)
        #expect(store.byteCount > CueStore.byteLimit / 2)
        #expect(store.visible(track: TrackID(.container, 399 % 40), at: .seconds(399)).count == 1)
    }
}
