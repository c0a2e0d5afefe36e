import AetherCore
import AetherMedia

/// The description of a source as far as it is known. Values with a higher revision say more, or say it anew.
struct SourceDescription: Sendable {
    var revision = 0
    var info: SourceInfo
    /// The formats of a stream whose packets changed theirs in the middle: number 0 is the one in `info`.
    var formats: [StreamID: [StreamInfo]] = [:]
    var window: SourceWindow
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
}
