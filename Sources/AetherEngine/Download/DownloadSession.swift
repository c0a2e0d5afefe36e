import AetherCore
import AetherDiscs
import AetherFormats
import AetherMedia
import AetherSources
import Glibc

/// A download at work, on a thread of its own: asks for playlists, hands files to workers, and writes lists of what is there.
final class DownloadSession {
    let configuration: AssetDownloadConfiguration
    let options: AssetDownloadOptions
    let interrupt: Interrupt
    let time: any TimeSource
    let report: (AssetDownloadNews) -> Void
    let queue: DownloadQueue
    /// Whether a broadcast is to be ended.
    let isEnding: () -> Bool

    var store: PackageStore?
    var journal = PackageJournal()
    var index = PackageIndex(title: "", source: "")
    var works: [RenditionWork] = []
    var progress = AssetDownloadProgress()
    private var total: [Int: (count: Int, duration: Int64, bytes: Int64?)] = [:]
    private(set) var catalog: StreamCatalog?
    private(set) var plan: DownloadPlan?

    init(
        _ configuration: AssetDownloadConfiguration, _ options: AssetDownloadOptions, queue: DownloadQueue, interrupt: Interrupt,
        time: any TimeSource, isEnding: @escaping () -> Bool, report: @escaping (AssetDownloadNews) -> Void
    ) {
        (self.configuration, self.options, self.queue, self.interrupt) = (configuration, options, queue, interrupt)
        (self.time, self.isEnding, self.report) = (time, isEnding, report)
    }

    /// Runs to the end. Blocks. Throws `.interrupted` where it was stopped, `.readFailed` where the source broke off; what is finished stays.
    func run() throws(MediaError) {
        if let reader = try continued() { return try run(reader) }
        let input = try MediaInput(.location(configuration.asset), http: options.http, interrupt: interrupt)
        if let document = try StreamDocument(input, http: options.http) { return try run(document) }
        guard case .reader(let reader, _) = input else {
            throw MediaError(.unsupported, "download", subject: input.name)
        }
        // Their bytes are one title's at most, without the chapters, languages and seams that the disc's tables say.
        guard !(reader is TitleReader), !(reader is BluRayReader) else {
            reader.close()
            throw MediaError(
                .unsupported, "download", subject: input.name,
                reason: "a disc is more than one file; play it where it is, or copy its image or folder")
        }
        try run(reader)
    }

    // MARK: - Segments

    private func run(_ document: StreamDocument) throws(MediaError) {
        var open = OpenOptions()
        open.keys = options.keys
        let fetch = StreamFetch(document, interrupt: interrupt)
        let catalog = try StreamCatalog(document, fetch: fetch, keys: options.keys, profile: .safe, time: time)
        let plan = try DownloadPlan(catalog.presentation, catalog.variants, configuration, name: catalog.name)
        (self.catalog, self.plan) = (catalog, plan)
        for note in plan.notes { report(.note(note)) }
        for part in plan.parts { report(.planned(part, catalog.presentation)) }
        if options.isDryRun { return }
        for part in plan.parts { _ = try catalog.segments(of: part.rendition) }
        progress.isLive = plan.parts.contains { catalog.isGrowing($0.rendition) }
        let title = configuration.title ?? catalog.presentation.title ?? Self.title(of: catalog.name)
        let store = try begin(title: title)
        try enter(plan, catalog, store)
        try queueAll(catalog)
        try checkRoom(store, catalog, plan)
        let fetching = SegmentFetch(
            fetch: fetch, store: store, interrupt: interrupt, keepsKeys: options.keepsKeys, came: { [queue] in queue.came($0) })
        let workers = (0..<min(max(options.connections, 1), 16)).map { _ in
            WorkerThread(name: "download", urgency: .bulk) { [queue] in queue.work(fetching) }
        }
        defer {
            queue.close()
            for worker in workers { worker.join() }
        }
        do throws(MediaError) {
            try follow(catalog, store)
        } catch {
            // Segments that were finished meanwhile are in the journal, and in the lists that are written now.
            queue.close()
            for worker in workers { worker.join() }
            for outcome in queue.outcomes(until: time.now()) { if case .success(let entry) = outcome.result { take(entry) } }
            try write(store, isWhole: progress.isLive)
            throw error
        }
        index.isComplete = journal.segments.values.allSatisfy { $0.values.allSatisfy { $0.kind != .gap } }
        try write(store, isWhole: true)
        publish()
    }

    static func title(of name: String) -> String {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
        return String(name[..<dot])
    }

    /// The package's folder: the one that was named, else one in the working directory that holds no download of another source.
    func folder(titled title: String) -> String { options.folder ?? configuration.asset.packageFolder(titled: title, in: "") }

    /// Opens the package, and says how much of it is there.
    func begin(title: String) throws(MediaError) -> PackageStore {
        let path = folder(titled: title)
        let (store, journal, written) = try PackageStore.open(path)
        self.store = store
        self.journal = journal
        index = PackageIndex(
            title: DisplayText.singleLine(title, limit: 200), source: configuration.asset.rememberedText)
        index.folders = written?.folders ?? []
        index.isRecording = progress.isLive
        report(.opened(path, finished: journal.segments.values.reduce(0) { $0 + $1.count }))
        return store
    }

    /// Gives each rendition its folder: the one of a former run with the same identity, else a new one.
    private func enter(_ plan: DownloadPlan, _ catalog: StreamCatalog, _ store: PackageStore) throws(MediaError) {
        let groups = catalog.presentation.periods.flatMap(\.groups)
        for part in plan.parts {
            guard let group = groups.first(where: { $0.id == part.group }),
                let rendition = catalog.presentation.rendition(part.rendition)
            else { continue }
            let identity = PackageIndex.identity(rendition, of: group)
            let place: Int
            if let known = index.folders.firstIndex(where: { $0.identity == identity }) {
                place = known
            } else {
                place = index.folders.count
                index.folders.append(.init(identity: identity, kind: group.kind.rawValue, language: group.language))
            }
            guard place < PackageJournal.renditionLimit else { continue }
            works.append(RenditionWork(part, folder: place + 1, journal: journal, isLive: progress.isLive))
        }
        try writing(store) { () throws(IOReaderError) in
            // By its description it is known for a package.
            try store.folder.replace(PackageName.index, with: index.text)
            for work in works { try store.folder.makeFolder(PackageName.folder(work.folder)) }
        }
    }

    /// Asks for all files that the lists name by now and that are not there.
    private func queueAll(_ catalog: StreamCatalog) throws(MediaError) {
        for place in works.indices {
            let index = try catalog.segments(of: works[place].part.rendition)
            try checkEncryption(index)
            var jobs = works[place].jobs(index, journal)
            if works[place].mustBeginAnew, let store {
                report(.note("\(label(works[place].part)): the list of segments is another one; it begins anew"))
                try writing(store) { () throws(IOReaderError) in try store.forget(works[place].folder, &journal) }
                works[place] = RenditionWork(
                    works[place].part, folder: works[place].folder, journal: journal, isLive: progress.isLive)
                jobs = works[place].jobs(index, journal)
            }
            jobs = works[place].missingMaps() + jobs
            measure(works[place].folder, index)
            for job in jobs where job.entry.kind == .gap { take(job.entry) }
            // Keys are asked for once, before the workers want them. One that fails here is asked for, and told of, with its segment.
            var seen: Set<StreamAddress> = []
            for job in jobs {
                guard let key = job.encryption?.key, seen.insert(key).inserted, seen.count <= 100 else { continue }
                _ = try? catalog.fetch.key(key)
            }
            queue.put(jobs.filter { $0.entry.kind != .gap })
        }
        publish()
    }

    private func checkEncryption(_ index: any SegmentIndex) throws(MediaError) {
        guard !options.keepsKeys, let first = index.segment(index.numbers.lowerBound), case .samples = first.encryption else {
            return
        }
        throw MediaError(
            .unsupported, "download", subject: configuration.asset.displayName,
            reason: "its samples are encrypted, and the key has to be kept with them (--with-keys)")
    }

    /// How much there will be of a rendition.
    private func measure(_ folder: Int, _ index: any SegmentIndex) {
        var duration: Int64 = 0, bytes: Int64? = 0
        for number in index.numbers {
            guard let segment = index.segment(number), !segment.isOpen else { continue }
            duration = duration &+ segment.duration.span.nanoseconds
            bytes = segment.range.flatMap { range in bytes.map { $0 &+ range.length } }
        }
        total[folder] = (index.numbers.count, duration, bytes)
    }

    /// Waits for files and takes them in until all are there, or a broadcast has ended.
    private func follow(_ catalog: StreamCatalog, _ store: PackageStore) throws(MediaError) {
        while true {
            let isGrowing = !isEnding() && works.contains { catalog.isGrowing($0.part.rendition) }
            if queue.isIdle, !isGrowing { return }
            var moment = time.now() + .seconds(1)
            if isGrowing {
                for work in works {
                    guard let next = catalog.playlists[work.part.rendition]?.refresh.next else { continue }
                    moment = min(moment, max(next, time.now()))
                }
            }
            let outcomes = queue.outcomes(until: moment)
            if interrupt.isRaised { throw MediaError(.interrupted, "download", subject: catalog.name) }
            for outcome in outcomes { try take(outcome, catalog) }
            if isGrowing, outcomes.isEmpty {
                for work in works { try catalog.catchUp(work.part.rendition) }
                try queueAll(catalog)
            }
            if progress.isLive, !outcomes.isEmpty { try write(store, isWhole: false) }
            publish()
        }
    }

    private func take(_ outcome: DownloadQueue.Outcome, _ catalog: StreamCatalog) throws(MediaError) {
        switch outcome.result {
        case .success(let entry): take(entry)
        case .failure(.interrupted): throw MediaError(.interrupted, "download", subject: catalog.name)
        case .failure(.package(let error)): throw PackageStore.failure(store?.folder.path ?? "", error)
        case .failure(.source(let error, let isTransient)):
            try retry(outcome.job, error, isTransient: isTransient, catalog)
        }
    }

    private func take(_ entry: PackageEntry) { journal.take(entry) }

    /// The same file from another server, then once more after a pause; at last it is missing. A server that is gone ends the download.
    private func retry(
        _ job: DownloadJob, _ error: IOReaderError, isTransient: Bool, _ catalog: StreamCatalog
    ) throws(MediaError) {
        var job = job
        if job.map == nil, let elsewhere = elsewhere(&job, catalog) { return queue.put([elsewhere]) }
        job.attempts += 1
        job.search = nil
        if job.attempts < (isTransient ? Self.patience : 2) {
            job.notBefore = time.now() + .seconds(Double(1 << min(job.attempts - 1, 4)))
            return queue.put([job])
        }
        let words = SegmentFailure.words(error)
        // A segment that has left the window of a broadcast is gone.
        guard !isTransient || progress.isLive, job.map == nil else {
            throw MediaError(.readFailed, "download all of", subject: catalog.name, reason: words)
        }
        var entry = job.entry
        entry.kind = .gap
        take(entry)
        report(.note("\(label(job.part)): segment \(entry.number + 1) is missing: \(words)"))
    }
    private static let patience = 6

    private func elsewhere(_ job: inout DownloadJob, _ catalog: StreamCatalog) -> DownloadJob? {
        var search = job.search ?? StreamCatalog.Search(0)
        let others = catalog.presentation.periods.flatMap(\.groups).first { $0.id == job.part.group }?.renditions ?? []
        search.renditions = Set(others.map(\.id))
        let segment = job.segment
        let found = catalog.substitute(from: segment.start, to: segment.end, of: job.part.rendition, &search)
        job.search = search
        guard let found, found.rendition == job.part.rendition else { return nil }
        var next = job
        next.segment = found.first
        return next
    }

    private func label(_ part: DownloadPlan.Part) -> String {
        let group = catalog?.presentation.periods.flatMap(\.groups).first { $0.id == part.group }
        let words = [part.kind.rawValue, group?.language ?? group?.label].compactMap { $0 }.filter { !$0.isEmpty }
        return DisplayText.singleLine(words.joined(separator: " "), limit: 80)
    }

    // MARK: - Room

    private func checkRoom(_ store: PackageStore, _ catalog: StreamCatalog, _ plan: DownloadPlan) throws(MediaError) {
        guard !progress.isLive else { return }
        let missing = max(0, (progress.expectedBytes ?? 0) - progress.finishedBytes)
        guard !store.hasRoom(for: missing) else { return }
        let free = store.folder.freeBytes ?? 0
        throw MediaError(
            .cannotOpen, "download", subject: catalog.name,
            reason:
                "it needs about \(missing / 1_000_000 + 1) MB, and the disk has \(free / 1_000_000) MB; make room, or take a lower quality"
        )
    }

    /// Tells how far it is.
    func publish() {
        var next = AssetDownloadProgress()
        next.isLive = progress.isLive
        var expected: Int64? = 0
        for work in works {
            let entries = journal.list(work.folder).filter { $0.kind == .segment }, there = journal.bytes(work.folder)
            let known = total[work.folder] ?? (0, 0, nil)
            let duration = entries.reduce(0) { $0 &+ $1.duration }
            next.finishedSegments += entries.count
            next.missingSegments += (journal.segments[work.folder]?.count ?? 0) - entries.count
            next.segmentCount += max(known.count, entries.count)
            next.finishedDuration = next.finishedDuration + TimeSpan(nanoseconds: duration)
            next.duration = next.duration + TimeSpan(nanoseconds: max(known.duration, duration))
            next.finishedBytes = next.finishedBytes &+ there
            let rendition = catalog?.presentation.rendition(work.part.rendition)
            let rate = rendition?.averageBitRate ?? rendition?.peakBitRate
            var size = known.bytes
            if size == nil, duration > 0, duration < known.duration {
                size = Int64(min(Double(there) * Double(known.duration) / Double(duration), 1e17))
            } else if size == nil, duration == 0 {
                size = rate.map { Int64(min(Double($0) / 8 * Double(known.duration) / 1e9, 1e17)) }
            } else if size == nil {
                size = there
            }
            expected = size.flatMap { size in expected.map { $0 &+ max(size, there) } }
        }
        (next.expectedBytes, next.rate) = (expected, queue.figures.rate)
        progress = next
        report(.progress(next))
    }

    func writing(_ store: PackageStore, _ body: () throws(IOReaderError) -> Void) throws(MediaError) {
        do throws(IOReaderError) { try body() } catch { throw PackageStore.failure(store.folder.path, error) }
    }
}
