import AetherCore
import AetherFormats

/// The description and the journal of a package: names of files are of our own making, numbers are within bounds, and what was read is the same
/// after it was written and read again.
func fuzzPackage(_ input: UnsafeBufferPointer<UInt8>) {
    let bytes = Array(input)
    if let index = PackageIndex(bytes) {
        precondition(PackageName.isFile(index.media) && index.folders.count <= PackageJournal.renditionLimit)
        precondition(!(index.title + index.source).unicodeScalars.contains(where: DisplayText.isUnsafe))
        precondition(PackageIndex(Array(index.text.utf8)) == index)
    }
    let journal = PackageJournal(bytes)
    for (rendition, entries) in journal.segments {
        precondition((1...PackageJournal.renditionLimit).contains(rendition))
        for (number, entry) in entries { check(entry, rendition, number) }
    }
    for (rendition, entries) in journal.maps { for (number, entry) in entries { check(entry, rendition, number) } }
    for (rendition, entry) in journal.pieces { check(entry, rendition, entry.number) }
    for rendition in Set(journal.segments.keys).union(journal.maps.keys).union(journal.pieces.keys) {
        let list = journal.list(rendition)
        precondition(journal.bytes(rendition) >= 0 && list.count == journal.segments[rendition]?.count ?? 0)
        precondition(zip(list, list.dropFirst()).allSatisfy { $0.start <= $1.start })
    }
    let again = PackageJournal(Array(journal.text.utf8))
    precondition(!again.isTorn && again.text == journal.text)
}

private func check(_ entry: PackageEntry, _ rendition: Int, _ number: Int64) {
    precondition(entry.rendition == rendition && entry.number == number && entry.size >= 0 && entry.duration >= 0)
    precondition(entry.kind == .gap || PackageName.isFile(entry.file))
    precondition(entry.end >= entry.start)
    if let key = entry.key { precondition((1...PackageJournal.keyLimit).contains(key.number) && key.vector?.count ?? 16 == 16) }
}
