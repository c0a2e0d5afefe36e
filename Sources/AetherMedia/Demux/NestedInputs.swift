import AetherCore
import CFFmpeg
import Synchronization

/// The files that a document names, open beside it. libavformat asks for each by its address; none is opened but by the document's opener.
final class NestedInputs: Sendable {
    /// libavformat's types of functions that open and close.
    typealias Opening =
        @convention(c) (
            UnsafeMutablePointer<AVFormatContext>?, UnsafeMutablePointer<UnsafeMutablePointer<AVIOContext>?>?,
            UnsafePointer<CChar>?, Int32, UnsafeMutablePointer<OpaquePointer?>?
        ) -> Int32
    typealias Closing = @convention(c) (UnsafeMutablePointer<AVFormatContext>?, UnsafeMutablePointer<AVIOContext>?) -> Int32

    private let opener: DocumentOpener
    private let bytesRead: Counter
    private let interrupt: Interrupt
    /// By their AVIO contexts.
    private let ports = Mutex<[UInt: InputPort]>([:])
    /// Written once before any callback can run.
    nonisolated(unsafe) private var defaultOpen: Opening?
    nonisolated(unsafe) private var defaultClose: Closing?
    private static let log = Log.module("demux")

    /// More than a document of any use needs at one time: each rendition has two. One that opens without end is stopped.
    private static let limit = 64
    /// Keys and short headers; files do not travel in addresses.
    private static let dataLimit = 64 << 10

    init(_ opener: DocumentOpener, _ bytesRead: Counter, _ interrupt: Interrupt) {
        (self.opener, self.bytesRead) = (opener, bytesRead)
        self.interrupt = interrupt
    }

    /// Keeps libavformat's own functions, for `data:`.
    func install(in context: UnsafeMutablePointer<AVFormatContext>) {
        defaultOpen = context.pointee.io_open
        defaultClose = context.pointee.io_close2
    }

    /// Opens what the document names. Returns libavformat's number for a failure.
    func open(
        _ address: String, _ context: UnsafeMutablePointer<AVFormatContext>?,
        _ io: UnsafeMutablePointer<UnsafeMutablePointer<AVIOContext>?>, _ flags: Int32,
        _ options: UnsafeMutablePointer<OpaquePointer?>?
    ) -> Int32 {
        guard flags & AVIO_FLAG_WRITE == 0, ports.withLock({ $0.count < Self.limit }) else { return aether_averror(EACCES) }
        if address.prefix(5).lowercased() == "data:" {
            guard address.utf8.count <= Self.dataLimit * 4 / 3 + 100, let defaultOpen else { return aether_averror(EACCES) }
            return defaultOpen(context, io, address, flags, options)
        }
        do throws(IOReaderError) {
            var words = NestedWords(options)
            var url = address
            if url.hasPrefix("crypto+") || url.hasPrefix("crypto:") {
                url = String(url.dropFirst("crypto+".count))
            } else {
                words.key = nil
            }
            guard ["http://", "https://"].contains(where: { url.lowercased().hasPrefix($0) }) else { throw .posix(EACCES) }
            var reader = try opener.open(url, interrupt)
            if words.start > 0 || words.end != nil { reader = try PartReader(reader, from: words.start, to: words.end) }
            if let key = words.key { reader = try DecipheringReader(reader, key: key, initial: words.initial) }
            let port = InputPort(reader: reader, bytesRead: bytesRead, interrupt: interrupt)
            guard let made = port.makeIO() else {
                port.detach()
                throw .posix(ENOMEM)
            }
            let key = UInt(bitPattern: made)
            ports.withLock { $0[key] = port }
            io.pointee = made
            return 0
        } catch {
            if case .network(let fault) = error { Self.log.warning("\(Redaction.shown(address)): \(fault.sentence)") }
            return InputPort.code(of: error)
        }
    }

    /// Closes what was opened here, or by libavformat.
    func close(_ io: UnsafeMutablePointer<AVIOContext>?, _ context: UnsafeMutablePointer<AVFormatContext>?) -> Int32 {
        guard let io else { return 0 }
        let key = UInt(bitPattern: io)
        guard let port = ports.withLock({ $0.removeValue(forKey: key) }) else { return defaultClose?(context, io) ?? 0 }
        FormatContext.free(io)
        port.detach()
        port.reader?.close()
        return 0
    }
}

/// The options that libavformat gives along with a file's address.
private struct NestedWords {
    var start: Int64 = 0
    /// Behind the last byte; nil: the file's end.
    var end: Int64?
    var key: [UInt8]?
    var initial: [UInt8] = []

    init(_ options: UnsafeMutablePointer<OpaquePointer?>?) {
        guard let options else { return }
        func word(_ name: String) -> String? {
            av_dict_get(options.pointee, name, nil, 0).map { String(cString: $0.pointee.value) }
        }
        start = max(0, word("offset").flatMap { Int64($0) } ?? 0)
        end = word("end_offset").flatMap { Int64($0) }.flatMap { $0 > start ? $0 : nil }
        key = word("key").flatMap(Self.bytes)
        initial = word("iv").flatMap(Self.bytes) ?? []
    }

    /// Hexadecimal digits as bytes; nil for what is none.
    private static func bytes(_ text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count == 32 else { return nil }
        var bytes: [UInt8] = []
        for place in stride(from: 0, to: 32, by: 2) {
            guard let byte = UInt8(String(decoding: digits[place..<place + 2], as: UTF8.self), radix: 16) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }
}
