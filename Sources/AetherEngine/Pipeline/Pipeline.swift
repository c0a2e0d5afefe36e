import AetherCore
import AetherMedia

/// The meeting place of a session's stages: `PipelineState` under a monitor, and the two things that break a blocking call
/// from outside (libavformat's interrupt, the audio thread's poll).
final class Pipeline: Sendable {
    let state = Monitor(PipelineState()) { $0.takeChanges() }
    /// Breaks a blocking read.
    let interrupt = Interrupt()
    /// Wakes the audio thread from waiting for its device.
    let audioWake = WakeHandle()

    /// Changes what is wanted and wakes every stage.
    func change(_ body: (inout PlaybackIntent) -> Void) {
        state.update {
            body(&$0.intent)
            $0.renewDueTimes()
        }
        audioWake.wake()
    }

    /// Lets another track be heard from a point on; the cache holds it.
    func switchAudio(to stream: StreamID, at point: MediaTime) {
        state.update {
            $0.switchAudio(to: stream, at: point)
            $0.renewDueTimes()
        }
        audioWake.wake()
    }

    /// Starts a new epoch; a stage that holds something older drops it. A read that is under way is broken off, unless the cache holds what is
    /// wanted: then it goes on where it is.
    func begin(_ epoch: Epoch, plan: SeekPlan) {
        state.update {
            // Under the lock: the demux stage clears it there too, so a raise after that always means a newer run.
            if $0.begin(epoch, plan: plan) { interrupt.raise() }
        }
        audioWake.wake()
    }

    /// Ends every stage's loop.
    func stop() {
        state.update {
            $0.stop()
            interrupt.raise()
        }
        audioWake.wake()
    }
}
