import AetherCore
import AetherMedia

/// Thread `cover`: shows the cover of an audio file, and again whenever it is asked to, at the size that the surface has then.
/// Sleeps in between; nothing else of the video's machinery runs for a song.
struct CoverStage {
    let pipeline: Pipeline
    let sink: any VideoSink
    let time: any TimeSource
    /// As it lies in the file.
    let artwork: [UInt8]
    /// nil: its first bytes tell the kind of the image.
    var parameters: CodecParameters?

    func run() {
        var drawn = 0
        while let wanted = next(after: drawn) {
            drawn = wanted.number
            let demand = sink.demand
            do throws(MediaError) {
                let box = demand.box ?? PixelSize(width: 512, height: 512), aspect = demand.pixelAspect
                let image =
                    if let parameters {
                        try StillImage.raster(artwork, parameters, fitting: box, rasterAspect: aspect)
                    } else {
                        try StillImage.raster(artwork, fitting: box, rasterAspect: aspect)
                    }
                sink.show(VideoFrame(pts: .zero, duration: .zero, epoch: wanted.epoch, due: time.now(), image: image))
            } catch {
                // A song is heard without its cover.
                Log.module("cover").warning("\(error)")
                return
            }
        }
    }

    /// Waits for the next wish; nil at the end of the session.
    private func next(after drawn: Int) -> (number: Int, epoch: Epoch)? {
        let wish: (number: Int, epoch: Epoch)?? = pipeline.state.wait(for: .intent) { state -> (number: Int, epoch: Epoch)?? in
            if state.intent.isStopped { return .some(nil) }
            return state.intent.coversWanted > drawn ? .some((state.intent.coversWanted, state.intent.epoch)) : nil
        }
        return wish ?? nil
    }
}
