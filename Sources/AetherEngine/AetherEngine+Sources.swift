public import AetherMedia

/// The source as a whole: once more, or without being played.
extension AetherEngine {
    /// Reads the source once more from where it is, with the tracks, the settings and the options that it has: after its server, its address's
    /// key or its file has changed. A broadcast is joined anew. Returns at once with the number of the load, as `begin`; nil where nothing is
    /// loaded. A host's own reader that cannot be doubled goes on as it is.
    @discardableResult
    public func reloadAtCurrentPosition() -> Int? {
        guard session != nil else { return nil }
        let now = snapshot()
        let place = ReloadPlace(
            offset: now.liveEdge == nil ? now.position - now.startTime : nil, plays: now.wantsToPlay,
            secondarySubtitle: now.activeSecondarySubtitleTrack)
        return startLoad { .reload($0, place) }
    }

    /// Reports on a source without playing it: container, streams, chapters, tags. Blocks on a thread of its own; ends with the task. Throws
    /// where the source cannot be opened.
    public static func probe(_ source: MediaSource, options: LoadOptions = LoadOptions()) async throws(MediaError)
        -> ProbeReport
    {
        let interrupt = Interrupt()
        let outcome = await withTaskCancellationHandler {
            await WorkerThread.value(name: "open-wait") {
                Result { () throws(MediaError) in
                    let input = try MediaInput(source, http: options.http, interrupt: interrupt)
                    return try SourceProbe.report(
                        input, name: source.displayName, http: options.http, options: options.open, interrupt: interrupt)
                }
            }
        } onCancel: {
            interrupt.raise()
        }
        return try outcome.get()
    }

    /// Decodes the first `maxPackets` packets of a source, 0 for all, and says whether its video can be played. Blocks on a thread of its own; ends with
    /// the task. What cannot be opened is told in the result.
    public static func swDecodeProbe(
        _ source: MediaSource, maxPackets: Int = 100, options: LoadOptions = LoadOptions()
    ) async -> SoftwareDecodeProbeResult {
        let interrupt = Interrupt()
        return await withTaskCancellationHandler {
            await WorkerThread.value(name: "open-wait") {
                do throws(MediaError) {
                    let input = try MediaInput(source, http: options.http, interrupt: interrupt)
                    return SoftwareDecodeProbe.run(input, options: options.open, maxPackets: maxPackets, interrupt: interrupt)
                } catch {
                    var result = SoftwareDecodeProbeResult()
                    result.openError = error.description
                    return result
                }
            }
        } onCancel: {
            interrupt.raise()
        }
    }

    /// The fonts that the source brings for its subtitles, in its order: a copy of their bytes, at most 64 MB.
    public var fontAttachments: [FontAttachment] { session?.info?.fontAttachments ?? [] }
}
