import AetherCore
import AetherSources

extension Browser {
    /// A line of the list.
    struct Entry: Sendable, Equatable {
        enum Kind: Sendable, Equatable { case recent, parent, directory, playlist, media }

        let kind: Kind
        /// As the file system has it; the location of a recent file.
        let name: String
        /// One line, safe to display.
        let label: String
        /// As `TypedWords.folded(_:)` has it, in UTF-8: what is typed is found in this. In bytes for speed: ten thousand names are looked through at
        /// each letter, in 1.5 ms and not in 60.
        let folded: [UInt8]
        var bytes: Int64 = 0
        var changed: FileDate?

        init(_ kind: Kind, name: String, label: String? = nil, bytes: Int64 = 0, changed: FileDate? = nil) {
            (self.kind, self.name, self.bytes, self.changed) = (kind, name, bytes, changed)
            let safe = DisplayText.singleLine(label ?? name, limit: 255)
            self.label = safe.isEmpty ? translated("(no name)") : safe
            folded = Array(TypedWords.folded(self.label).utf8)
        }

        /// The file behind a title; nil where that is what the list says already.
        var fileName: String? {
            guard kind == .recent, let last = name.split(separator: "/").last else { return nil }
            let safe = DisplayText.singleLine(String(last), limit: 255)
            return safe == label ? nil : safe
        }

        /// Whether the name has this in it.
        func contains(_ word: [UInt8]) -> Bool {
            guard let first = word.first else { return true }
            guard folded.count >= word.count else { return false }
            for start in 0...(folded.count - word.count) where folded[start] == first {
                if folded[start..<start + word.count].elementsEqual(word) { return true }
            }
            return false
        }
    }
}
