import Foundation

/// A shell script of a test's own that is run as a program.
public enum ProgramFile {
    /// The script could not be written, for the reason in words.
    public struct Failure: Error {
        /// The shell's words.
        public let reason: String
    }

    /// Writes a script and makes it executable. Another process does the writing: a child that some other thread starts meanwhile would
    /// inherit the open file, and Linux starts no program that is open for writing (ETXTBSY).
    public static func write(_ script: String, to path: String) throws {
        let writing = try Command(
            ["sh", "-c", "cat > \"$1\" && chmod 755 \"$1\"", "sh", path], input: Data("#!/bin/sh\n\(script)\n".utf8))
        guard writing.status == 0 else { throw Failure(reason: writing.standardError) }
    }
}
