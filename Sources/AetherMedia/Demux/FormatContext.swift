import AetherCore
import AetherFormats
import CFFmpeg

/// Owns an open AVFormatContext together with the port that its callbacks see.
struct FormatContext: ~Copyable {
    let pointer: UnsafeMutablePointer<AVFormatContext>
    let port: InputPort

    /// Opens an input and reads its header. Blocks.
    init(_ input: MediaInput, options: OpenOptions, interrupt: Interrupt) throws(MediaError) {
        FFmpegLog.install()
        let port =
            switch input {
            case .reader(let reader, _):
                InputPort(
                    reader: options.keys.isEmpty ? reader : DecryptingReader(reader, keys: options.keys), interrupt: interrupt)
            case .document(let reader, _, let opener): InputPort(reader: reader, opener: opener, interrupt: interrupt)
            case .url(_, let trust): InputPort(reader: nil, trust: trust, interrupt: interrupt)
            }
        do throws(MediaError) {
            pointer = try FormatContext.open(input, options: options, port: port)
        } catch {
            port.detach()
            throw port.missingKey.map { MediaError(locked: $0, input.name) } ?? error
        }
        self.port = port
        MediaBalance.contexts.add()
    }

    /// An empty context in the place of one in a box: its port gives the bytes.
    init(boxing reader: any IOReader, options: OpenOptions, interrupt: Interrupt) {
        guard let fresh = avformat_alloc_context() else { preconditionFailure("out of memory") }
        pointer = fresh
        port = InputPort(
            reader: options.keys.isEmpty ? reader : DecryptingReader(reader, keys: options.keys), interrupt: interrupt)
        MediaBalance.contexts.add()
    }

    deinit {
        var owned: UnsafeMutablePointer<AVFormatContext>? = pointer
        let io = port.reader == nil ? nil : pointer.pointee.pb
        avformat_close_input(&owned)
        FormatContext.free(io)
        port.detach()
        MediaBalance.contexts.add(-1)
    }

    static func free(_ io: UnsafeMutablePointer<AVIOContext>?) {
        guard let io else { return }
        // libavformat may have replaced the buffer that we gave it.
        av_free(io.pointee.buffer)
        var owned: UnsafeMutablePointer<AVIOContext>? = io
        avio_context_free(&owned)
    }

    private static func open(
        _ input: MediaInput, options: OpenOptions, port: InputPort
    ) throws(MediaError) -> UnsafeMutablePointer<AVFormatContext> {
        let name: String
        switch input {
        case .reader(_, let given), .document(_, let given, _): name = given
        case .url(let url, let trust): name = try URLScheme.checked(url, trust: trust)
        }
        guard let fresh = avformat_alloc_context() else { throw outOfMemory(input) }
        var context: UnsafeMutablePointer<AVFormatContext>? = fresh
        port.install(in: fresh)
        var io: UnsafeMutablePointer<AVIOContext>?
        if port.reader != nil {
            io = port.makeIO()
            guard io != nil else {
                avformat_free_context(fresh)
                throw outOfMemory(input)
            }
            fresh.pointee.pb = io
            fresh.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
            // MP4's demuxer would take the fragments that there are for all.
            if port.reader?.isGrowing ?? false { fresh.pointee.flags |= AVFMT_FLAG_IGNIDX }
        }
        if let size = options.probeSize { fresh.pointee.probesize = max(2048, size) }
        if let span = options.maxAnalyzeDuration { fresh.pointee.max_analyze_duration = max(0, span.nanoseconds / 1000) }
        // A video file has tens of streams, a broadcast multiplex some hundreds; more is an attack.
        fresh.pointee.max_streams = 512

        var dictionary = dictionary(for: input, options: options)
        defer { av_dict_free(&dictionary) }
        // A report tells how sure libavformat is of its own guess.
        let isGuessed = options.formatHint == nil && options.analysis == .playback
        let signed = isGuessed ? io.flatMap { signature($0) } : nil
        let hint = (options.formatHint ?? signed).flatMap { av_find_input_format($0) }
        // Frees the context on failure, but never our AVIO.
        let (status, complaints) = FFmpegLog.complaints { avformat_open_input(&context, name, hint, &dictionary) }
        guard status >= 0, let context else {
            free(io)
            throw openError(input, status, port, complaints)
        }
        return context
    }

    /// The container that the beginning names, which stays to be read; nil where it names none.
    private static func signature(_ io: UnsafeMutablePointer<AVIOContext>) -> String? {
        var bytes = [UInt8](repeating: 0, count: ContainerSignature.count)
        let got = avio_read_partial(io, &bytes, Int32(bytes.count))
        // What cannot be read now is what the demuxer meets.
        io.pointee.error = 0
        // In the buffer, so that a pipe goes back, too.
        guard avio_seek(io, 0, SEEK_SET) == 0, got == bytes.count else { return nil }
        return ContainerSignature.demuxer(of: bytes)
    }

    static func dictionary(for input: MediaInput, options: OpenOptions) -> OpaquePointer? {
        var dictionary: OpaquePointer?
        if let rate = options.subtitleFrameRate, rate > 0 { av_dict_set(&dictionary, "subfps", "\(rate)", 0) }
        // As FFmpeg's programs do: the tables of all programs of a transport stream decide which streams are waited for. Of a remote one that would
        // fetch as much as a probe may take, and of segments all that follow the first.
        if options.analysis == .full, case .reader(let reader, _) = input, reader.traits.isLocal {
            av_dict_set(&dictionary, "scan_all_pmts", "1", 0)
        }
        if let nested = URLScheme.nested(in: input) { av_dict_set(&dictionary, "protocol_whitelist", nested, 0) }
        if case .document = input {
            // libavformat would look for the connection of its own http in ours.
            av_dict_set(&dictionary, "http_persistent", "0", 0)
            av_dict_set(&dictionary, "http_multiple", "0", 0)
        }
        guard case .url(let url, let trust) = input else { return dictionary }
        trust.set(in: &dictionary)
        // Microseconds. 15 s without a byte: longer than a lossy link's retransmissions, shorter than patience.
        av_dict_set(&dictionary, "rw_timeout", "15000000", 0)
        guard url.lowercased().hasPrefix("http") else { return dictionary }
        av_dict_set(&dictionary, "reconnect", "1", 0)
        av_dict_set(&dictionary, "reconnect_delay_max", "5", 0)
        av_dict_set(&dictionary, "user_agent", "aether-tui", 0)
        // A line break inside a header would let it forge further ones.
        let headers = options.httpHeaders.sorted { $0.key < $1.key }.map { name, value in
            DisplayText.singleLine(name, limit: 200) + ": " + DisplayText.singleLine(value, limit: 8000) + "\r\n"
        }
        if !headers.isEmpty { av_dict_set(&dictionary, "headers", headers.joined(), 0) }
        return dictionary
    }

    private static func outOfMemory(_ input: MediaInput) -> MediaError {
        MediaError(.cannotOpen, "open", subject: input.name, averror: aether_averror(ENOMEM))
    }

    /// A source that opens but is no media says so with its own code; a system's refusal keeps the system's words.
    private static func openError(
        _ input: MediaInput, _ status: Int32, _ port: InputPort, _ complaints: FFmpegLog.Complaints
    ) -> MediaError {
        if case .url(let url, _) = input, let fault = ProtocolFault.fault(status, of: url, complaints: complaints.lines) {
            return MediaError(.cannotOpen, "open", subject: url, cause: status, reason: fault.sentence(asked: url))
        }
        if let words = port.words(for: status) {
            return MediaError(.cannotOpen, "open", subject: input.name, cause: aether_averror(ENETDOWN), reason: words)
        }
        let error = AVError(code: status)
        switch error {
        case .invalidData, .demuxerNotFound, .endOfFile:
            if let words = port.lastWords {
                return MediaError(.cannotOpen, "open", subject: input.name, cause: aether_averror(ENETDOWN), reason: words)
            }
            let reason = error == .endOfFile ? "it ends before any stream is described" : error.text
            return MediaError(.notMedia, "open", subject: input.name, cause: status, reason: reason)
        default:
            return MediaError(.cannotOpen, "open", subject: input.name, averror: status)
        }
    }
}
