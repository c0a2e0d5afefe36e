import AetherCore
import AetherTestSupport
import Observation
import Synchronization
import Testing

@testable import AetherEngine

/// What observers of the engine hear of, and when.
@Suite struct ObservationTests {
    /// A wait that ends when the test says so.
    private final class Gate: Sendable {
        private let waiting = Monitor<[CheckedContinuation<Void, Never>]>([])

        @Sendable func wait(_ span: TimeSpan) async {
            await withCheckedContinuation { continuation in waiting.update { $0.append(continuation) } }
        }

        /// Ends one wait, once there is one.
        func open() {
            let continuation: CheckedContinuation<Void, Never>? = waiting.wait { $0.isEmpty ? nil : $0.removeFirst() }
            continuation?.resume()
        }

        var count: Int { waiting.read { $0.count } }
    }

    @Test func aBeatIsOneForAllWhoAskMeanwhile() {
        let gate = Gate(), calls = Monitor(0)
        let beat = ObservationBeat(every: .seconds(1), wait: gate.wait)
        for _ in 0..<5 { beat.next { calls.update { $0 += 1 } } }
        gate.open()
        let first: Int? = calls.wait { $0 > 0 ? $0 : nil }
        #expect(first == 1 && gate.count == 0)
        beat.next { calls.update { $0 += 1 } }
        gate.open()
        let second: Int? = calls.wait { $0 > 1 ? $0 : nil }
        #expect(second == 2)
    }

    @Test func observersOfTheClockAreToldOfItAlone() {
        let gate = Gate(), told = Monitor(0)
        let clock = PlaybackClock(beat: ObservationBeat(every: .seconds(1), wait: gate.wait))
        let progress = withObservationTracking {
            clock.progress
        } onChange: {
            told.update { $0 += 1 }
        }
        #expect(progress == 0 && told.read { $0 } == 0)
        clock.renew()
        #expect(told.read { $0 } == 1)
        // Nothing plays: nobody wakes for it.
        #expect(gate.count == 0)
    }

    @Test func diagnosticsAreRenewedWhileSomebodyLooks() {
        let gate = Gate(), told = Monitor(0)
        let diagnostics = EngineDiagnostics(beat: ObservationBeat(every: .seconds(1), wait: gate.wait))
        let telemetry = withObservationTracking {
            diagnostics.liveTelemetry
        } onChange: {
            told.update { $0 += 1 }
        }
        #expect(telemetry == nil)
        gate.open()
        let count: Int? = told.wait { $0 > 0 ? $0 : nil }
        #expect(count == 1)
    }

    @Test func observersOfTheStateHearOfPhasesAlone() async throws {
        let changes = Monitor(0), told = Monitor(0)
        let engine = AetherEngine(sink: NullVideoSink(box: nil), changed: { changes.update { $0 += 1 } })
        let phase = withObservationTracking {
            engine.state
        } onChange: {
            told.update { $0 += 1 }
        }
        #expect(phase == .idle)
        // The list of devices is no phase.
        engine.findAudioDevices()
        let _: Bool? = changes.wait { $0 > 0 ? true : nil }
        #expect(told.read { $0 } == 0)
        engine.begin(.location(.file("/nowhere/at all.mkv")))
        #expect(throws: MediaError.self) { try engine.waitUntilOpened() }
        let _: Bool? = told.wait { $0 > 0 ? true : nil }
        #expect(told.read { $0 } == 1)
        await engine.stop()
    }
}
