public import AetherCore
public import AetherEngine
import AetherOptions
public import ArgumentParser

/// How the quality of streams is chosen, on the command line.
public struct QualityOptions: ParsableArguments, Sendable {
    /// The ways to choose.
    public enum Adaptation: String, CaseIterable, ExpressibleByArgument, Sendable {
        case auto, off
    }

    /// `--abr`: whether the quality follows window, machine and link.
    @Option(
        help: .translated(
            "Adapt the quality of HLS and DASH to window, machine and link (auto), or stay with the first choice (off).",
            form: "auto|off"))
    public var abr = Adaptation.auto

    /// `--max-bitrate`: bits a second at most.
    @Option(help: .translated("Choose no quality above this many bits a second: 800K, 5M.", value: "bits"))
    public var maxBitrate: ByteCount?

    /// `--max-height`: lines at most.
    @Option(help: .translated("Choose no quality above this many lines: 480, 1080.", value: "lines"))
    public var maxHeight: Int?

    /// `--low-data`: the link is paid for by the byte.
    @Flag(help: .translated("Save data: at most 480 lines and 1.5 Mbit/s."))
    public var lowData = false

    /// The distances at which a broadcast is played.
    public enum Join: String, CaseIterable, ExpressibleByArgument, Sendable {
        case lowLatency = "low-latency"
        case safe
        case fastZap = "fast-zap"

        /// In the engine's words.
        public var profile: LiveJoinProfile {
            switch self {
            case .lowLatency: .lowLatency
            case .safe: .safe
            case .fastZap: .fastZap
            }
        }
    }

    /// `--live-join`: where a broadcast is joined.
    @Option(
        help: .translated(
            "Play HLS and DASH broadcasts as close to live as they allow (low-latency), three segments behind (safe), or from the newest segment (fast-zap).",
            form: "low-latency|safe|fast-zap"))
    public var liveJoin = Join.lowLatency

    /// `--variant`: wishes, the first that leaves something counts.
    @Option(
        help: .translated(
            "Choose among the qualities of HLS and DASH: best, worst, a number, or an expression such as 'height <= 720p && codec == hevc'; of several, the first that matches any counts.",
            value: "expression"))
    public var variant: [String] = []

    /// `--require`: a stream of which no wish leaves anything is not played.
    @Flag(help: .translated("Do not play a stream in which no quality matches --variant."))
    public var require = false

    /// The defaults.
    public init() {}

    /// Throws where a limit leaves nothing, or an expression is not understood.
    public func validate() throws {
        _ = try qualifiers()
        if let maxHeight, !(1...65_535).contains(maxHeight) {
            throw ValidationError(translated("--max-height takes a number of lines from 1 to 65535, for example 720"))
        }
        if let maxBitrate, maxBitrate.bytes < 1000 {
            throw ValidationError(translated("--max-bitrate takes bits a second from 1K on, for example 5M"))
        }
    }
}

extension QualityOptions {
    /// The wishes in their order. Throws with the place that is not understood.
    func qualifiers() throws -> [MediaVariantQualifier] {
        try variant.map { text in
            do throws(PredicateFault) {
                return try MediaVariantQualifier(text)
            } catch {
                throw ValidationError("--variant: \(error)")
            }
        }
    }
}

extension AdaptationOptions {
    /// As a person says it.
    init(_ options: QualityOptions) {
        self.init()
        isOn = options.abr == .auto
        maxBitRate = options.maxBitrate.map { Double($0.bytes) }
        (maxHeight, isLowData) = (options.maxHeight, options.lowData)
    }
}
