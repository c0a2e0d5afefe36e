import AetherFormats
import CFFmpeg

extension Container {
    /// The family of an open context.
    init(of context: UnsafeMutablePointer<AVFormatContext>) {
        self.init(formatName: FFmpegText.string(context.pointee.iformat?.pointee.name))
    }
}
