public import Foundation

/// A program run to its end without a terminal: standard output and error apart.
public struct Command: Sendable {
    /// The exit status; negative is the number of the signal that ended it.
    public let status: Int32
    public let standardOutput, standardError: String

    /// Runs the program and waits for it. `environment` is laid over this process's own. Both streams go to files, so
    /// neither can fill up and block the program.
    public init(_ arguments: [String], environment: [String: String] = [:], input: Data = Data()) throws {
        let folder = try TemporaryFolder()
        let files = ["in", "out", "err"].map { folder.url.appending(path: $0) }
        try input.write(to: files[0])
        try Data().write(to: files[1])
        try Data().write(to: files[2])
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        // The player's history must not get into the tester's own, nor show here; and it speaks English whatever the tester does.
        let own = ["XDG_STATE_HOME": folder.path("state"), "LANGUAGE": "", "LC_MESSAGES": "C.UTF-8"]
        process.environment = ProcessInfo.processInfo.environment.merging(own) { $1 }.merging(environment) { $1 }
        process.standardInput = try FileHandle(forReadingFrom: files[0])
        process.standardOutput = try FileHandle(forWritingTo: files[1])
        process.standardError = try FileHandle(forWritingTo: files[2])
        try process.run()
        process.waitUntilExit()
        status = process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
        standardOutput = String(decoding: try Data(contentsOf: files[1]), as: UTF8.self)
        standardError = String(decoding: try Data(contentsOf: files[2]), as: UTF8.self)
    }

    /// The lines of standard error that say something.
    public var errorLines: [Substring] { standardError.split(separator: "\n") }
}
