public import AetherCore
import AetherEngine
import AetherOptions
public import ArgumentParser

/// Recording and time shift, on the command line.
public struct RecordingOptions: ParsableArguments, Sendable {
    /// `--record`: the file to make; nil for no recording.
    @Option(
        help: .translated(
            "Record the first source to this file as it comes: .mkv, .ts or .mp4, for any other name Matroska.", value: "file"),
        completion: .file())
    public var record: String?

    /// `--record-as-is`: the source's own bytes.
    @Flag(
        help: .translated(
            "Record the source's own bytes, or whole segments, where it cannot seek; else its packets, in a file of its form.")
    )
    public var recordAsIs = false

    /// `--record-for`: the recording ends by itself, and the player with it.
    @Option(
        name: [.customLong("for")],
        help: .translated("With --record: end the recording and the player after this time: 90m, 1h30m, 45:00.", value: "time")
    )
    public var recordFor: RecordingSpan?

    /// `--at`: the player waits for a time of the clock.
    @Option(
        name: [.customLong("at")],
        help: .translated("With --record: begin at this time of day, today or tomorrow: 20:15.", value: "time"))
    public var recordAt: ClockTime?

    /// `--record-dir`: the folder of recordings by key.
    @Option(
        help: .translated(
            "Save recordings begun by a key here; without it in $XDG_VIDEOS_DIR, else in the current directory.",
            value: "directory"),
        completion: .directory)
    public var recordDir: String?

    /// `--download-dir`: the folder of downloads by key.
    @Option(
        help: .translated(
            "Save downloads begun by a key here; without it in $XDG_VIDEOS_DIR, else in the current directory.",
            value: "directory"),
        completion: .directory)
    public var downloadDir: String?

    /// `--dvr`: what is kept of live sources.
    @Option(
        help: .translated(
            "Keep this much of live sources on disk for seeking back: a time as 2h, a size as 4G, or off.", form: "time|bytes|off"
        ))
    public var dvr = TimeShiftLimit.span(.seconds(1800))

    /// No recording.
    public init() {}

    /// Checks what types alone do not say.
    public func validate() throws {
        if record == "" { throw ValidationError(translated("--record takes the name of a file to make.")) }
        if recordDir == "" { throw ValidationError(translated("--record-dir takes the name of a directory.")) }
        if downloadDir == "" { throw ValidationError(translated("--download-dir takes the name of a directory.")) }
        if record == nil, recordFor != nil {
            throw ValidationError(translated("--for says how long --record FILE goes on: name both."))
        }
        if record == nil, recordAt != nil { throw ValidationError(translated("--at says when --record FILE begins: name both.")) }
    }

    /// The recording that begins with the first source.
    var order: RecordingOrder? { file.map { RecordingOrder(path: $0, span: recordFor?.span, isAsIs: recordAsIs) } }

    /// The file of `record`; no shell replaces a `~` behind `--record=`.
    var file: String? { record.map { HomePath.expanded($0) } }
}

/// How much of live sources is kept: "2h", "4G", or "off".
public enum TimeShiftLimit: ExpressibleByArgument, Sendable, Equatable, CustomStringConvertible {
    case off
    case span(TimeSpan)
    case bytes(Int64)

    /// Parses; nil for anything else.
    public init?(argument: String) {
        if argument == "off" || argument == "0" {
            self = .off
        } else if let last = argument.last, "kKMGT".contains(last), let count = ByteCount(argument: argument) {
            guard count.bytes >= 1 << 20 else { return nil }
            self = .bytes(Int64(count.bytes))
        } else if let span = RecordingSpan(argument: argument)?.span, span >= .seconds(10) {
            self = .span(span)
        } else {
            return nil
        }
    }

    /// As it is written.
    public var description: String {
        switch self {
        case .off: "off"
        case .span(let span): "\(Int(span.seconds / 60))m"
        case .bytes(let count): "\(count >> 20)M"
        }
    }

    /// The default as --help shows it.
    public var defaultValueDescription: String { description }

    /// The engine's options, with the file in a folder.
    func options(in folder: String?) -> TimeShiftOptions {
        var options = TimeShiftOptions(folder: folder)
        switch self {
        case .off: return TimeShiftOptions()
        // 10 Mbit/s for the time that was asked for, and 1 GB at least.
        case .span(let span):
            options.span = span
            options.byteLimit = max(1 << 30, Int64(span.seconds * 2_500_000))
        case .bytes(let count):
            options.span = .seconds(7 * 86_400)
            options.byteLimit = count
        }
        return options
    }
}

/// A length of time as a person says it: "90m", "1h30m", "45:00", or seconds.
public struct RecordingSpan: ExpressibleByArgument, Sendable, Equatable {
    /// Above zero, a year at most.
    public let span: TimeSpan

    /// Parses; nil for anything else.
    public init?(argument: String) {
        guard let seconds = Self.seconds(argument), seconds > 0, seconds <= 366 * 86_400 else { return nil }
        span = .seconds(seconds)
    }

    private static func seconds(_ text: String) -> Double? {
        if case .offset(let span) = TimePoint(text) { return span.seconds }
        var total = 0.0, number = "", rest = ["h", "m", "s"][...]
        for letter in text {
            if letter.isASCII, letter.isNumber || letter == "." {
                number.append(letter)
                continue
            }
            guard let value = Double(number), let unit = rest.firstIndex(of: String(letter)) else { return nil }
            total += value * [3600, 60, 1][unit]
            (number, rest) = ("", rest[(unit + 1)...])
        }
        return number.isEmpty && !text.isEmpty ? total : nil
    }
}

/// A time of the clock: "20:15" or "20:15:30".
public struct ClockTime: ExpressibleByArgument, Sendable, Equatable {
    /// Within their ranges.
    public let hour, minute, second: Int

    /// Parses; nil for anything else.
    public init?(argument: String) {
        let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { $0.count == 2 || $0.count == 1 ? Int($0) : nil }
        guard numbers.count == parts.count, (2...3).contains(numbers.count), (0..<24).contains(numbers[0]),
            numbers.dropFirst().allSatisfy({ (0..<60).contains($0) })
        else { return nil }
        (hour, minute, second) = (numbers[0], numbers[1], numbers.count == 3 ? numbers[2] : 0)
    }
}
