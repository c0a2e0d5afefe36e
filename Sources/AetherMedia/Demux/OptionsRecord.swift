import AetherCore

/// The options for opening a source on their way into a box. Keys stay outside.
public enum OptionsRecord {
    /// Options as bytes.
    public static func put(_ options: OpenOptions, to record: inout RecordWriter) {
        record.put(options.formatHint) { $0.put($1) }
        record.put(options.probeSize) { $0.put($1) }
        record.put(options.maxAnalyzeDuration) { $0.put($1.nanoseconds) }
        record.put(options.analysis == .full)
        let segments: UInt8 =
            switch options.segments {
            case nil: 0
            case .unknown: 1
            case .known: 2
            }
        record.put(segments)
        record.put(options.subtitleFrameRate) { $0.put($1) }
    }

    /// The options of a record.
    public static func options(_ record: inout RecordReader) -> OpenOptions {
        var options = OpenOptions()
        options.formatHint = record.optional { $0.line(limit: 100) }
        options.probeSize = record.optional { $0.integer() }
        options.maxAnalyzeDuration = record.optional { TimeSpan(nanoseconds: $0.integer()) }
        options.analysis = record.bool() ? .full : .playback
        switch record.integer(in: UInt8(0)...2) {
        case 1: options.segments = .unknown
        case 2: options.segments = .known
        default: options.segments = nil
        }
        options.subtitleFrameRate = record.optional { $0.double() }
        return options
    }
}
