import Testing

@testable import AetherFormats

@Suite struct BoxReaderTests {
    private func box(_ kind: String, _ body: [UInt8], isLong: Bool = false) -> [UInt8] {
        let size = body.count + (isLong ? 16 : 8)
        let number: (Int, Int) -> [UInt8] = { value, length in
            (0..<length).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        return number(isLong ? 1 : size, 4) + Array(kind.utf8) + (isLong ? number(size, 8) : []) + body
    }

    @Test func givesBoxesSideBySideWithShortAndLongSizes() {
        let bytes = box("free", []) + box("mdat", [1, 2, 3], isLong: true) + box("moov", [4])
        let found = Array(BoxReader(bytes[...]))
        #expect(found.map(\.kind) == ["free", "mdat", "moov"])
        #expect(found.map { Array($0.body) } == [[], [1, 2, 3], [4]])
    }

    @Test(
        arguments: [
            [0, 0, 0, 7, 0x66, 0x72, 0x65, 0x65], [0, 0, 0, 0, 0x66, 0x72, 0x65, 0x65], [0, 0, 0, 9, 0x66, 0x72, 0x65, 0x65],
            [0, 0, 0, 1, 0x66, 0x72, 0x65, 0x65, 0, 0, 0, 0, 0, 0, 0, 15],
            [0, 0, 0, 1, 0x66, 0x72, 0x65, 0x65, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0], [],
        ] as [[UInt8]])
    func whatIsNoBoxOrIsCutOffEndsIt(_ bytes: [UInt8]) {
        #expect(Array(BoxReader((box("free", [1]) + bytes)[...])).count == 1)
    }

    /// Over a reader that fetches ranges: only heads on the way, and what is looked for, up to a limit.
    @Test func aSearchReadsNoMoreThanItNeeds() {
        let table = box("stbl", box("stsd", [UInt8](repeating: 5, count: 100)) + box("stts", [UInt8](repeating: 6, count: 4000)))
        let track = box("trak", box("tkhd", [1]) + box("mdia", table))
        let file = box("mdat", [UInt8](repeating: 9, count: 100_000)) + box("moov", track + track) + box("stsd", [7])
        var search = BoxSearch(["moov", "trak", "mdia", "stbl", "stsd"], contentLimit: 40), read = 0
        search.run { offset, count in
            let start = min(Int(offset), file.count), bytes = Array(file[start..<min(file.count, start + count)])
            read += bytes.count
            return bytes
        }
        #expect(
            search.found == [[UInt8]](repeating: [UInt8](repeating: 5, count: 40), count: 2), "not the one outside of the film")
        #expect(read < 500)
        #expect(search.request == nil)
    }

    @Test func aReaderWithNothingMoreEndsASearch() {
        var search = BoxSearch(["moov"], contentLimit: 10), requests = 0
        search.run { _, _ in
            requests += 1
            return nil
        }
        #expect(requests == 1 && search.found.isEmpty)
    }

    @Test func boxesWithoutEndAreNotFollowedForEver() {
        var search = BoxSearch(["moov"], contentLimit: 10), requests = 0
        search.run { _, _ in
            requests += 1
            return [0, 0, 0, 8, 0x66, 0x72, 0x65, 0x65]
        }
        #expect(requests == BoxSearch.requestLimit)
    }
}
