import AetherCore
import AetherTerminal
import AetherTestSupport
import Foundation
import Testing

/// The recorded answers of a terminal: a file of `Recordings`, written by scripts/record-terminal.py or composed after sources.
struct Recording: Sendable, CustomTestStringConvertible {
    let name: String
    let environment: [String: String]
    /// The terminal around tmux, as tmux reported it.
    let outer: String?
    /// One answer each.
    let answers: [[UInt8]]

    var testDescription: String { name }

    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Recordings")

    static func all() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".txt") }
            .map { String($0.dropLast(4)) }.sorted()
    }

    init(_ name: String) throws {
        self.name = name
        let text = try String(contentsOf: Self.folder.appendingPathComponent(name + ".txt"), encoding: .ascii)
        var environment: [String: String] = [:]
        var outer: String?
        var answers: [[UInt8]] = []
        for line in text.split(separator: "\n") {
            if line.hasPrefix("# env ") {
                let pair = line.dropFirst(6).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                environment[String(pair[0])] = pair.count > 1 ? String(pair[1]) : ""
            } else if line.hasPrefix("# outer: ") {
                outer = String(line.dropFirst(9))
            } else if !line.hasPrefix("#") {
                answers.append(Self.bytes(line))
            }
        }
        (self.environment, self.outer, self.answers) = (environment, outer, answers)
    }

    /// `^[` is ESC and `\x07` a byte.
    private static func bytes(_ line: Substring) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(escaped(String(line)))[...]
        while let byte = rest.popFirst() {
            if byte == 0x5C, rest.first == 0x78, rest.count >= 3,
                let value = UInt8(String(decoding: rest.dropFirst().prefix(2), as: UTF8.self), radix: 16)
            {
                rest = rest.dropFirst(3)
                bytes.append(value)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    /// A probe that was sent where this was recorded, and what tmux said.
    func probe() -> CapabilityProbe {
        let environment = ProbeEnvironment(environment)
        var probe = CapabilityProbe(
            environment: environment, sentAt: HostTime(nanoseconds: 0), sharedMemory: environment.isRemote ? nil : "eA==")
        if let outer { probe.learn(outerTerminal: outer) }
        return probe
    }

    /// The probe after bytes in pieces of random sizes (0 for all at once), and the events that were no answers.
    func fold(_ bytes: [UInt8], pieces seed: UInt64) -> (probe: CapabilityProbe, others: [InputEvent]) {
        var probe = probe()
        var decoder = InputDecoder()
        decoder.expectedCursorReports = probe.cursorReportCount
        decoder.awaitsReplies = true
        var random = SeededRandom(seed: seed)
        var rest = bytes[...]
        var others: [InputEvent] = []
        while !rest.isEmpty {
            let size = seed == 0 ? rest.count : seed == 1 ? 1 : 1 + random.below(9)
            for event in decoder.decode(rest.prefix(size)) {
                if case .reply(let reply) = event { probe.fold(reply) } else { others.append(event) }
            }
            rest = rest.dropFirst(size)
        }
        return (probe, others)
    }
}
