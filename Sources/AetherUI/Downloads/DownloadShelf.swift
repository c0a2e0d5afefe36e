import AetherCore
import AetherEngine
import AetherSources

/// The downloads that were begun by key. Lives on the main thread; each has threads of its own, and wakes the main thread when it ends.
final class DownloadShelf {
    private struct Item {
        let number: Int
        let title, folder: String
        let source: MediaLocation
        let task: AssetDownloadTask
        /// Its end has been told.
        var isTold = false
    }
    private var items: [Item] = []
    private var count = 0
    private let notes: DownloadNotes
    /// Files that are being written get so long at the end.
    private static let patience = TimeSpan.seconds(1)

    init(wake: WakeHandle) { notes = DownloadNotes(wake: wake) }

    /// Begins to download a source, or goes on with it. Returns a sentence for the person.
    func keep(_ configuration: AssetDownloadConfiguration, _ options: AssetDownloadOptions, title: String) -> String {
        if let known = items.first(where: { $0.source == configuration.asset }) {
            if known.task.state == .completed { return translated("\(known.title) is downloaded already") }
            resume(known.number)
            return translated("Downloading \(known.title)")
        }
        count += 1
        let task = AssetDownloadTask(configuration, options: options) { [notes] news in notes.take(news) }
        items.append(
            Item(number: count, title: title, folder: options.folder ?? "", source: configuration.asset, task: task))
        task.resume()
        return translated("Downloading \(title)")
    }

    private func resume(_ number: Int) {
        guard let place = items.firstIndex(where: { $0.number == number }) else { return }
        items[place].isTold = false
        items[place].task.resume()
    }

    /// Stops a download, or goes on with it.
    func turn(_ number: Int) {
        guard let item = items.first(where: { $0.number == number }) else { return }
        if item.task.state == .running { item.task.finish() } else { resume(number) }
    }

    /// Stops a download and removes its files. Returns a sentence for the person.
    func remove(_ number: Int) -> String? {
        guard let place = items.firstIndex(where: { $0.number == number }) else { return nil }
        let item = items.remove(at: place)
        item.task.remove()
        return translated("Removed: \(item.title)")
    }

    /// The downloads as they are now.
    var entries: [DownloadEntry] {
        items.map { item in
            let state: DownloadEntry.State =
                switch item.task.state {
                case .running: .running
                case .suspended: .stopped
                case .completed: .complete
                case .failed(let error): .failed(error.description)
                }
            return DownloadEntry(
                number: item.number, title: item.title, folder: item.folder, state: state, progress: item.task.progress)
        }
    }

    /// Sentences that were not told yet.
    func takeSentences() -> [String] {
        var sentences = notes.takeAll()
        for place in items.indices where !items[place].isTold {
            let item = items[place]
            switch item.task.state {
            case .running, .suspended: continue
            case .completed: sentences.append(translated("Downloaded \(item.title) to \(item.folder)"))
            case .failed(let error): sentences.append(error.description)
            }
            items[place].isTold = true
        }
        return sentences
    }

    /// Stops all of them: finished files stay, and a later download of the same source goes on from there.
    func stop() {
        let running = items.filter { $0.task.state == .running }
        for item in running { item.task.finish() }
        let end = SystemTime().now() + Self.patience
        for item in running { _ = item.task.wait(until: end) }
    }
}
