import AetherCore

@testable import AetherSources

/// The titles between the audio of a radio station. The first byte is the interval, the second how many bytes come at a time.
func fuzzSongStream(_ input: UnsafeBufferPointer<UInt8>) {
    guard input.count > 2, var whole = SongStream(interval: Int(input[0]) + 1),
        var parted = SongStream(interval: Int(input[0]) + 1)
    else { return }
    let bytes = Array(input.dropFirst(2)), step = Int(input[1]) + 1
    let (audio, titles) = take(bytes[...], &whole)
    var pieces: [UInt8] = [], said: [String] = []
    for start in stride(from: 0, to: bytes.count, by: step) {
        let found = take(bytes[start..<min(bytes.count, start + step)], &parted)
        pieces += found.audio
        said += found.titles
    }
    // However the bytes come, they are the same audio and the same titles.
    precondition(pieces == audio && said == titles && audio.count <= bytes.count)
    precondition(titles.allSatisfy { DisplayText.singleLine($0, limit: 10_000) == $0 })
}

private func take(_ bytes: ArraySlice<UInt8>, _ stream: inout SongStream) -> (audio: [UInt8], titles: [String]) {
    var buffer = Array(bytes)
    let found = buffer.withUnsafeMutableBytes { stream.take($0) }
    return (Array(buffer.prefix(found.audio)), found.titles)
}
