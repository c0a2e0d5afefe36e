public import Foundation

/// Tiny clips made by ffmpeg when a test first asks for them, kept by the hash of their recipe.
public enum Fixtures {
    /// Why there is no clip.
    public struct Failure: Error, CustomStringConvertible {
        /// ffmpeg's reason.
        public let description: String

        /// A failure and its reason.
        public init(description: String) { self.description = description }
    }

    /// The directory of the clips: $AETHER_FIXTURES, or Tests/Fixtures/cache beside the sources.
    public static let directory: URL = {
        if let path = ProcessInfo.processInfo.environment["AETHER_FIXTURES"] { return URL(fileURLWithPath: path) }
        return URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Fixtures/cache")
    }()

    /// The clip that `ffmpeg <arguments> <output>.<ext>` makes. Made once: the file appears whole or not at all, also with
    /// several tests at work. Blocks.
    public static func clip(_ arguments: [String], ext: String) throws -> String {
        let arguments = tagged(arguments)
        // A change of the common options must make new files, too.
        let recipe = common + arguments + [ext]
        let target = directory.appendingPathComponent("\(hash(recipe)).\(ext)")
        if FileManager.default.fileExists(atPath: target.path) { return target.path }
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let draft = directory.appendingPathComponent("draft-\(UUID().uuidString).\(ext)")
        defer { unlink(draft.path) }
        let result = try run("ffmpeg", common + arguments + [draft.path])
        guard result.status == 0 else {
            throw Failure(
                description: "ffmpeg \(arguments.joined(separator: " ")): \(String(decoding: result.errors, as: UTF8.self))")
        }
        guard rename(draft.path, target.path) == 0 else { throw Failure(description: "cannot move \(target.path) into place") }
        return target.path
    }

    /// From FFmpeg 7 on what frames say of their colours counts, and not the options of the encoder.
    private static let takesTagsFromFrames: Bool = {
        // Without ffmpeg no clip is made at all, and that says why.
        guard let said = try? run("ffmpeg", ["-version"]).output else { return false }
        let version = String(decoding: said.prefix(200), as: UTF8.self).drop { !$0.isNumber }.prefix { $0.isNumber }
        return (Int(version) ?? 0) >= 7
    }()

    /// A recipe whose options of colours are told to the frames, too, behind all other filters, where that is needed.
    private static func tagged(_ arguments: [String]) -> [String] {
        let names = [
            "-color_primaries": "color_primaries", "-color_trc": "color_trc", "-colorspace": "colorspace",
            "-color_range": "range",
        ]
        let pairs = Array(zip(arguments, arguments.dropFirst()))
        let tags = pairs.compactMap { option, value in names[option].map { "\($0)=\(value)" } }
        guard !tags.isEmpty, takesTagsFromFrames, !arguments.contains("-filter_complex") else { return arguments }
        let format = pairs.last { $0.0 == "-pix_fmt" }.map { "format=\($0.1)," } ?? ""
        let filter = "\(format)setparams=\(tags.joined(separator: ":"))"
        var result = arguments
        if let place = arguments.lastIndex(where: { $0 == "-vf" || $0 == "-filter:v" }), place + 1 < arguments.count {
            result[place + 1] += "," + filter
        } else {
            result += ["-vf", filter]
        }
        return result
    }

    /// Bit-exact, so that a clip is the same wherever one FFmpeg version makes it.
    private static let common = ["-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-fflags", "+bitexact"]

    /// FNV-1a, 64 bits: two recipes of a test suite will not meet.
    private static func hash(_ recipe: [String]) -> String {
        var value: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in recipe.joined(separator: "\u{0}").utf8 { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return String(value, radix: 36)
    }

    /// Runs a program found in PATH to its end and returns all it wrote. Blocks.
    public static func run(_ program: String, _ arguments: [String]) throws -> (status: Int32, output: Data, errors: Data) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        let output = Pipe()
        // A file, so that neither stream can fill up while the other is read.
        let errorPath = NSTemporaryDirectory() + "aether-errors-" + UUID().uuidString
        guard FileManager.default.createFile(atPath: errorPath, contents: nil) else {
            throw Failure(description: "no temporary file")
        }
        defer { unlink(errorPath) }
        process.standardOutput = output
        process.standardError = FileHandle(forWritingAtPath: errorPath)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let errors = FileManager.default.contents(atPath: errorPath) ?? Data()
        return (process.terminationStatus, bytes, errors)
    }

    /// The directory of shared material ($AETHER_SHARED, or `../shared` beside the checkout), or nil where there is none.
    public static let shared: URL? = {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let candidates = [
            Shared.named,
            root.deletingLastPathComponent().appendingPathComponent("shared"),
        ]
        return candidates.compactMap { $0 }.first { FileManager.default.fileExists(atPath: $0.path) }
    }()
}
