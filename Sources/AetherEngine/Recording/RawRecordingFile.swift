import AetherCore
import AetherMedia
import Glibc

/// A recording of a source's own bytes, part by part. Nothing has to be added at its end. Owns the open file; lives on the thread `record`.
struct RawRecordingFile: ~Copyable {
    private let order: RecordingOrder
    private var ending: String?
    private var descriptor: Int32 = -1
    private var part = 0
    /// The file of the present part.
    private(set) var path: String
    /// Bytes of all parts.
    private(set) var byteCount: Int64 = 0
    /// Media time of whole segments; nil where only the packets say it.
    private(set) var span: TimeSpan?

    init(_ order: RecordingOrder, ending: String?) { (self.order, self.ending, path) = (order, ending, order.path) }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// All that was asked for is there.
    var isFull: Bool {
        guard let wanted = order.span, let span else { return false }
        return span >= wanted
    }

    /// Appends. Blocks. Throws where the file cannot be made or written.
    mutating func write(_ chunk: RecordedBytes) throws(MediaError) {
        ending = chunk.ending ?? ending
        if descriptor < 0 || chunk.beginsFile { try beginPart() }
        var written = 0
        while written < chunk.bytes.count {
            let step = chunk.bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress! + written, $0.count - written) }
            if step < 0, errno == EINTR { continue }
            guard step > 0 else { throw fault("write", step < 0 ? errno : EIO, .readFailed) }
            written += step
            byteCount += Int64(step)
        }
        if let passed = chunk.span { span = (span ?? .zero) + passed }
    }

    private mutating func beginPart() throws(MediaError) {
        if descriptor >= 0 { close(descriptor) }
        part += 1
        path = order.named(ending ?? order.form.pathExtension).path(ofPart: part)
        descriptor = open(PathText.cString(path), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0o644)
        guard descriptor >= 0 else { throw fault("write", errno, .cannotOpen) }
    }

    private func fault(_ action: String, _ number: Int32, _ code: MediaError.Code) -> MediaError {
        let reason = number == ENOSPC ? "the disk is full" : String(cString: strerror(number))
        return MediaError(code, action, subject: path, cause: -number, reason: reason)
    }
}
