public import AetherCore
import AetherFormats
import CFFmpeg

/// Splits a source into packets. Owns the open container; lives on one thread, and each of its operations may block on the
/// source until the interrupt is raised.
public struct Demuxer: ~Copyable {
    let context: FormatContext
    /// The demuxer that does the work, where that is in a box. The context is empty then, and its port gives the bytes.
    let boxed: (any BoxedDemuxing)?
    /// The description of the source, as of the opening.
    public let info: SourceInfo
    /// The numbers by which its packets name their streams.
    public var numbering: StreamNumbering
    /// Damaged places that reading went on after.
    public private(set) var damageCount = 0
    /// Whether the packet that was read last has lost a part of its bytes.
    public private(set) var lastPacketIsCut = false
    /// The byte of the source at which the packet that was read last begins; nil where the container does not say, and for one that
    /// begins in the middle of what the one before it lay in.
    public private(set) var position: Int64?
    /// Packets read ahead by the analysis or by a seek, next one first. Owned.
    var pending: [UnsafeMutablePointer<AVPacket>] = []
    private var selected: Set<Int>?
    var joint: LayerJoint
    /// Of a raw stream, whose packets have no times.
    var counted: CountedFrames?
    private var palettes = PaletteMemory()
    private var shelf = PacketShelf()
    /// Of frames that are encrypted one by one; nil where none is.
    private var frameCipher: FrameCipher?
    /// It is read for playing: reading ends at a packet that is still encrypted, and tables that come later have a name.
    private let isPlayed: Bool

    /// Errors in a row after which a source is given up. A bad sector of a file is a few; a source that only gives errors must
    /// not spin.
    private static let damageLimit = 500

    /// Opens a source and finds its streams. Throws `.cannotOpen`, `.notMedia`, `.noDecodableStream` (for playback: neither
    /// video nor audio; for a full analysis: nothing at all) or `.interrupted`. `source` numbers it among those that are read together.
    public init(
        _ input: MediaInput, options: OpenOptions = OpenOptions(), source: Int = 0, interrupt: Interrupt
    ) throws(MediaError) {
        if let box = options.box, BoxAdmission.holds(input, options, box) {
            try self.init(in: box, input, options: options, source: source, interrupt: interrupt)
        } else {
            try self.init(here: input, options: options, source: source, interrupt: interrupt)
        }
    }

    private init(here input: MediaInput, options: OpenOptions, source: Int, interrupt: Interrupt) throws(MediaError) {
        let context = try FormatContext(input, options: options, interrupt: interrupt)
        var analysis = StreamAnalysis()
        let status = analysis.run(context.pointer, options.analysis, segments: options.segments)
        if interrupt.isRaised { throw MediaError(.interrupted, "open", subject: input.name) }
        if let key = context.port.missingKey { throw MediaError(locked: key, input.name) }
        guard status >= 0 else { throw MediaError(.notMedia, "open", subject: input.name, averror: status) }
        var frameCipher: FrameCipher?
        if let key = options.frameKey {
            frameCipher = FrameCipher(key)
            frameCipher?.learn(context.pointer, isTransport: Container(of: context.pointer) == .mpegTS)
            analysis.decrypt(&frameCipher)
        }
        if let key = analysis.missingKey, options.analysis == .playback { throw MediaError(locked: key, input.name) }
        var info = SourceInfo(
            context.pointer, parameters: analysis.parameters(context.pointer), firstTimes: analysis.firstTimes,
            isAtmos: { analysis.isAtmos($0, $1) }, firstPacket: { analysis.firstPacket($0) })
        let wanted: [StreamInfo.Kind] = options.analysis == .playback ? [.video, .audio] : [.video, .audio, .subtitle]
        guard options.analysis == .full || wanted.contains(where: { !info.decodable($0).isEmpty }) else {
            throw MediaError(.noDecodableStream, "open", subject: input.name, reason: Demuxer.codecList(info))
        }
        if source != 0 { info.number(source: source) }
        self.context = context
        boxed = nil
        self.info = info
        numbering = StreamNumbering(source: source)
        // A caller that only reports on a source wants its packets as they are.
        joint = LayerJoint(options.analysis == .playback ? info.streams : [])
        counted = options.analysis == .playback ? CountedFrames(info) : nil
        self.frameCipher = frameCipher
        isPlayed = options.analysis == .playback
        pending = analysis.take()
        for packet in pending { palettes.complete(packet) }
    }

    /// Opens it in a box, or refuses it.
    private init(
        in box: any MediaBox, _ input: MediaInput, options: OpenOptions, source: Int, interrupt: Interrupt
    ) throws(MediaError) {
        guard case .reader(let reader, let name) = input, options.frameKey == nil else {
            throw MediaError(.unsupported, "open", subject: input.name, reason: "it cannot be read in a box (--sandbox)")
        }
        let context = FormatContext(boxing: reader, options: options, interrupt: interrupt)
        let demuxer: any BoxedDemuxing
        do throws(MediaError) {
            demuxer = try box.openSource(BoxedBytes(context.port), name: name, options: options)
        } catch {
            if interrupt.isRaised { throw MediaError(.interrupted, "open", subject: name) }
            if let key = context.port.missingKey { throw MediaError(locked: key, name) }
            guard error.code == .cannotOpen || error.code == .notMedia, let words = context.port.lastWords else { throw error }
            throw MediaError(.cannotOpen, "open", subject: name, cause: aether_averror(ENETDOWN), reason: words)
        }
        var info = demuxer.info
        if source != 0 { info.number(source: source) }
        self.context = context
        boxed = demuxer
        self.info = info
        numbering = StreamNumbering(source: source)
        joint = LayerJoint([])
        counted = nil
        frameCipher = nil
        isPlayed = false
    }

    deinit {
        for packet in pending { StreamAnalysis.free(packet) }
    }

    private static func codecList(_ info: SourceInfo) -> String {
        let names = info.streams.filter { $0.kind == .video || $0.kind == .audio }.prefix(8).map {
            "\($0.kind.rawValue) \($0.codecName)"
        }
        return names.isEmpty ? "it has neither video nor audio" : "no decoder for " + names.joined(separator: ", ")
    }

    /// Bytes taken from the source so far.
    public var bytesFetched: Int64 {
        context.port.reader == nil ? context.pointer.pointee.pb?.pointee.bytes_read ?? 0 : Int64(context.port.bytesRead.current)
    }

    /// Whether bytes come from a reader of ours, and not over one of libavformat's protocols.
    public var isReadByUs: Bool { context.port.reader != nil && !context.port.isDocument }

    /// The way in which the bytes come: as the reader says it, a network's over one of libavformat's protocols.
    public var traits: IOReaderTraits { context.port.reader?.traits ?? .network }

    /// The bytes of the source, and whether more are being written; nil without a reader of ours. Never blocks.
    public var extent: (size: Int64, isGrowing: Bool)? {
        guard let reader = context.port.reader, let size = reader.size else { return nil }
        return (size, reader.isGrowing)
    }

    /// From now on reading waits at the end of a source that grows. Opening takes what there is: it would wait for as much as the analysis
    /// may read, 5 MB.
    public borrowing func follow() {
        guard let reader = context.port.reader else { return }
        reader.follow()
        boxed?.follow()
        context.pointer.pointee.pb?.pointee.eof_reached = 0
    }

    /// Lends a look at bytes of the source beside its packets, which go on where they were: `body` gets a function of offset and count, which
    /// returns fewer bytes at the end and nil where there are none. Nothing happens where the source cannot seek. Blocks. A source that fails
    /// here fails again where it is read for packets.
    public borrowing func withBytes(_ body: ((_ offset: Int64, _ count: Int) -> [UInt8]?) -> Void) {
        if let boxed { return boxed.withBytes(body) }
        guard let io = context.pointer.pointee.pb, io.pointee.seekable & AVIO_SEEKABLE_NORMAL != 0 else { return }
        let place = avio_seek(io, 0, SEEK_CUR)
        guard place >= 0 else { return }
        body { offset, count in
            guard count > 0, avio_seek(io, offset, SEEK_SET) >= 0 else { return nil }
            var bytes = [UInt8](repeating: 0, count: count)
            let read = Int(avio_read(io, &bytes, Int32(clamping: count)))
            return read > 0 ? Array(bytes.prefix(read)) : nil
        }
        avio_seek(io, place, SEEK_SET)
    }

    /// Delivers only packets of these streams from now on; libavformat skips the others where it can. At first all are delivered.
    public mutating func select(_ wanted: Set<Int>) {
        if let boxed { return boxed.select(wanted) }
        let streams = joint.widened(wanted)
        joint.keep(streams)
        selected = streams
        for index in 0..<Int(context.pointer.pointee.nb_streams) {
            context.pointer.pointee.streams[index]?.pointee.discard = isWanted(index) ? AVDISCARD_DEFAULT : AVDISCARD_ALL
        }
        pending.removeAll { packet in
            guard !streams.contains(Int(packet.pointee.stream_index)) else { return false }
            StreamAnalysis.free(packet)
            return true
        }
    }

    /// The next packet of a selected stream, stamped with the epoch. Blocks. Damage is stepped over and counted. Throws
    /// `.endOfMedia`, `.interrupted` or `.readFailed`; after each of them reading may be tried again.
    public mutating func read(epoch: Epoch) throws(MediaError) -> Packet {
        if context.port.interrupt.isRaised { throw interrupted("read packet") }
        if let boxed { return try readBoxed(boxed, epoch: epoch) }
        let packet = joint.isNeeded ? try readJoined() : try readAny()
        let index = Int(packet.pointee.stream_index)
        position = packet.pointee.pos >= 0 ? packet.pointee.pos : nil
        // A stream that appears later (TS) is unknown to `info`, but its packets still need a time base.
        let base = index < info.streams.count ? info.streams[index].timeBase : timeBase(of: index)
        return Packet(
            placing: packet, in: &shelf.blocks, epoch: epoch, timeBase: base,
            name: Packet.StreamName(
                id: isLateTable(index) ? numbering.lateTablesID : numbering.id(of: index), format: numbering.formats[index] ?? 0))
    }

    /// A transport stream has its table of programmes described from its first section on, which may come minutes after it was opened.
    private func isLateTable(_ index: Int) -> Bool {
        guard isPlayed, index >= info.streams.count, index < Int(context.pointer.pointee.nb_streams) else { return false }
        return context.pointer.pointee.streams[index]?.pointee.codecpar.pointee.codec_id == AV_CODEC_ID_EPG
    }

    /// Whether packets of a stream are delivered.
    private func isWanted(_ index: Int) -> Bool {
        guard let selected else { return true }
        return selected.contains(isLateTable(index) ? StreamNumbering.lateTables : index)
    }

    private mutating func readBoxed(_ boxed: any BoxedDemuxing, epoch: Epoch) throws(MediaError) -> Packet {
        let read: BoxedPacket
        do throws(MediaError) {
            read = try boxed.read()
        } catch {
            if context.port.interrupt.isRaised { throw interrupted("read packet") }
            guard error.code == .readFailed, let cause = error.cause else { throw error }
            throw readFailure(cause)
        }
        damageCount = max(damageCount, read.damageCount)
        (lastPacketIsCut, position) = (read.isCut, read.position)
        guard
            let packet = PacketRecord.boxed(
                read.bytes, at: read.record, apart: read.apart, epoch: epoch, in: &shelf,
                name: { [numbering] in
                    Packet.StreamName(id: numbering.id(of: $0), format: numbering.formats[$0] ?? 0)
                })
        else {
            throw MediaError(.readFailed, "read packet", reason: "the decoder says what makes no sense")
        }
        return packet
    }

    private mutating func readAny() throws(MediaError) -> UnsafeMutablePointer<AVPacket> {
        if counted != nil { return try readCounted() }
        return pending.isEmpty ? try readNext() : pending.removeFirst()
    }

    /// The next packet with the times that it was given by counting. The last ones come out before the end of the source is told.
    mutating func readCounted() throws(MediaError) -> UnsafeMutablePointer<AVPacket> {
        while true {
            if let packet = counted?.take() { return packet }
            do throws(MediaError) {
                let packet = pending.isEmpty ? try readNext() : pending.removeFirst()
                counted?.put(packet)
            } catch {
                guard error.code != .interrupted else { throw error }
                counted?.end()
                guard let packet = counted?.take() else { throw error }
                return packet
            }
        }
    }

    /// The next packet, with what belongs to it of another stream.
    private mutating func readJoined() throws(MediaError) -> UnsafeMutablePointer<AVPacket> {
        while true {
            if let packet = joint.take() { return packet }
            do throws(MediaError) {
                joint.put(try readAny())
            } catch {
                // A packet that still waits for its layer gets nothing more; the error comes again behind it.
                if error.code != .interrupted, let packet = joint.take(atOnce: true) { return packet }
                throw error
            }
        }
    }

    /// The number by which the container itself calls a stream: of MPEG its PID or code. nil for a stream that there is not.
    public func code(ofStream index: Int) -> Int? {
        if let boxed { return boxed.code(ofStream: index) }
        guard index >= 0, index < Int(context.pointer.pointee.nb_streams) else { return nil }
        return context.pointer.pointee.streams[index].map { Int($0.pointee.id) }
    }

    private func timeBase(of index: Int) -> TimeBase {
        guard index >= 0, index < Int(context.pointer.pointee.nb_streams), let stream = context.pointer.pointee.streams[index]
        else {
            return TimeBase(1, 90_000)
        }
        return TimeBase(stream.pointee.time_base.num, stream.pointee.time_base.den)
    }

    /// The next packet from libavformat. Owned by the caller.
    mutating func readNext() throws(MediaError) -> UnsafeMutablePointer<AVPacket> {
        // What looks at libavformat's own packets is not for what is in a box.
        guard boxed == nil else { throw MediaError(.unsupported, "read packet", reason: "it is read in a box (--sandbox)") }
        guard let packet = av_packet_alloc() else {
            throw MediaError(.internalFailure, "read packet", averror: aether_averror(ENOMEM))
        }
        var failures = 0
        while true {
            let (status, complaints) = FFmpegLog.complaints { av_read_frame(context.pointer, packet) }
            if complaints.count > 0 { damageCount += 1 }
            if status >= 0 {
                lastPacketIsCut = packet.pointee.flags & AV_PKT_FLAG_CORRUPT != 0
                if lastPacketIsCut { damageCount += 1 }
                palettes.complete(packet)
                frameCipher?.decrypt(packet)
                if isPlayed, packet.pointee.side_data_elems > 0, let key = StreamAnalysis.key(of: packet) {
                    StreamAnalysis.free(packet)
                    throw MediaError(locked: key, "")
                }
                if isWanted(Int(packet.pointee.stream_index)) { return packet }
                av_packet_unref(packet)
                continue
            }
            let error = AVError(code: status)
            if error == .invalidData || error == .tryAgain, failures < Demuxer.damageLimit, !context.port.interrupt.isRaised {
                failures += 1
                damageCount += 1
                continue
            }
            StreamAnalysis.free(packet)
            throw readError(status)
        }
    }

    func interrupted(_ operation: String) -> MediaError {
        MediaError(.interrupted, operation, averror: aether_averror_exit())
    }

    /// The meaning of a failed read: libavformat says "end" also where the byte stream below broke off.
    private func readError(_ status: Int32) -> MediaError {
        var below: Int32 = 0
        if let io = context.pointer.pointee.pb {
            below = io.pointee.error
            io.pointee.error = 0
            // An interruption looks like the end to the byte stream, which would never read again.
            if context.port.interrupt.isRaised || AVError(code: below) == .exit { io.pointee.eof_reached = 0 }
        }
        if context.port.interrupt.isRaised || AVError(code: status) == .exit { return interrupted("read packet") }
        if AVError(code: status) == .endOfFile, below < 0, AVError(code: below) != .endOfFile {
            return AVError(code: below) == .exit
                ? interrupted("read packet") : readFailure(below)
        }
        return readFailure(status)
    }

    private func readFailure(_ status: Int32) -> MediaError {
        if let key = context.port.missingKey { return MediaError(locked: key, "") }
        guard let words = context.port.words(for: status) else { return MediaError(.readFailed, "read packet", averror: status) }
        return MediaError(.readFailed, "read packet", cause: status, reason: words)
    }
}
