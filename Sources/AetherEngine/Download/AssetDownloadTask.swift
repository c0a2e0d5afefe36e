public import AetherCore
import AetherFormats
import AetherMedia
import AetherSources
import Synchronization

/// News of a download. Texts are safe to display.
public enum AssetDownloadNews: Sendable {
    /// The package's folder, and the segments that a former run has left in it.
    case opened(String, finished: Int)
    /// A rendition that will be fetched.
    case rendition(AssetDownloadRendition)
    /// A fact that a person should know: a segment that no server has, a rendition that begins anew.
    case note(String)
    /// How far it is.
    case progress(AssetDownloadProgress)
    /// All of the package goes into one file: of so much media so much is there, with the bytes of the file.
    case muxing(String, finished: TimeSpan, of: TimeSpan?, bytes: Int64)
    /// That file is complete.
    case muxed(String, bytes: Int64)
    /// The download does not run any more: `AssetDownloadTask.state` has the reason.
    case ended
}

/// A rendition that a download fetches.
public struct AssetDownloadRendition: Sendable, Equatable {
    /// The manifest's name for the rendition. It may hold secrets.
    public let id: String
    /// "video", "audio", "text", "muxed".
    public let kind: String
    /// The language; nil where it is unknown.
    public let language: String?
    /// The rendition is chosen by the primary configuration, and not by an auxiliary one alone.
    public let isPrimary: Bool
}

extension AssetDownloadNews {
    /// A part of a plan.
    static func planned(_ part: DownloadPlan.Part, _ presentation: Presentation) -> AssetDownloadNews {
        let group = presentation.periods.flatMap(\.groups).first { $0.id == part.group }
        return .rendition(
            AssetDownloadRendition(
                id: part.rendition, kind: part.kind.rawValue, language: group?.language, isPrimary: part.auxiliary == nil))
    }
}

/// A download into a package (AVAssetDownloadTask). Its work is done by threads of its own; every call returns at once, but for `wait`.
public final class AssetDownloadTask: Sendable {
    /// The states.
    public enum State: Sendable, Equatable {
        /// Not begun, or stopped: `resume` goes on.
        case suspended
        case running
        /// The package is complete, but for segments that no server has.
        case completed
        case failed(MediaError)
    }

    private struct Work {
        var state = State.suspended
        var progress = AssetDownloadProgress()
        var folder: String?
        var isEnding = false
        var isMuxing = false
        var interrupt = Interrupt()
        var queue: DownloadQueue?
        var thread: WorkerThread?
    }
    private let configuration: AssetDownloadConfiguration
    private let options: AssetDownloadOptions
    private let time: any TimeSource
    private let told: @Sendable (AssetDownloadNews) -> Void
    private let work = Monitor(Work())

    /// A download that is not begun. `told` is called from a thread of the download, and must not block for long.
    public init(
        _ configuration: AssetDownloadConfiguration, options: AssetDownloadOptions = AssetDownloadOptions(),
        time: any TimeSource = SystemTime(), told: @escaping @Sendable (AssetDownloadNews) -> Void = { _ in }
    ) {
        (self.configuration, self.options, self.time, self.told) = (configuration, options, time, told)
    }

    /// Begins, or goes on where the download was stopped or has failed: finished files are not fetched again.
    public func resume() {
        let begun = work.update { work -> (Interrupt, DownloadQueue)? in
            guard work.state != .running, work.state != .completed else { return nil }
            (work.state, work.isEnding, work.isMuxing, work.interrupt) = (.running, false, false, Interrupt())
            let queue = DownloadQueue(limit: options.rateLimit, interrupt: work.interrupt, time: time)
            work.queue = queue
            return (work.interrupt, queue)
        }
        guard let (interrupt, queue) = begun else { return }
        let former = work.read { $0.thread }
        let thread = WorkerThread(name: "download", urgency: .bulk) { [self] in
            // The one before has let go of the folder when it ends.
            former?.join()
            let end = run(interrupt, queue)
            work.update { work in
                if work.queue === queue { work.state = end }
            }
            told(.ended)
        }
        work.update { $0.thread = thread }
    }

    private func run(_ interrupt: Interrupt, _ queue: DownloadQueue) -> State {
        var options = options
        if let file = options.muxedFile, options.folder == nil { options.folder = file + ".aepkg" }
        let form: FileMuxerForm?
        do throws(MediaError) {
            form = try options.muxedFile.map { file throws(MediaError) in try PackageMux.form(of: file) }
        } catch {
            return .failed(error)
        }
        let session = DownloadSession(
            configuration, options, queue: queue, interrupt: interrupt, time: time,
            isEnding: { [work] in work.read { $0.isEnding } },
            report: { [work, told] news in
                switch news {
                case .progress(let progress): work.update { $0.progress = progress }
                case .opened(let folder, _): work.update { $0.folder = folder }
                default: break
                }
                told(news)
            })
        do throws(MediaError) {
            try session.run()
            if let form, !options.isDryRun {
                try mux(form, options, interrupt)
                if self.options.folder == nil { remove(session) }
            }
            // The session's store has the lock of the package, which no other run takes while the file is written.
            withExtendedLifetime(session) {}
            return .completed
        } catch {
            return error.code == .interrupted ? .suspended : .failed(error)
        }
    }

    private func mux(_ form: FileMuxerForm, _ options: AssetDownloadOptions, _ interrupt: Interrupt) throws(MediaError) {
        let (folder, missing, bytes) = work.update { work in
            work.isMuxing = true
            return (work.folder ?? options.folder ?? "", work.progress.missingSegments, work.progress.finishedBytes)
        }
        let file = options.muxedFile ?? ""
        guard missing == 0 else {
            let words = missing == 1 ? "1 segment is missing" : "\(missing) segments are missing"
            throw MediaError(
                .readFailed, "write", subject: file,
                reason: translated("\(words); the same command goes on, or play the folder \(folder)"))
        }
        var loading = LoadOptions()
        loading.open.keys = options.keys
        // Without further qualities the best is the only one.
        if !configuration.auxiliaryContentConfigurations.isEmpty {
            loading.variantQualifiers = configuration.primaryContentConfiguration.variantQualifiers
        }
        do throws(MediaError) {
            try PackageMux(
                package: folder, target: file, form: form, bytes: bytes, options: loading, interrupt: interrupt, report: told
            ).run()
        } catch {
            guard error.code != .interrupted else { throw error }
            throw MediaError(
                error.code, error.operation, subject: error.subject, cause: error.cause,
                reason: translated(
                    "\(error.reason); what was fetched stays in \(folder), and the same command goes on from there"))
        }
    }

    /// Takes a package away that is in a file now. What is in its folder and is none of its files stays, which is told.
    private func remove(_ session: DownloadSession) {
        if let store = session.store { remove(store, media: session.index.media) }
    }

    private func remove(_ store: PackageStore, media: String) {
        let folder = store.folder
        do throws(IOReaderError) {
            if try store.removeAll(media: media) { return work.update { $0.folder = nil } }
            told(.note(DisplayText.singleLine("other things are in \(folder.path), which stays", limit: 500)))
        } catch {
            let reason = PackageStore.failure(folder.path, error).reason
            told(.note(DisplayText.singleLine("\(folder.path) cannot be removed: \(reason)", limit: 500)))
        }
    }

    /// Stops; finished files stay, and `resume` goes on.
    public func suspend() {
        let (interrupt, queue) = work.read { ($0.interrupt, $0.queue) }
        interrupt.raise()
        queue?.wake()
    }

    /// Stops for good. The package keeps the finished files.
    public func cancel() { suspend() }

    /// Stops, and takes the package away; what is in its folder and is none of its files stays, which is told. `.ended` follows.
    public func remove() {
        suspend()
        let former = work.read { $0.thread }
        let thread = WorkerThread(name: "download", urgency: .bulk) { [self] in
            former?.join()
            if let folder = work.read({ $0.folder }) { removePackage(folder) }
            told(.ended)
        }
        work.update { $0.thread = thread }
    }

    private func removePackage(_ path: String) {
        do throws(MediaError) {
            let (store, _, index) = try PackageStore.open(path)
            remove(store, media: index?.media ?? PackageName.master)
        } catch {
            told(.note(error.description))
        }
    }

    /// Ends the recording of a broadcast: the segments that were requested are taken in, and the package is closed. Stops any other
    /// download.
    public func finish() {
        let (isLive, queue) = work.update { work -> (Bool, DownloadQueue?) in
            work.isEnding = true
            return (work.progress.isLive && !work.isMuxing, work.queue)
        }
        if isLive { queue?.wake() } else { suspend() }
    }

    /// How far it is.
    public var progress: AssetDownloadProgress { work.read { $0.progress } }

    /// The state by now.
    public var state: State { work.read { $0.state } }

    /// The package's folder; nil before it is known, and where it was removed because all of it is in a file.
    public var folder: String? { work.read { $0.folder } }

    /// Blocks until it does not run any more, or a moment has come; returns the state.
    public func wait(until moment: HostTime? = nil) -> State {
        work.wait(until: moment) { $0.state == .running ? nil : $0.state } ?? .running
    }
}
