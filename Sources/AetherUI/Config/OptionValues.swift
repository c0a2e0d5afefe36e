public import AetherCore
public import AetherEngine
public import ArgumentParser

/// The ways to draw video.
public enum RendererChoice: String, CaseIterable, Sendable, ExpressibleByArgument {
    case auto, halfblock, quadrant, sextant, octant, braille, ascii, sixel, kitty, iterm2
}

/// The numbers of colours to send.
public enum ColorChoice: String, CaseIterable, Sendable, ExpressibleByArgument {
    case auto
    case trueColor = "24bit"
    case palette256 = "256"
    case palette16 = "16"
    case mono
}

/// Languages in order of preference.
public struct LanguageList: Sendable, Equatable, ExpressibleByArgument {
    /// Codes as written, at least one.
    public let codes: [String]

    /// Parses "de" or "ger,en".
    public init?(argument: String) {
        codes = argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard codes.allSatisfy({ (2...16).contains($0.count) && $0.allSatisfy { $0.isASCII && ($0.isLetter || $0 == "-") } })
        else {
            return nil
        }
    }

    /// Whether a track's language is one of these, and which (0 = most wanted). "de", "ger", "deu" and "German" are the same.
    public func rank(of language: String?) -> Int? {
        guard let language else { return nil }
        return codes.firstIndex { LanguageName.isSame($0, language) }
    }
}

/// The level at which the bass channel is mixed into the others.
public enum BassLevel: Sendable, Equatable, ExpressibleByArgument, CustomStringConvertible {
    case off
    /// −24...12 dB.
    case decibels(Double)

    /// Parses "off" or a number.
    public init?(argument: String) {
        if argument == "off" {
            self = .off
            return
        }
        guard let number = Double(argument), (-24...12).contains(number) else { return nil }
        self = .decibels(number)
    }

    /// nil for off.
    var level: Double? { if case .decibels(let number) = self { number } else { nil } }

    /// Decibels, or "off".
    public var description: String { level.map { "\($0)" } ?? "off" }
}

extension Downmix: ExpressibleByArgument {}
extension StreamDemuxer: ExpressibleByArgument {}
extension HardwareDecoding: ExpressibleByArgument {}

extension BitstreamPassthrough: ExpressibleByArgument {
    /// Parses "ac3,dts"; nil for any other word.
    public init?(argument: String) { self.init(names: argument) }
}

extension EqualizerCurve: ExpressibleByArgument {
    /// Parses the name of a preset or gains with commas between; nil for anything else.
    public init?(argument: String) { self.init(argument) }
}

extension ReplayGainMode: ExpressibleByArgument {}
extension VideoView.Fit: ExpressibleByArgument {}
extension ToneMapping: ExpressibleByArgument {}

extension TimePoint: ExpressibleByArgument {
    /// Parses; nil for anything but the four forms.
    public init?(argument: String) { self.init(argument) }
}
