import AetherCore
import AetherFormats
import AetherOptions
import ArgumentParser

/// Shows what a container is made of.
struct Boxes: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the boxes, elements, packets or chunks of a container, with their fields.",
        discussion: "Exit status: 1 nothing at the path, or a read failed, 2 cannot open, or no container that is known.")

    @Option(
        help: ArgumentHelp(
            "The part to show, such as moov/trak[1]/mdia: places in brackets count from 0, * is any name.", valueName: "path"))
    var path: String?

    @Flag(help: "Show the first 256 bytes of each part in hexadecimal.")
    var hex = false

    @Option(help: ArgumentHelp("The number of levels to show; by default all.", valueName: "count"))
    var depth: Int?

    @Flag(help: "Print JSON.")
    var json = false

    @Argument(help: "A file, a URL, or - for standard input.", completion: .file())
    var source: String

    @OptionGroup var network: NetworkOptions

    mutating func validate() throws {
        if let depth, depth < 1 { throw ValidationError("--depth must be at least 1.") }
    }

    mutating func run() throws {
        let input = try open()
        guard let inspection = ContainerInspection(input.bytes) else {
            throw fail(
                MediaError(.notMedia, "inspect", subject: source, reason: "the inspector cannot read this kind of file"),
                ExitStatus.cannotOpen)
        }
        guard let boxes = path.map({ inspection.find($0) }) ?? inspection.boxes else {
            throw ValidationError(
                "A path is names with / between them, each perhaps with a place in brackets: moov/trak[1]/mdia.")
        }
        if json {
            let digits = hex ? { (box: InspectedBox) -> String? in HexDump.digits(input.bytes, box) } : nil
            printSafely(JSON.array(boxes.map { $0.json(depth: depth, hex: digits) }).report)
        } else {
            let lines = hex ? { (box: InspectedBox) -> [String] in HexDump.lines(input.bytes, box) } : nil
            for box in boxes { printSafely(box.lines(depth: depth, hex: lines).joined(separator: "\n")) }
        }
        if input.isCut { printError("aetherctl: only the first 64 MB of \(source) were looked at.") }
        if input.bytes.hasFailed {
            printError("aetherctl: a part of \(source) could not be read.")
            throw ExitStatus.playbackFailed
        }
        if boxes.isEmpty, let path {
            printError("aetherctl: nothing lies at \(path) in \(source).")
            throw ExitStatus.playbackFailed
        }
    }

    private func open() throws -> InspectionSource {
        do throws(MediaError) { return try InspectionSource(source, network) } catch { throw fail(error, ExitStatus.cannotOpen) }
    }
}

extension HexDump {
    /// The first bytes of a part, without spaces.
    static func digits(_ bytes: InspectedBytes, _ box: InspectedBox) -> String {
        digits(bytes.bytes(at: box.offset, count: Int(min(box.size, 256))))
    }

    /// The first bytes of a part, 16 on a line.
    static func lines(_ bytes: InspectedBytes, _ box: InspectedBox) -> [String] {
        lines(bytes.bytes(at: box.offset, count: Int(min(box.size, 256))), at: box.offset)
    }
}
