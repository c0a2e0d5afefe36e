public import AetherCore
import CFFmpeg

/// The bytes behind a URL, as far as the caller wants them.
public enum URLBytes {
    /// Reads to the end or to `limit` bytes through libavformat's protocols. Blocks until the interrupt is raised. Throws `.cannotOpen`,
    /// `.interrupted` or `.readFailed`.
    public static func read(
        _ url: String, limit: Int, options: OpenOptions = OpenOptions(), interrupt: Interrupt
    ) throws(MediaError) -> [UInt8] {
        let address = try URLScheme.checked(url)
        FFmpegLog.install()
        let port = InputPort(reader: nil, interrupt: interrupt)
        defer { port.detach() }
        var callback = AVIOInterruptCB(
            callback: { opaque in
                guard let opaque else { return 0 }
                return Unmanaged<InputPort>.fromOpaque(opaque).takeUnretainedValue().interrupt.isRaised ? 1 : 0
            }, opaque: Unmanaged.passUnretained(port).toOpaque())
        var dictionary = FormatContext.dictionary(for: .url(url), options: options)
        defer { av_dict_free(&dictionary) }
        var io: UnsafeMutablePointer<AVIOContext>?
        let (status, complaints) = FFmpegLog.complaints { avio_open2(&io, address, AVIO_FLAG_READ, &callback, &dictionary) }
        guard status >= 0, io != nil else {
            if !interrupt.isRaised, let fault = ProtocolFault.fault(status, of: url, complaints: complaints.lines) {
                throw MediaError(.cannotOpen, "open", subject: url, cause: status, reason: fault.sentence(asked: url))
            }
            throw MediaError(interrupt.isRaised ? .interrupted : .cannotOpen, "open", subject: url, averror: status)
        }
        defer { avio_closep(&io) }
        var bytes: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 64 << 10)
        while bytes.count < limit {
            let count = withExtendedLifetime(port) { avio_read(io, &room, Int32(min(room.count, limit - bytes.count))) }
            if count == aether_averror_eof() || count == 0 { break }
            guard count > 0 else {
                throw MediaError(interrupt.isRaised ? .interrupted : .readFailed, "read", subject: url, averror: count)
            }
            bytes.append(contentsOf: room[..<Int(count)])
        }
        return bytes
    }
}
