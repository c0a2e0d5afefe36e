import AetherCore

/// The description of a package. A written description can be read again.
public struct PackageIndex: Sendable, Equatable {
    /// A rendition's folder, and the attributes of the rendition.
    public struct Folder: Sendable, Equatable {
        /// A name for the rendition that gives away no part of its address: the same when the source is opened again.
        public var identity: String
        /// "video", "audio", "text" …
        public var kind: String
        /// The language; nil where it is unknown.
        public var language: String?

        /// A folder.
        public init(identity: String, kind: String, language: String?) {
            (self.identity, self.kind, self.language) = (identity, kind, language)
        }
    }

    /// The title for people; safe to display.
    public var title: String
    /// The source without its tokens, as a memory has it.
    public var source: String
    /// The package is complete.
    public var isComplete = false
    /// The package was recorded from a broadcast.
    public var isRecording = false
    /// The folders in their order: the first one is number 1.
    public var folders: [Folder] = []
    /// The file to open: the list of variants, or the only file.
    public var media = PackageName.master

    /// The most bytes that it may have.
    public static let sizeLimit = 1 << 20

    /// A package that is begun.
    public init(title: String, source: String) { (self.title, self.source) = (title, source) }

    /// Reads a description; nil for bytes that are none.
    public init?(_ bytes: [UInt8]) {
        // Whatever is wrong with the text, it describes no package.
        guard let json = try? JSON(bytes), json["format"]?.text == "aether-package", json["version"]?.integer == 1,
            let media = json["media"]?.text, PackageName.isFile(media)
        else { return nil }
        title = DisplayText.singleLine(json["title"]?.text ?? "", limit: 200)
        source = DisplayText.singleLine(json["source"]?.text ?? "", limit: 400)
        self.media = media
        (isComplete, isRecording) = (json["complete"]?.flag ?? false, json["recording"]?.flag ?? false)
        for value in json["renditions"]?.values?.prefix(PackageJournal.renditionLimit) ?? [] {
            folders.append(
                Folder(
                    identity: String((value["identity"]?.text ?? "").prefix(100)),
                    kind: DisplayText.singleLine(value["kind"]?.text ?? "", limit: 20),
                    language: value["language"]?.text.map { DisplayText.singleLine($0, limit: 40) }))
        }
    }

    /// The description as text.
    public var text: String {
        let folders = folders.enumerated().map { place, folder in
            JSON.object([
                ("folder", .string(PackageName.folder(place + 1))), ("identity", .string(folder.identity)),
                ("kind", .string(folder.kind)), ("language", JSON(folder.language)),
            ])
        }
        let json = JSON.object([
            ("format", .string("aether-package")), ("version", .integer(1)), ("title", .string(title)),
            ("source", .string(source)),
            ("complete", .bool(isComplete)), ("recording", .bool(isRecording)), ("media", .string(media)),
            ("renditions", .array(folders)),
        ])
        return json.report + "\n"
    }

    /// The identity of a rendition by its group's properties and its name in the manifest without a query, which may hold tokens.
    public static func identity(_ rendition: Rendition, of group: Group) -> String {
        let name = rendition.id.prefix { $0 != "?" }
        let words = [group.kind.rawValue, group.language ?? "", group.label, String(name)]
        let digest = SHA256.digest(of: Array(words.joined(separator: "\u{0}").utf8))
        return PackageEntry.hexadecimal(Array(digest.prefix(12)))
    }
}
