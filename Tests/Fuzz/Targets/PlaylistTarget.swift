import AetherCore
import AetherFormats

/// Playlists in every format: few entries with a location each, and titles that are safe.
func fuzzPlaylist(_ input: UnsafeBufferPointer<UInt8>) {
    let bytes = Array(input)
    for format in PlaylistDocument.Format.allCases {
        let entries = PlaylistDocument(bytes, format: format).entries
        precondition(entries.count <= PlaylistDocument.entryLimit)
        for entry in entries {
            precondition(!entry.location.isEmpty && !entry.location.utf8.contains(0x1B))
            precondition(!entry.title.unicodeScalars.contains(where: DisplayText.isUnsafe))
            if let start = entry.start, let end = entry.end { precondition(start < end) }
        }
    }
}
