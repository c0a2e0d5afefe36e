import AetherCore

/// Who decodes a stream for which hardware was asked for, and why.
enum DecodingChoice: Sendable, Equatable {
    /// On the device: a frame takes so much CPU time, and by software so much.
    case cheaper(TimeSpan, software: TimeSpan)
    /// On the device: by software a frame takes longer than it is shown.
    case inTime(software: TimeSpan, interval: TimeSpan)
    /// By software, as in all that follow: streams of a box are decoded there.
    case boxed
    /// No device opens.
    case unavailable(MediaError)
    /// The codec has no decoder on it.
    case unknown(codec: String)
    /// It does not decode this stream.
    case refused(MediaError)
    /// The stream is too short, or its times are not known.
    case unmeasured
    /// Its frames are not those of software.
    case differing
    /// It takes more CPU time, or hardly less.
    case costlier(TimeSpan, software: TimeSpan)
    /// A frame takes longer there than it is shown.
    case late(TimeSpan, interval: TimeSpan)
    /// It decoded, and then it did not any more.
    case failed(MediaError)

    /// Whether the device decodes.
    var usesDevice: Bool {
        switch self {
        case .cheaper, .inTime: true
        default: false
        }
    }

    /// The person has to know: what they asked for is not had at all, or is lost.
    var isNews: Bool {
        switch self {
        case .boxed, .unavailable, .failed: true
        default: false
        }
    }

    /// One sentence.
    var sentence: String {
        switch self {
        case .cheaper(let device, let software):
            translated("VA-API decodes: \(Self.text(device)) ms of CPU a frame, software takes \(Self.text(software))")
        case .inTime(let software, let interval):
            translated("VA-API decodes: software takes \(Self.text(software)) ms for a frame of \(Self.text(interval))")
        case .boxed: translated("software decodes: the box has no graphics device, --no-sandbox lets VA-API be tried")
        case .unavailable(let error): translated("software decodes: \(error)")
        case .unknown(let codec): translated("software decodes: VA-API has no decoder for \(codec)")
        case .refused(let error): translated("software decodes: VA-API refuses the stream: \(error)")
        case .unmeasured: translated("software decodes: there are too few frames to compare VA-API with it")
        case .differing: translated("software decodes: VA-API shows something else")
        case .costlier(let device, let software):
            translated("software decodes: \(Self.text(software)) ms of CPU a frame, VA-API takes \(Self.text(device))")
        case .late(let device, let interval):
            translated("software decodes: VA-API takes \(Self.text(device)) ms for a frame of \(Self.text(interval))")
        case .failed(let error): translated("software decodes: VA-API has failed: \(error)")
        }
    }

    /// Milliseconds with two decimals.
    private static func text(_ span: TimeSpan) -> String { "\((span.milliseconds * 100).rounded() / 100)" }
}
