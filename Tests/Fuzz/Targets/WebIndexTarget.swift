import AetherCore
import AetherFormats

/// Index pages and lists of WebDAV: entries of the page's own folder, each once, whose names are one part of a path.
func fuzzWebIndex(_ input: UnsafeBufferPointer<UInt8>) {
    guard let address = StreamAddress("http://host/films/") else { return }
    var folder = address
    if let list = WebIndex(dav: Array(input), at: address, folder: &folder) { check(list, address) }
    if let list = WebIndex(lines: Array(input), now: (2026, 11)) { check(list, address) }
    guard let index = WebIndex(Array(input), at: address) else { return }
    check(index, address)
}

private func check(_ index: WebIndex, _ address: StreamAddress) {
    precondition(index.entries.count <= WebIndex.entryLimit)
    precondition(Set(index.entries.map(\.reference)).count == index.entries.count)
    for entry in index.entries {
        precondition(!entry.reference.isEmpty && !entry.reference.contains("/") && !entry.reference.utf8.contains { $0 < 0x20 })
        precondition(!entry.name.contains("/") && entry.name != ".." && !entry.name.utf8.contains { $0 < 0x20 })
        precondition(address.resolved("./" + entry.reference)?.text == address.text + entry.reference)
        precondition((entry.bytes ?? 0) >= 0)
    }
}
