import AetherCore
import AetherFormats
import CFFmpeg
import Synchronization

/// Our side of libavformat's callbacks: the interrupt and, where bytes are our own, the reader.
final class InputPort: Sendable {
    let reader: (any IOReader)?
    let interrupt: Interrupt
    /// The inputs beside the reader: the files that a document names. nil: libavformat opens those.
    private let nested: NestedInputs?
    let bytesRead: Counter
    /// The last fault of the reader, in words that libavformat's numbers do not hold.
    private let fault = Mutex<NetworkFault?>(nil)
    /// libavformat's own opener, called by ours. Written once before any callback can run.
    nonisolated(unsafe) var defaultOpen:
        (
            @convention(c) (
                UnsafeMutablePointer<AVFormatContext>?, UnsafeMutablePointer<UnsafeMutablePointer<AVIOContext>?>?,
                UnsafePointer<CChar>?, Int32, UnsafeMutablePointer<OpaquePointer?>?
            ) -> Int32
        )?

    /// 64 KiB of a local file: one read of it feeds several frames of a 20 Mbit/s video, and a seek throws little away. 512 KiB of a remote one:
    /// about as much as comes at one stroke over the fastest links, so that it need not be copied once more on its way (a tenth of the CPU).
    static func bufferSize(of traits: IOReaderTraits) -> Int { traits.isLocal ? 64 << 10 : 512 << 10 }

    /// Who vouches for the servers of libavformat's own protocols.
    private let trust: CertificateTrust

    /// Whether the reader is a document that names other files.
    var isDocument: Bool { nested != nil }

    /// `bytesRead` counts along with others.
    init(
        reader: (any IOReader)?, opener: DocumentOpener? = nil, bytesRead: Counter = Counter(),
        trust: CertificateTrust = .system, interrupt: Interrupt
    ) {
        (self.bytesRead, self.trust) = (bytesRead, trust)
        nested = opener.map { NestedInputs($0, bytesRead, interrupt) }
        self.reader = reader
        self.interrupt = interrupt
        if let reader { interrupt.attach(reader) }
    }

    /// Takes the reader out of the interrupt again.
    func detach() {
        if let reader { interrupt.detach(reader) }
    }

    /// Lets libavformat ask whether to go on. The port must outlive the context.
    func install(in context: UnsafeMutablePointer<AVFormatContext>) {
        let opaque = Unmanaged.passUnretained(self).toOpaque()
        context.pointee.opaque = opaque
        context.pointee.interrupt_callback = AVIOInterruptCB(
            callback: { opaque in InputPort.at(opaque)?.interrupt.isRaised == true ? 1 : 0 }, opaque: opaque)
        if let nested {
            nested.install(in: context)
            context.pointee.io_open = { context, io, url, flags, options in
                guard let nested = InputPort.at(context?.pointee.opaque)?.nested, let url, let io else {
                    return aether_averror(EINVAL)
                }
                return nested.open(String(cString: url), context, io, flags, options)
            }
            context.pointee.io_close2 = { context, io in InputPort.at(context?.pointee.opaque)?.nested?.close(io, context) ?? 0 }
            return
        }
        // Playlist demuxers open segments without handing on the TLS options: verification must hold for those too.
        defaultOpen = context.pointee.io_open
        context.pointee.io_open = { context, io, url, flags, options in
            guard let port = InputPort.at(context?.pointee.opaque), let defaultOpen = port.defaultOpen else {
                return aether_averror(EINVAL)
            }
            guard let options else {
                var own: OpaquePointer?
                port.trust.set(in: &own)
                defer { av_dict_free(&own) }
                return defaultOpen(context, io, url, flags, &own)
            }
            port.trust.set(in: &options.pointee)
            return defaultOpen(context, io, url, flags, options)
        }
    }

    /// An AVIO context over the reader, or nil without memory.
    func makeIO() -> UnsafeMutablePointer<AVIOContext>? {
        guard let reader else { return nil }
        let size = InputPort.bufferSize(of: reader.traits)
        guard let buffer = av_malloc(size) else { return nil }
        let seek: (@convention(c) (UnsafeMutableRawPointer?, Int64, Int32) -> Int64)? =
            reader.isSeekable ? { opaque, offset, whence in InputPort.at(opaque)?.seek(offset, whence) ?? -1 } : nil
        let io = avio_alloc_context(
            buffer.assumingMemoryBound(to: UInt8.self), Int32(size), 0, Unmanaged.passUnretained(self).toOpaque(),
            { opaque, target, size in InputPort.at(opaque)?.read(target, size) ?? aether_averror(EIO) }, nil, seek)
        if io == nil { av_free(buffer) }
        return io
    }

    private static func at(_ opaque: UnsafeMutableRawPointer?) -> InputPort? {
        opaque.map { Unmanaged<InputPort>.fromOpaque($0).takeUnretainedValue() }
    }

    private func read(_ target: UnsafeMutablePointer<UInt8>?, _ size: Int32) -> Int32 {
        guard reader != nil, let target, size > 0 else { return aether_averror(EINVAL) }
        do throws(IOReaderError) {
            let count = try readBytes(UnsafeMutableRawBufferPointer(start: target, count: Int(size)))
            return count > 0 ? Int32(min(count, Int(size))) : aether_averror_eof()
        } catch {
            return InputPort.code(of: error)
        }
    }

    /// Reads as the reader does, and counts. Fails with `.cancelled` while the interrupt is raised.
    func readBytes(_ buffer: UnsafeMutableRawBufferPointer) throws(IOReaderError) -> Int {
        guard let reader else { throw .closed }
        if interrupt.isRaised { throw .cancelled }
        do throws(IOReaderError) {
            let count = try reader.read(buffer)
            bytesRead.add(count)
            return count
        } catch {
            if case .network(let fault) = error { self.fault.withLock { $0 = fault } }
            throw error
        }
    }

    /// The reader's own words for a failure that libavformat hands on as this number; nil where it has none.
    func words(for status: Int32) -> String? {
        [aether_averror(EIO), aether_averror(ESTALE)].contains(status) ? fault.withLock { $0?.sentence } : nil
    }

    /// The reader's last failure, also where libavformat hands on a number of its own: a demuxer that misses its index calls that invalid data.
    var lastWords: String? { fault.withLock { $0?.sentence } }

    private func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
        guard let reader else { return Int64(aether_averror(EINVAL)) }
        if whence & AVSEEK_SIZE != 0 { return reader.size ?? Int64(aether_averror(ENOSYS)) }
        guard whence & ~AVSEEK_FORCE == SEEK_SET else { return Int64(aether_averror(EINVAL)) }
        do throws(IOReaderError) {
            try reader.seek(to: offset)
            return offset
        } catch {
            return Int64(InputPort.code(of: error))
        }
    }

    /// FFmpeg's number for a reader's error.
    static func code(of error: IOReaderError) -> Int32 {
        switch error {
        case .cancelled: aether_averror_exit()
        case .posix(let number): aether_averror(number)
        case .timedOut: aether_averror(ETIMEDOUT)
        case .notSeekable: aether_averror(ESPIPE)
        case .closed: aether_averror(EBADF)
        // The system's number for a file that is another one by now.
        case .network(let fault): aether_averror(fault.kind == .changed ? ESTALE : EIO)
        }
    }
}

extension CertificateTrust {
    /// Says so to libavformat's TLS.
    func set(in dictionary: inout OpaquePointer?) {
        av_dict_set(&dictionary, "tls_verify", self == .anybody ? "0" : "1", 0)
        if case .authorities(let file) = self { av_dict_set(&dictionary, "ca_file", file, 0) }
    }
}

extension InputPort {
    /// The key without which its reader has ended; nil for none.
    var missingKey: KeyID? { (reader as? DecryptingReader)?.missing }
}
