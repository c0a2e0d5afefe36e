import AetherCore
import AetherMedia

/// The meeting place of a session's stages: `PipelineState` under a monitor, and the two things that break a blocking call
/// from outside (libavformat's interrupt, the audio thread's poll).
final class Pipeline: Sendable {
    let state = Monitor(PipelineState())
    /// Breaks a blocking read.
    let interrupt = Interrupt()
    /// Wakes the audio thread from waiting for its device.
    let audioWake = WakeHandle()

    /// Changes intent and wakes every thread that may care.
    func change(_ body: (inout PipelineState) -> Void) {
        state.update {
            body(&$0)
            $0.revision &+= 1
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
