import AetherCore
import AetherEngine
import AetherFormats
import AetherSources

/// The Debug face: what the file that plays is made of, its samples, and how full the buffers are. `InspectorPane` draws it.
struct Inspector: Sendable {
    /// A page of the face.
    enum Tab: Int, CaseIterable, Sendable {
        case boxes, samples, decode, video, audio, buffers

        var title: String {
            switch self {
            case .boxes: translated("Boxes")
            case .samples: translated("Samples")
            case .decode: translated("Decode")
            case .video: translated("Video")
            case .audio: translated("Audio")
            case .buffers: translated("Buffers")
            }
        }

        /// One sentence on what is seen.
        var help: String {
            switch self {
            case .boxes: translated("The container: headers and tables before the media itself.")
            case .samples: translated("Every sample: when it is decoded and shown, and where it lies.")
            case .decode: translated("Frame by frame: how each was coded and from which others, drawn over it.")
            case .video: translated("The codes of the frame in planes and curves, and what they mean as light.")
            case .audio: translated("What is heard: levels, loudness and phase, and how the clock follows the device.")
            case .buffers: translated("What waits between the stages, and the last minute of it.")
            }
        }
    }

    private(set) var tab = Tab.boxes
    /// Words for what there is instead of parts.
    private(set) var state = translated("Reading …")
    private(set) var format = ""
    private(set) var tree = BoxRows([])
    private(set) var samples: SampleList?
    /// The samples can neither be found in tables nor be read.
    private(set) var lacksSamples = false
    /// The stream whose samples are listed; nil: all.
    private(set) var stream: Int?
    private(set) var listed: [Int] = []
    private(set) var order = SampleOrder.number
    private(set) var filter = SampleFilter("")
    /// A cursor for each tab.
    private(set) var cursors = [ListCursor](repeating: ListCursor(), count: Tab.allCases.count)
    /// The words that are typed to find a part; nil: nothing is being typed.
    private(set) var query: TypedWords?
    private(set) var found = ""
    /// Of the part that is selected, or of one before.
    private(set) var bytes: (segment: Int?, offset: Int64, bytes: [UInt8])?
    /// The parts are those of segments.
    private(set) var isStream = false
    /// The Decode and Video tabs.
    var frames = FramePage()
    /// The Audio tab.
    var audio = AudioPage()
    /// The last requests to servers, and the time at which they were so.
    private(set) var requests: (list: [NetworkRequest], at: HostTime)?

    var cursor: ListCursor {
        get { cursors[tab.rawValue] }
        set { cursors[tab.rawValue] = newValue }
    }

    /// Rows of the open tab.
    var total: Int {
        switch tab {
        case .boxes: tree.rows.count
        case .samples: listed.count
        case .decode: frames.look.frames.count
        case .video, .audio, .buffers: 0
        }
    }

    /// The part that is selected.
    var box: InspectedBox? { tree.rows.indices.contains(cursors[0].row) ? tree.rows[cursors[0].row].box : nil }

    /// The segment that the selected part lies in, by its row; nil in a file.
    var segment: Int? { isStream && tree.rows.indices.contains(cursors[0].row) ? tree.rows[cursors[0].row].path.first : nil }

    /// The sample that is selected.
    var sample: SampleRow? {
        guard let samples, listed.indices.contains(cursors[1].row) else { return nil }
        return samples.rows[listed[cursors[1].row]]
    }

    mutating func show(_ tab: Tab) { (self.tab, query) = (tab, nil) }

    /// Takes the last requests to servers; returns whether there is something to draw.
    mutating func take(_ requests: [NetworkRequest], at now: HostTime) -> Bool {
        guard !requests.isEmpty || self.requests != nil else { return false }
        self.requests = (requests, now)
        return true
    }

    mutating func settle(_ window: Range<Int>) { cursor.settle(window) }

    // MARK: - What was found

    /// Takes what was found. `position`: the time on the screen, whose sample is selected.
    mutating func take(_ find: InspectorFind, position: MediaTime, at now: HostTime) {
        switch find {
        case .failed(let words): state = words
        case .bytes(let offset, let bytes, let segment): self.bytes = (segment, offset, bytes)
        case .frame(let view): cursors[Tab.decode.rawValue].row = frames.take(view, at: now)
        case .parts(let format, let boxes, let samples, let isStream):
            (self.format, tree, state, self.isStream) = (format, BoxRows(boxes), translated("No parts"), isStream)
            cursors[0].begin(at: boxes.isEmpty ? -1 : 0)
            if let samples { take(samples, position) }
        case .samples(let samples):
            if let samples { take(samples, position) } else { lacksSamples = true }
        }
    }

    private mutating func take(_ samples: SampleList, _ position: MediaTime) {
        self.samples = samples
        list(samples.streams.first { $0.kind == "video" }?.index)
        select(at: position)
    }

    /// Lists the samples of a stream; nil: of all.
    private mutating func list(_ stream: Int?) {
        self.stream = stream
        guard let samples else { return }
        let filter = filter
        let places = samples.rows.indices.filter { place in
            stream.map { samples.rows[place].stream == $0 } ?? true && filter.fits(samples.rows[place])
        }
        listed = order.sorted(places, of: samples.rows)
        cursors[1].begin(at: listed.isEmpty ? -1 : 0)
    }

    /// The next stream's samples, and behind the last those of all.
    mutating func listNext(position: MediaTime) {
        guard let samples else { return }
        let place = stream.flatMap { stream in samples.streams.firstIndex { $0.index == stream } }
        let next = place.map { $0 + 1 } ?? 0
        list(next < samples.streams.count ? samples.streams[next].index : nil)
        select(at: position)
    }

    /// Sorts the samples in another way.
    mutating func sortNext(position: MediaTime) {
        order = order.next
        list(stream)
        select(at: position)
    }

    /// Lists the samples that fit the words.
    private mutating func filter(by text: String) {
        let next = SampleFilter(text)
        guard next != filter else { return }
        filter = next
        list(stream)
    }

    /// Selects the sample that is on the screen at a time: the last that is shown by then.
    mutating func select(at position: MediaTime) {
        guard let samples else { return }
        var best: (row: Int, time: MediaTime)?
        for (row, place) in listed.enumerated() {
            let sample = samples.rows[place]
            guard let ticks = sample.pts ?? sample.dts else { continue }
            let time = MediaTime(ticks: ticks, in: samples.timeBase(sample.stream))
            if time <= position, best.map({ $0.time < time }) ?? true { best = (row, time) }
        }
        if let best { cursors[1].row = best.row }
    }

    // MARK: - Keys

    mutating func fold(opens: Bool) { cursors[0].row = tree.fold(cursors[0].row, opens: opens) }

    /// Begins to type what is looked for.
    mutating func beginSearch() { query = TypedWords() }

    /// Ends it; the words stay for the next place.
    mutating func endSearch() {
        if let query, !query.isEmpty, tab == .boxes { found = query.text }
        // Nothing typed: all of them again.
        if let query, query.isEmpty, tab == .samples { filter(by: "") }
        query = nil
    }

    /// Another letter, or one less.
    mutating func type(_ character: Character?) {
        guard var words = query else { return }
        let isNew = character.map { words.type($0) } ?? words.erase()
        query = words
        guard isNew else { return }
        if tab == .samples { filter(by: words.text) } else { look(for: words.text, behind: -1) }
    }

    /// The next part with the words.
    mutating func findNext() { look(for: found, behind: cursors[0].row) }

    /// By name, title and fields; `@123` by the byte.
    private mutating func look(for text: String, behind row: Int) {
        if text.hasPrefix("@") {
            if let byte = Int64(text.dropFirst()), let row = tree.find(byte: byte) { cursors[0].row = row }
            return
        }
        let words = TypedWords.folded(text)
        guard !words.isEmpty else { return }
        let hit = tree.find(behind: row) { box in
            TypedWords.folded(box.type + " " + box.title).contains(words)
                || box.fields.contains { TypedWords.folded($0.line).contains(words) }
        }
        if let hit { cursors[0].row = hit }
    }
}
