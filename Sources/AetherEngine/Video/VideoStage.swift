import AetherCore
import AetherMedia

/// Thread `video`: decodes, leaves out what lies before the landing or cannot be seen in time, scales to what the surface wants, and
/// fills the frame queue.
struct VideoStage<Decoder: VideoDecoding & ~Copyable> {
    let context: VideoContext
    let open: @Sendable (StreamInfo, DecodeEffort) throws(MediaError) -> Decoder

    func run() {
        var work = VideoWork<Decoder>(stage: self)
        while work.step() {}
    }
}
