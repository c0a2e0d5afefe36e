import AetherCore
import AetherMedia
import Synchronization

/// The cover of a source without video.
extension PlaybackSession {
    /// Shows the cover that a source carries, on a thread that sleeps otherwise. Where it carries none, the one that its host knows of is
    /// fetched, else the one that lies beside it, and told of when it is there. Nothing where only audio is wanted.
    func showCover(of info: SourceInfo) {
        guard !options.isAudioPreferred else { return }
        if let artwork = info.metadata.artworkData, let stream = info.streams.first(where: { $0.kind == .attachedPicture }) {
            startCover(CoverStage(pipeline: pipeline, sink: sink, time: time, artwork: artwork, parameters: stream.parameters))
        } else if let address = options.supplement.cover {
            let image = WebImage(address: address, http: options.http)
            fetchCover { interrupt throws(MediaError) in try image.bytes(interrupt) }
        } else if let location, let cover = FolderCover(beside: location, in: options.folder, http: options.http) {
            fetchCover { interrupt throws(MediaError) in
                do throws(IOReaderError) {
                    return try cover.bytes(interrupt)
                } catch {
                    throw MediaError(location, error)
                }
            }
        }
    }

    /// Shows a cover that was fetched.
    func show(cover artwork: [UInt8]) {
        startCover(CoverStage(pipeline: pipeline, sink: sink, time: time, artwork: artwork))
    }

    private func startCover(_ stage: CoverStage) {
        let thread = Self.worker("cover", .bulk, of: liveThreads) { stage.run() }
        threads.withLock { $0.append(thread) }
    }

    /// `read` blocks until the interrupt is raised; nil: there is none.
    private func fetchCover(_ read: @escaping @Sendable (Interrupt) throws(MediaError) -> [UInt8]?) {
        let report = report, interrupt = asideInterrupt
        let thread = Self.worker("cover-fetch", .bulk, of: liveThreads) {
            do throws(MediaError) {
                guard let bytes = try read(interrupt) else { return }
                // Of a server's word that it is an image only a decoder's counts.
                _ = try StillImage.raster(bytes, fitting: PixelSize(width: 16, height: 16))
                report(.coverFetched(bytes))
            } catch {
                // A song is heard without its cover.
                if error.code != .interrupted { Log.module("cover").warning("\(error)") }
            }
        }
        threads.withLock { $0.append(thread) }
    }
}
