import AetherCore
import AetherTestSupport
import Observation
import Synchronization
import Testing

@testable import AetherEngine

/// The changes that observers of the engine hear of, and when.
@Suite struct ObservationTests {
    /// Spans that end when the test says so.
    private final class Gate: Sendable {
        private let waiting = Mutex<[@Sendable () -> Void]>([])

        @Sendable func later(_ span: TimeSpan, _ body: @escaping @Sendable () -> Void) { waiting.withLock { $0.append(body) } }

        /// Ends one span.
        func open() { waiting.withLock { $0.isEmpty ? {} : $0.removeFirst() }() }

        var count: Int { waiting.withLock { $0.count } }
    }

    @Test func aBeatIsOneForAllWhoAskMeanwhile() {
        let gate = Gate(), calls = Counter()
        let beat = ObservationBeat(every: .seconds(1), later: gate.later)
        for _ in 0..<5 { beat.next { calls.add() } }
        #expect(gate.count == 1 && calls.current == 0)
        gate.open()
        #expect(calls.current == 1 && gate.count == 0)
        beat.next { calls.add() }
        gate.open()
        #expect(calls.current == 2)
    }

    @Test func observersOfTheClockAreToldOfItAlone() {
        let gate = Gate(), told = Counter()
        let clock = PlaybackClock(SnapshotSource(), beat: ObservationBeat(every: .seconds(1), later: gate.later))
        let progress = withObservationTracking {
            clock.progress
        } onChange: {
            told.add()
        }
        #expect(progress == 0 && told.current == 0)
        clock.renew()
        #expect(told.current == 1)
        // Nothing plays: nobody wakes for it.
        #expect(gate.count == 0)
    }

    @Test func diagnosticsAreRenewedWhileSomebodyLooks() {
        let gate = Gate(), told = Counter()
        let diagnostics = EngineDiagnostics(SnapshotSource(), beat: ObservationBeat(every: .seconds(1), later: gate.later))
        let telemetry = withObservationTracking {
            diagnostics.liveTelemetry
        } onChange: {
            told.add()
        }
        #expect(telemetry == nil)
        gate.open()
        #expect(told.current == 1 && gate.count == 0)
    }

    @Test func observersOfTheStateHearOfPhasesAlone() async throws {
        let changes = Monitor(0), told = Counter()
        let engine = AetherEngine(sink: NullVideoSink(box: nil), changed: { changes.update { $0 += 1 } })
        let phase = withObservationTracking {
            engine.state
        } onChange: {
            told.add()
        }
        #expect(phase == .idle)
        // The list of devices is no phase.
        engine.findAudioDevices()
        _ = await WorkerThread.value(name: "test-wait") { changes.wait { $0 > 0 ? true : nil } ?? false }
        #expect(told.current == 0)
        await #expect(throws: MediaError.self) { try await engine.load(.location(.file("/nowhere/at all.mkv"))) }
        #expect(told.current == 1)
        await engine.stop()
    }
}
