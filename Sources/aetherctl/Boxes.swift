import AetherCore
import AetherEngine
import AetherFormats
import AetherOptions
import AetherSources
import ArgumentParser
import FoundationEssentials

/// Shows what a container is made of.
struct Boxes: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            abstract: translated("Show the boxes, elements, packets or chunks of a container, with their fields."),
            discussion: translated(
                """
                Of HLS and DASH the segments are the outermost parts. Exit status: 1 nothing at the path, or a read failed, 2 cannot open, or no \
                container that is known.
                """))
    }

    @Option(
        help: .translated(
            "The part to show, such as moov/trak[1]/mdia: places in brackets count from 0, * is any name.", value: "path"))
    var path: String?

    @Flag(help: .translated("Show the first 256 bytes of each part in hexadecimal."))
    var hex = false

    @Option(help: .translated("The number of levels to show; by default all.", value: "count"))
    var depth: Int?

    @Option(help: .translated("Of HLS and DASH: the number of segments to look into.", value: "count"))
    var segments = SegmentInspection.count

    @OptionGroup var choice: VariantArguments

    @Option(help: .translated("Of HLS and DASH: the segments of the audio in this language, or any.", value: "language"))
    var audio: String?

    @Option(help: .translated("Of HLS and DASH: the segments of the subtitles in this language, or any.", value: "language"))
    var text: String?

    @Flag(help: .translated("Print JSON."))
    var json = false

    @Argument(help: .translated("A file, a URL, or - for standard input."), completion: .file())
    var source: String

    @OptionGroup var network: NetworkOptions

    mutating func validate() throws {
        if let depth, depth < 1 { throw ValidationError(translated("--depth must be at least 1.")) }
        if segments < 1 { throw ValidationError(translated("--segments must be at least 1.")) }
        let choices = [!choice.variant.isEmpty, audio != nil, text != nil]
        if choices.filter({ $0 }).count > 1 {
            throw ValidationError(translated("Only one of --variant, --audio and --text can be shown."))
        }
    }

    mutating func run() throws {
        let input = try open()
        if source != "-", SegmentInspection.reads(input.bytes.bytes(at: 0, count: 64 << 10)) { return try showSegments() }
        guard let inspection = ContainerInspection(input.bytes) else {
            throw fail(
                MediaError(.notMedia, "inspect", subject: source, reason: "the inspector cannot read this kind of file"),
                ExitStatus.cannotOpen)
        }
        let boxes = try find(path ?? "", in: inspection.boxes)
        if json {
            printSafely(JSON.array(report(boxes, input.bytes)).report)
        } else {
            show(boxes, input.bytes)
        }
        if input.isCut { printError("aetherctl: " + translated("only the first 64 MB of \(source) were looked at.")) }
        try end(boxes.isEmpty, hasFailed: input.bytes.hasFailed)
    }

    /// The segments of a rendition, each with its own bytes.
    private func showSegments() throws {
        let stream: SegmentInspection, rendition = try rendition()
        do throws(MediaError) {
            stream = try SegmentInspection(
                MediaLocation.parse(source).inPackage, http: network.http(for: source),
                workingFolder: FileManager.default.currentDirectoryPath, now: Int64(Date().timeIntervalSince1970 * 1e9),
                choice: rendition)
        } catch {
            throw fail(error, ExitStatus.cannotOpen)
        }
        stream.list(count: segments)
        // The first name of a path is a segment's, the others are those of its parts.
        let names = (path ?? "").split(separator: "/", maxSplits: 1).map(String.init)
        var isEmpty = true, reports: [JSON] = []
        for row in try find(names.first ?? "", in: stream.boxes) {
            let boxes = names.count > 1 ? try find(names[1], in: row.children) : [row]
            isEmpty = isEmpty && boxes.isEmpty
            let place = hex ? stream.boxes.firstIndex(of: row) : nil, bytes = place.flatMap { stream.bytes(of: $0) }
            if json { reports += report(boxes, bytes) } else { show(boxes, bytes) }
        }
        if json { printSafely(JSON.array(reports).report) } else { print("# \(stream.listed) of \(stream.total) segments") }
        if stream.listed < stream.total {
            printError("aetherctl: " + translated("\(stream.listed) of \(stream.total) segments were looked at (--segments)."))
        }
        try end(isEmpty, hasFailed: stream.hasFailed)
    }

    private func rendition() throws -> SegmentInspection.Choice {
        if let audio { return .track(.audio, language: audio == "any" ? nil : audio) }
        if let text { return .track(.text, language: text == "any" ? nil : text) }
        return .wishes(try choice.qualifiers(), isRequired: choice.require)
    }

    private func find(_ path: String, in boxes: [InspectedBox]) throws -> [InspectedBox] {
        guard let found = ContainerInspection.find(path, in: boxes) else {
            throw ValidationError(
                translated("A path is names with / between them, each perhaps with a place in brackets: moov/trak[1]/mdia."))
        }
        return found
    }

    private func report(_ boxes: [InspectedBox], _ bytes: InspectedBytes?) -> [JSON] {
        let digits = hex ? { (box: InspectedBox) -> String? in bytes.map { HexDump.digits($0, box) } } : nil
        return boxes.map { $0.json(depth: depth, hex: digits) }
    }

    private func show(_ boxes: [InspectedBox], _ bytes: InspectedBytes?) {
        let lines = hex ? { (box: InspectedBox) -> [String] in bytes.map { HexDump.lines($0, box) } ?? [] } : nil
        for box in boxes { printSafely(box.lines(depth: depth, hex: lines).joined(separator: "\n")) }
    }

    private func end(_ isEmpty: Bool, hasFailed: Bool) throws {
        if hasFailed {
            printError("aetherctl: " + translated("a part of \(source) could not be read."))
            throw ExitStatus.playbackFailed
        }
        if isEmpty, let path {
            printError("aetherctl: " + translated("nothing lies at \(path) in \(source)."))
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
