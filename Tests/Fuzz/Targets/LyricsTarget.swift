import AetherCore
import AetherFormats

/// Words of songs: lines in the order of their times, few and safe.
func fuzzLyrics(_ input: UnsafeBufferPointer<UInt8>) {
    let lyrics = Lyrics(String(decoding: input, as: UTF8.self))
    precondition(lyrics.lines.count <= Lyrics.lineLimit)
    precondition(lyrics.lines.allSatisfy { !$0.text.unicodeScalars.contains(where: DisplayText.isUnsafe) })
    let times = lyrics.lines.compactMap(\.time)
    precondition(times.isEmpty || times.count == lyrics.lines.count)
    precondition(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
    for time in times { precondition(lyrics.current(at: time) != nil) }
}
