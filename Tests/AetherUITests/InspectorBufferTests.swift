import AetherCore
import AetherEngine
import AetherFormats
import AetherTerminal
import AetherTestSupport
import Testing

@testable import AetherSources
@testable import AetherUI

@Suite struct InspectorBufferTests {
    // MARK: - Stalls and drops

    private func snapshot(_ phase: PlaybackPhase, _ seconds: Double, _ change: (inout LiveTelemetry) -> Void = { _ in })
        -> EngineSnapshot
    {
        var snapshot = film(phase: phase)
        snapshot.position = .seconds(seconds)
        var live = LiveTelemetry()
        change(&live)
        snapshot.telemetry = live
        return snapshot
    }

    private func reason(_ phase: PlaybackPhase, _ change: (inout LiveTelemetry) -> Void) -> String? {
        var log = StallLog()
        log.note(snapshot(phase, 20, change), at: at(0))
        return log.entries.last?.reason
    }

    @Test func aStallIsKeptWithItsLengthAndItsReason() {
        var log = StallLog()
        log.note(snapshot(.playing, 20), at: at(0))
        #expect(log.entries.isEmpty)
        log.note(snapshot(.rebuffering, 21), at: at(1))
        log.note(snapshot(.rebuffering, 21), at: at(2))
        #expect(log.entries.map(\.kind) == [.stall(nil)])
        log.note(snapshot(.stalled(reconnecting: ReconnectAttempt(number: 2, limit: 5)), 21), at: at(2.5))
        log.note(snapshot(.playing, 21), at: at(3.5))
        #expect(log.entries.count == 1 && log.entries[0].kind == .stall(.seconds(2.5)) && log.entries[0].position == .seconds(21))
        #expect(log.entries[0].reason == "the connection was lost, attempt 2 of 5")
    }

    @Test func theReasonIsWhatTheFiguresSay() {
        #expect(reason(.rebuffering) { $0.forwardBufferSeconds = 2 } == "decoding was too slow: packets wait")
        #expect(reason(.rebuffering) { $0.forwardBufferSeconds = 0 } == "the source gave too little")
        let slow = reason(.rebuffering) { ($0.networkThroughputMbps, $0.averageBitrateMbps) = (0.4, 2.1) }
        #expect(slow == "the server gave 0.4 of 2.1 Mbit/s")
        #expect(
            reason(.rebuffering) { ($0.networkThroughputMbps, $0.averageBitrateMbps) = (9, 2.1) } == "the server gave too little")
        #expect(reason(.seeking) { $0.forwardBufferSeconds = 0 } == nil && reason(.paused) { _ in } == nil)
    }

    @Test func dropsAreCountedByTheirCauseAndOnceForEachMeasurement() {
        var log = StallLog()
        let first = snapshot(.playing, 20) { ($0.sequence, $0.droppedLateDecode, $0.alsaXruns) = (1, 3, 0) }
        log.note(first, at: at(0))
        log.note(first, at: at(0.5))
        log.note(snapshot(.playing, 21) { ($0.sequence, $0.droppedLateDecode, $0.alsaXruns) = (2, 5, 1) }, at: at(1))
        #expect(log.entries.map(\.kind) == [.drop(3), .drop(2), .silence(1)])
        // Another source counts anew, and has had none yet.
        log.note(snapshot(.playing, 1) { ($0.sequence, $0.droppedLateDecode) = (0, 0) }, at: at(2))
        #expect(log.entries.isEmpty)
    }

    @Test func theLogIsBounded() {
        var log = StallLog()
        for number in 0..<500 {
            log.note(snapshot(.rebuffering, Double(number)), at: at(Double(number)))
            log.note(snapshot(.playing, Double(number)), at: at(Double(number) + 0.5))
        }
        #expect(log.entries.count == 64 && log.entries.last?.kind == .stall(.seconds(0.5)))
    }

    // MARK: - Requests

    private func request(_ begin: Double, first: Double?, end: Double?, _ change: (inout NetworkRequest) -> Void = { _ in })
        -> NetworkRequest
    {
        var request = NetworkRequest(number: 1, name: "seg1.ts", offset: 0, begin: at(begin))
        (request.firstByte, request.end) = (first.map { at($0) }, end.map { at($0) })
        change(&request)
        return request
    }

    @Test func aRequestIsABarOfWaitingAndReceiving() throws {
        // Thirty columns of a second, the last one now.
        let list = [
            request(0, first: 2, end: 5) { ($0.bytes, $0.status) = (1_500_000, 206) },
            request(20, first: nil, end: nil), request(10, first: 11, end: 12) { $0.trouble = "the connection broke off" },
        ]
        let rows = Waterfall(list, now: at(30)).rows(9, width: 30, isUnicode: false)
        #expect(rows[2].bar == "..####" + String(repeating: " ", count: 24))
        #expect(rows[2].figures == "2000 ms  1.50 MB" && rows[2].name == "seg1.ts" && !rows[2].isTrouble)
        #expect(rows[1].bar == String(repeating: " ", count: 20) + String(repeating: ".", count: 10))
        #expect(rows[1].figures == "asked  0 B  comes")
        #expect(rows[0].isTrouble && rows[0].figures == "the connection broke off")
        #expect(Waterfall(list, now: at(30)).rows(1, width: 30, isUnicode: true).count == 1)
        // Older than the bar is wide: at its left end.
        #expect(Waterfall(list, now: at(500)).rows(9, width: 4, isUnicode: false).allSatisfy { $0.bar.count == 4 })
    }

    @Test func requestsAreAskedForOnlyWhileTheBuffersAreShown() throws {
        var model = ScreenPane.inspector.model(ScreenShape(name: "", columns: 100, rows: 40))
        #expect(!model.showsRequests)
        #expect(model.update(.requests([request(0, first: 1, end: 2)]), now: at(3)).contains(.redraw))
        _ = model.update(.key(KeyStroke("6")), now: at(3))
        #expect(model.showsRequests)
        _ = model.update(.requests([request(0, first: 1, end: 2)]), now: at(3))
        #expect(try rendered(model).joined().contains("Requests of the last 30 s"))
        _ = model.update(.key(KeyStroke(.tab)), now: at(4))
        #expect(!model.showsRequests && model.update(.requests([]), now: at(5)).isEmpty)
    }

    @Test func ofAFileThereIsNothingToDrawOfRequests() {
        var model = ScreenPane.inspectorBuffers.model(ScreenShape(name: "", columns: 100, rows: 40))
        #expect(model.update(.requests([]), now: at(3)) == [])
    }

    // MARK: - Samples

    private var rows: [SampleRow] {
        let sizes = [500, 20, 300, 20, 900]
        return sizes.enumerated().map { place, size in
            var row = SampleRow(
                stream: 0, number: place + 1, pts: Int64([0, 3, 1, 2, 4][place]), dts: Int64(place), duration: Int64(place % 3),
                position: Int64(place * 1000), size: size, isKey: place == 0 || place == 4)
            (row.gop, row.isEncrypted) = (place / 4 + 1, place == 2)
            return row
        }
    }

    @Test(arguments: zip(SampleOrder.allCases, [[0, 1, 2, 3, 4], [0, 2, 3, 1, 4], [4, 0, 2, 1, 3], [2, 1, 4, 0, 3]]))
    func samplesAreSorted(_ order: SampleOrder, _ expected: [Int]) {
        #expect(order.sorted(Array(0..<5), of: rows) == expected)
    }

    @Test(arguments: [
        ("", [0, 1, 2, 3, 4]), ("key", [0, 4]), (">100", [0, 2, 4]), (">100 <600", [0, 2]), ("enc", [2]), ("gop 2", [4]),
        ("KEY gop 1", [0]), ("nonsense", [0, 1, 2, 3, 4]), (">99999999999999999999", [0, 1, 2, 3, 4]), ("gop", [0, 1, 2, 3, 4]),
    ])
    func samplesAreFiltered(_ words: String, _ expected: [Int]) {
        let filter = SampleFilter(words)
        #expect(rows.indices.filter { filter.fits(rows[$0]) } == expected)
    }

    @Test func keysSortFilterAndGoBackToTheScreen() throws {
        let model = pressing([KeyStroke("2")], ScreenPane.inspector.model(ScreenShape(name: "", columns: 100, rows: 24))).0
        let shown = try #require(model.layers[Inspector.self]?.sample?.number)
        let away = pressing([KeyStroke(.home)], model).0
        #expect(away.layers[Inspector.self]?.sample?.number == 1 && shown != 1)
        #expect(pressing([KeyStroke("f")], away).0.layers[Inspector.self]?.sample?.number == shown)
        let sorted = pressing([KeyStroke("o"), KeyStroke("o")], model).0.layers[Inspector.self]
        #expect(sorted?.order == .size && sorted?.listed.count == 40)
        let typed = [KeyStroke("/")] + "key".map { KeyStroke($0) } + [KeyStroke(.enter)]
        let filtered = pressing(typed, model).0
        #expect(filtered.layers[Inspector.self]?.listed.count == 4)
        #expect(try rendered(filtered).joined().contains("filtered"))
        // Nothing typed: all of them again.
        #expect(pressing([KeyStroke("/"), KeyStroke(.enter)], filtered).0.layers[Inspector.self]?.listed.count == 40)
    }
}
