import AetherFormats

/// The checker of playlists: whatever it is given, it ends, and says of what cannot be read that it cannot.
func fuzzPlaylistCheck(_ input: UnsafeBufferPointer<UInt8>) {
    guard let address = StreamAddress("https://h/l.m3u8") else { return }
    let bytes = Array(input), check = PlaylistCheck(bytes, subject: address)
    precondition(check.findings.allSatisfy { $0.line.map { $0 > 0 } ?? true })
    do {
        _ = try HLSPlaylist(bytes, address: address)
    } catch {
        precondition(error.kind == .wrongKind || !check.findings.isEmpty)
    }
}
