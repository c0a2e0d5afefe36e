import AetherCore
import AetherMedia

/// The description of a source as far as it is known. Values with a higher revision say more, or say it anew.
struct SourceDescription: Sendable {
    var revision = 0
    var info: SourceInfo
    /// The formats of a stream whose packets changed theirs in the middle: number 0 is the one in `info`.
    var formats: [StreamID: [StreamInfo]] = [:]
    /// The number of the format that each stream was read in last; the last of its formats where it is not named.
    private var present: [StreamID: Int] = [:]
    var window: SourceWindow
    /// More of it comes for as long as it is read, though it has no window of its own.
    var isEndless = false
    /// The qualities to choose among; nil for a source that has one.
    var variants: SourceVariants?
    /// Advertisements, missing parts and other events, on the source axis.
    var marks: [SourceMark] = []
    /// Captions inside of the video that the manifest names, before any of their words was met.
    var captions: [TrackInfo] = []
    /// Where playing begins by default; nil: at the start.
    var start: MediaTime?
    /// The way its bytes come: the reading ahead and the memory depend on it.
    var traits: IOReaderTraits

    /// The description of a container that was just opened.
    init(_ info: SourceInfo, traits: IOReaderTraits) {
        (self.info, self.traits) = (info, traits)
        let end = info.duration.map { info.startTime + $0 }
        window = SourceWindow(seekable: info.isSeekable ? end.map { info.startTime...max(info.startTime, $0) } : nil)
    }

    /// A stream in one of its formats; nil for a stream that there is not.
    func stream(_ id: StreamID, format: Int = 0) -> StreamInfo? {
        if let formats = formats[id], formats.indices.contains(format) { return formats[format] }
        return info.streams.first { $0.id == id }
    }

    /// The source with each stream in the format that it had last.
    var newest: SourceInfo {
        var info = info
        info.streams = info.streams.map { stream in
            guard let known = formats[stream.id] else { return stream }
            return present[stream.id].flatMap { known.indices.contains($0) ? known[$0] : nil } ?? known.last ?? stream
        }
        return info
    }

    /// Takes the marks as they are by now.
    mutating func mark(_ marks: [SourceMark]) {
        guard marks != self.marks else { return }
        self.marks = marks
        revision += 1
    }

    /// Takes the streams of a container that goes on where another one of this source ended, in a format of its own. Returns the names of its
    /// streams: each is called as the one of the description that it goes on with, the first of its kind as the first, and so on; or as
    /// `name` says, which knows it by its number in the container.
    mutating func adopt(
        _ other: SourceInfo, of source: Int, format number: Int, name: ((StreamInfo) -> StreamID?)? = nil
    ) -> StreamNumbering {
        var numbering = StreamNumbering(source: source)
        let former = info.streams.filter { $0.source == source }
        var rest = former
        for stream in other.streams {
            numbering.formats[stream.index] = number
            let wanted = name.map { $0(stream) }
            let place = rest.firstIndex { known in
                guard known.kind == stream.kind else { return false }
                if let wanted { return known.id == wanted }
                return known.kind != .subtitle || known.codecName == stream.codecName
            }
            guard let place else {
                // It is not asked for.
                numbering.numbers[stream.index] = former.count + number * 1024 + stream.index
                continue
            }
            let id = rest.remove(at: place).id
            numbering.numbers[stream.index] = id.number
            put(stream.named(id), format: number)
            if present.updateValue(number, forKey: id) != number { revision += 1 }
        }
        return numbering
    }

    private mutating func put(_ stream: StreamInfo, format number: Int) {
        var known = formats[stream.id] ?? info.streams.filter { $0.id == stream.id }
        guard known.count <= number, let last = known.last else { return }
        // Containers in which there is no such stream.
        known += Array(repeating: last, count: number - known.count) + [stream]
        formats[stream.id] = known
        revision += 1
    }
}
