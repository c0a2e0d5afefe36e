import AetherCore
import CFFmpeg

/// FFmpeg's error numbers as values.
struct AVError: Error, Equatable {
    let code: Int32

    static let endOfFile = AVError(code: aether_averror_eof())
    static let tryAgain = AVError(code: aether_averror(EAGAIN))
    static let exit = AVError(code: aether_averror_exit())
    static let invalidData = AVError(code: aether_averror_invalid_data())
    static let demuxerNotFound = AVError(code: aether_averror_demuxer_not_found())
    static let outOfMemory = AVError(code: aether_averror(ENOMEM))

    /// FFmpeg's own words for the number.
    var text: String {
        var buffer = [CChar](repeating: 0, count: 128)
        av_strerror(code, &buffer, buffer.count)
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension MediaError {
    /// Wraps an FFmpeg error number. Interruption and the end of the media keep their own codes, whatever was asked for.
    init(_ code: Code, _ operation: String, subject: String = "", averror: Int32) {
        let error = AVError(code: averror)
        let known: Code = error == .exit ? .interrupted : error == .endOfFile ? .endOfMedia : code
        self.init(known, operation, subject: subject, cause: averror, reason: error.text)
    }
}
