import AetherCore
import Glibc

/// The program `tesseract`, which reads text in bitmaps. Started once a bitmap, with one thread and lower priority; a bitmap goes in
/// through its standard input, the text comes out of its standard output. Lives on the thread `ocr`; blocks for `patience` at most.
final class Tesseract: Sendable {
    let path: String
    private let patience: TimeSpan
    /// Signalled for good: nothing is read any more.
    private let stopped = WakeHandle()
    private static let outputLimit = 16 << 10

    /// The program at a path. Two lines take it 0.2 … 0.5 s; what takes longer than `patience` is no text.
    init(path: String, patience: TimeSpan = .seconds(5)) { (self.path, self.patience) = (path, patience) }

    /// The program in the first of these folders ("/usr/local/bin:/usr/bin") that has it; nil for none. Blocks on the file system.
    static func find(in folders: String) -> Tesseract? { ChildProgram.find("tesseract", in: folders).map { Tesseract(path: $0) } }

    /// Breaks off what runs, and whatever is asked later. Any thread; never blocks.
    func stop() { stopped.wake() }

    /// The text in a bitmap, in one block; "" for nothing. `language` is of ISO 639-2/T; where the program does not know it, its own
    /// default is taken.
    func text(in image: GreyBitmap, language: String?) -> String {
        let arguments = ["-", "-", "--psm", "6"]
        if let language, language.utf8.allSatisfy({ (0x61...0x7A).contains($0) }) {
            let text = output(of: arguments + ["-l", language], input: image.pgm)
            if !text.isEmpty { return text }
        }
        return output(of: arguments, input: image.pgm)
    }

    private func output(of arguments: [String], input: [UInt8]) -> String {
        // More threads than one are slower for bitmaps of this size, and the others are the video's.
        let environment =
            ["OMP_THREAD_LIMIT=1", "LC_ALL=C.UTF-8"]
            + ["PATH", "HOME", "TESSDATA_PREFIX"].compactMap { name in
                getenv(name).map { name + "=" + String(cString: $0) }
            }
        let call = ChildProgram.Call(
            path: path, arguments: arguments, environment: environment, input: input, outputLimit: Self.outputLimit)
        let deadline = SystemTime().now() + patience
        guard let program = ChildProgram(call) else { return "" }
        let outcome = program.outcome(until: deadline, stop: stopped)
        return outcome.end == .givenUp ? "" : String(decoding: outcome.output, as: UTF8.self)
    }
}
