import AetherCore
import AetherMedia

/// One file that is written out of a package. Lives on the thread `download`.
struct MuxWriting {
    private let packets: SourcePackets
    private let mux: PackageMux
    private let cues: [StreamID: [FileMuxerCue]]
    private let tracks: MuxTracks
    private var merge: PacketMerge
    /// The formats that packets of a stream may have, with the one of the file first.
    private var formats: [StreamID: (stream: StreamInfo, numbers: Set<Int>)] = [:]
    /// The beginning of the earliest stream, which is 0 in the file.
    private var origin: MediaTime?
    private var isOver = false
    /// The next cue of each track.
    private var places: [StreamID: Int] = [:]
    private var reported: MediaTime?

    /// Reads until each stream has shown its format. Throws `.unsupported` for one that the file cannot hold.
    init(
        _ packets: SourcePackets, _ tracks: MuxTracks, _ cues: [StreamID: [FileMuxerCue]], _ mux: PackageMux
    ) throws(MediaError) {
        (self.packets, self.mux, self.cues, self.tracks) = (packets, mux, cues, tracks)
        let waited = Set(tracks.copied.filter { $0.kind == .video || $0.kind == .audio }.map(\.id))
        merge = PacketMerge(waited)
        while !isOver, merge.byteCount < PacketMerge.limit, !waited.isSubset(of: Set(formats.keys)) { try read() }
        for stream in formats.values.map(\.stream) where !mux.form.holds(stream) {
            let advice = mux.form == .mp4 ? "; a file of .mkv can" : ""
            throw MediaError(
                .unsupported, "write", subject: mux.target,
                reason: translated("such a file cannot hold \(stream.kind.rawValue) in \(stream.codecName)\(advice)"))
        }
        guard !formats.isEmpty else { throw MediaError(.noDecodableStream, "write", subject: mux.target) }
    }

    /// Takes the next packet in, or notes that there is none.
    private mutating func read() throws(MediaError) {
        do throws(MediaError) {
            guard case .packet(let packet) = try packets.next() else { return }
            try admit(packet)
            merge.put(packet)
            if let time = packet.pts ?? packet.dts { origin = origin.map { min($0, time) } ?? time }
        } catch {
            guard error.code == .endOfMedia else { throw error }
            isOver = true
        }
    }

    /// A file has one header for each stream: another format does not fit.
    private mutating func admit(_ packet: Packet) throws(MediaError) {
        guard let stream = packets.stream(packet.stream, format: packet.format) else { return }
        guard let known = formats[packet.stream] else {
            formats[packet.stream] = (stream, [packet.format])
            return
        }
        if known.numbers.contains(packet.format) { return }
        guard Self.isSame(known.stream, stream) else {
            let place = Int(((packet.pts ?? packet.dts ?? .zero) - (origin ?? .zero)).seconds)
            throw MediaError(
                .readFailed, "write", subject: mux.target,
                reason: translated(
                    "the format of its \(stream.kind.rawValue) changes after \(place) s, and one file has one format"))
        }
        formats[packet.stream]?.numbers.insert(packet.format)
    }

    private static func isSame(_ one: StreamInfo, _ other: StreamInfo) -> Bool {
        guard one.codecName == other.codecName, one.size == other.size, one.track?.sampleRate == other.track?.sampleRate,
            one.track?.channels == other.track?.channels
        else { return false }
        let header = one.parameters.header(limit: 1 << 20), next = other.parameters.header(limit: 1 << 20)
        // A header with start codes lies in the packets, too.
        return header == next || header.starts(with: [0, 0, 1]) || header.starts(with: [0, 0, 0, 1])
    }

    /// Writes all to the end; returns the bytes. Throws where the file cannot be written, or a packet does not fit into it.
    mutating func write(to path: String) throws(MediaError) -> Int64 {
        let shift = MediaTime.zero - (origin ?? .zero), info = packets.info
        let streams = tracks.copied.compactMap { stream in
            formats[stream.id]?.stream ?? (stream.kind == .subtitle || stream.kind == .attachment ? stream : nil)
        }
        for stream in tracks.copied where [.video, .audio].contains(stream.kind) && formats[stream.id] == nil {
            mux.report(.note("\(stream.kind.rawValue) in \(stream.codecName) is not in \(mux.target): it is empty"))
        }
        let chapters = info.chapters.map {
            ChapterInfo(id: $0.id, name: $0.name, start: max(.zero, $0.start + shift), duration: $0.duration)
        }
        var plan = FileMuxerPlan(
            streams: streams, tags: info.tags, chapters: chapters, survivesCrashes: false, replacesFile: true)
        plan.texts = tracks.decoded.map { FileMuxerText(id: $0.id, track: $0.track) }
        var file = try FileMuxer(plan, to: path, form: mux.form)
        var last = TimeSpan.zero
        while true {
            guard let (packet, time) = merge.take(isOver: isOver) else {
                if isOver { break }
                try read()
                continue
            }
            // What is merged yet is in memory, and needs no reading that the interrupt would end.
            if mux.interrupt.isRaised { throw MediaError(.interrupted, "write", subject: mux.target) }
            try writeTexts(before: time, &file, shift)
            guard file.takes(packet.stream) else {
                throw MediaError(
                    .readFailed, "write", subject: mux.target, reason: "a stream begins too late to be in the file's header")
            }
            guard try file.write(packet, movedBy: shift) else {
                let codec = formats[packet.stream]?.stream.codecName ?? "it"
                throw MediaError(
                    .readFailed, "write", subject: mux.target,
                    reason: translated(
                        "the file does not take a packet of \(codec) at \(Int((time + shift - MediaTime.zero).seconds)) s"))
            }
            last = max(last, time + shift - MediaTime.zero)
            tell(time + shift, file.byteCount)
        }
        try writeTexts(before: nil, &file, shift)
        try file.finish()
        let length = packets.info.duration ?? last
        mux.report(.muxing(mux.target, finished: length, of: length, bytes: file.byteCount))
        return file.byteCount
    }

    /// Writes the texts that begin before a time; nil: all that are left.
    private mutating func writeTexts(
        before time: MediaTime?, _ file: inout FileMuxer, _ shift: TimeSpan
    ) throws(MediaError) {
        for (stream, list) in cues {
            var place = places[stream] ?? 0
            while place < list.count, time.map({ list[place].start <= $0 }) ?? true {
                try file.write(list[place], of: stream, movedBy: shift)
                place += 1
            }
            places[stream] = place
        }
    }

    /// Tells how far it is, once for each 10 s of media.
    private mutating func tell(_ time: MediaTime, _ bytes: Int64) {
        if let reported, time - reported < .seconds(10) { return }
        reported = time
        mux.report(
            .muxing(mux.target, finished: max(TimeSpan.zero, time - MediaTime.zero), of: packets.info.duration, bytes: bytes))
    }
}
