import AetherCore
import AetherFormats

/// Index pages: entries of the page's own folder, each once, whose names are one part of a path.
func fuzzWebIndex(_ input: UnsafeBufferPointer<UInt8>) {
    guard let address = StreamAddress("http://host/films/") else { return }
    guard let index = WebIndex(Array(input), at: address) else { return }
    precondition(index.entries.count <= WebIndex.entryLimit)
    precondition(Set(index.entries.map(\.reference)).count == index.entries.count)
    for entry in index.entries {
        precondition(!entry.reference.isEmpty && !entry.reference.contains("/") && !entry.reference.utf8.contains { $0 < 0x20 })
        precondition(!entry.name.contains("/") && entry.name != ".." && !entry.name.utf8.contains { $0 < 0x20 })
        precondition(address.resolved("./" + entry.reference)?.text == address.text + entry.reference)
        precondition((entry.bytes ?? 0) >= 0)
    }
}
