import CFFmpeg

/// The messages of the libraries under libavformat, which would go to the terminal by themselves.
public enum LibraryMessages {
    /// FFmpeg's go to the log from now on, and libxml2's, which quote the document with whatever it holds, go nowhere: libavformat says
    /// itself that a manifest is damaged. Call before any thread starts, since libxml2 gives each new thread the settings of that moment.
    /// Never blocks.
    public static func divert() {
        FFmpegLog.install()
        aether_silence_libxml2()
    }
}
