public import AetherCore

/// One of several ways in which a Matroska file can be cut into chapters, and played.
public struct MatroskaEdition: Sendable, Equatable {
    /// A name in a language.
    public struct Name: Sendable, Equatable {
        /// The language as written, "eng" or "de-AT"; "" where the file states none.
        public var language = ""
        /// Safe to display.
        public var text = ""
    }

    /// A chapter, which may hold others.
    public struct Atom: Sendable, Equatable {
        /// The beginning of the chapter, in the time of the file.
        public var start = MediaTime.zero
        /// The end of the chapter; nil where the file does not say.
        public var end: MediaTime?
        /// `ChapterFlagHidden`: not listed.
        public var isHidden = false
        /// `ChapterFlagEnabled`: a player should play it.
        public var isEnabled = true
        /// The segment UID of the file that this part lies in, where the chapter names one.
        public var segment: [UInt8]?
        /// The titles, one for each language.
        public var names: [Name] = []
        /// Nested chapters, at most 8 levels deep.
        public var children: [Atom] = []
    }

    /// `EditionUID`; 0 where the file gives none.
    public var uid: UInt64 = 0
    /// `EditionFlagHidden`: listed behind the others.
    public var isHidden = false
    /// `EditionFlagDefault`: played unless another is chosen.
    public var isDefault = false
    /// The atoms of the edition are played one after another, each to its own end, and nothing else.
    public var isOrdered = false
    /// The titles, one for each language.
    public var names: [Name] = []
    /// The chapters, in the order of the file.
    public var atoms: [Atom] = []

    /// A disc with cuts for every language has some ten.
    static let limit = 64
    /// Of one edition, nested ones counted.
    static let atomLimit = 1000
    private static let depthLimit = 8
    private static let nameLimit = 32

    private enum ID {
        static let entry: UInt32 = 0x45B9, uid: UInt32 = 0x45BC, hidden: UInt32 = 0x45BD, isDefault: UInt32 = 0x45DB
        static let ordered: UInt32 = 0x45DD, display: UInt32 = 0x4520, string: UInt32 = 0x4521, language: UInt32 = 0x45E4
        static let atom: UInt32 = 0xB6, start: UInt32 = 0x91, end: UInt32 = 0x92, atomHidden: UInt32 = 0x98
        static let enabled: UInt32 = 0x4598, segment: UInt32 = 0x6E67, atomDisplay: UInt32 = 0x80, atomString: UInt32 = 0x85
        static let atomLanguage: UInt32 = 0x437C, atomBCP47: UInt32 = 0x437D
        static let tag: UInt32 = 0x7373, targets: UInt32 = 0x63C0, target: UInt32 = 0x63C9, simpleTag: UInt32 = 0x67C8
        static let tagName: UInt32 = 0x45A3, tagString: UInt32 = 0x4487, tagLanguage: UInt32 = 0x447A
    }

    /// The editions that a file's `Chapters` hold, in its order, those without a chapter left out.
    static func all(_ chapters: ArraySlice<UInt8>) -> [MatroskaEdition] {
        var found: [MatroskaEdition] = []
        for element in EBMLReader(chapters) where element.id == ID.entry && found.count < limit {
            let edition = MatroskaEdition(element.payload)
            if !edition.atoms.isEmpty { found.append(edition) }
        }
        return found
    }

    init() {}

    private init(_ entry: ArraySlice<UInt8>) {
        var room = Self.atomLimit
        for element in EBMLReader(entry) {
            let number = element.payload.ebmlNumber ?? 0
            switch element.id {
            case ID.uid: uid = number
            case ID.hidden: isHidden = number == 1
            case ID.isDefault: isDefault = number == 1
            case ID.ordered: isOrdered = number == 1
            case ID.display: Self.add(Self.name(element.payload, ID.string, [ID.language]), to: &names)
            case ID.atom:
                if let atom = Self.atom(element.payload, room: &room, depth: 0) { atoms.append(atom) }
            default: break
            }
        }
    }

    /// Takes names from a file's `Tags` for editions that have none themselves: their title.
    static func name(_ editions: inout [MatroskaEdition], by tags: ArraySlice<UInt8>) {
        for tag in EBMLReader(tags) where tag.id == ID.tag {
            var uids: Set<UInt64> = [], titles: [Name] = []
            for element in EBMLReader(tag.payload) {
                if element.id == ID.targets {
                    for target in EBMLReader(element.payload) where target.id == ID.target {
                        if let uid = target.payload.ebmlNumber, uid != 0 { uids.insert(uid) }
                    }
                } else if element.id == ID.simpleTag, isTitle(element.payload) {
                    add(name(element.payload, ID.tagString, [ID.tagLanguage]), to: &titles)
                }
            }
            for index in editions.indices where editions[index].names.isEmpty && uids.contains(editions[index].uid) {
                editions[index].names = titles
            }
        }
    }

    private static func isTitle(_ tag: ArraySlice<UInt8>) -> Bool {
        EBMLReader(tag).first { $0.id == ID.tagName }?.payload.ebmlText.uppercased() == "TITLE"
    }

    private static func atom(_ bytes: ArraySlice<UInt8>, room: inout Int, depth: Int) -> Atom? {
        guard room > 0, depth < depthLimit else { return nil }
        room -= 1
        var atom = Atom(), hasStart = false
        for element in EBMLReader(bytes) {
            let number = element.payload.ebmlNumber
            switch element.id {
            case ID.start:
                hasStart = number != nil
                atom.start = MediaTime(nanoseconds: Int64(clamping: number ?? 0))
            case ID.end: atom.end = number.map { MediaTime(nanoseconds: Int64(clamping: $0)) }
            case ID.atomHidden: atom.isHidden = number == 1
            case ID.enabled: atom.isEnabled = number != 0
            case ID.segment: atom.segment = Array(element.payload.prefix(64))
            case ID.atomDisplay: add(name(element.payload, ID.atomString, [ID.atomBCP47, ID.atomLanguage]), to: &atom.names)
            case ID.atom:
                if let child = Self.atom(element.payload, room: &room, depth: depth + 1) { atom.children.append(child) }
            default: break
            }
        }
        return hasStart ? atom : nil
    }

    /// The text of a display with the first of the languages that is there.
    private static func name(_ bytes: ArraySlice<UInt8>, _ text: UInt32, _ languages: [UInt32]) -> Name {
        var name = Name(), rank = languages.count
        for element in EBMLReader(bytes) {
            if element.id == text { name.text = element.payload.ebmlText }
            if let index = languages.firstIndex(of: element.id), index < rank {
                (name.language, rank) = (element.payload.ebmlText, index)
            }
        }
        return name
    }

    private static func add(_ name: Name, to names: inout [Name]) {
        if !name.text.isEmpty, names.count < nameLimit { names.append(name) }
    }
}
