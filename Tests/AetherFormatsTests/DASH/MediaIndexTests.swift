import AetherFormats
import Testing

/// Indexes that lie in the media: sidx of one and of several levels, and the Cues of WebM.
struct MediaIndexTests {
    private func big(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }

    private func box(_ kind: String, _ body: [UInt8]) -> [UInt8] { big(body.count + 8, 4) + Array(kind.utf8) + body }

    private func sidx(version: Int = 0, start: Int, offset: Int = 0, _ references: [(size: Int, duration: Int, isIndex: Bool)])
        -> [UInt8]
    {
        let width = version == 0 ? 4 : 8
        var body =
            big(version << 24, 4) + big(1, 4) + big(1000, 4) + big(start, width) + big(offset, width) + big(references.count, 4)
        for reference in references {
            body += big(reference.size | (reference.isIndex ? 1 << 31 : 0), 4) + big(reference.duration, 4) + big(1 << 31, 4)
        }
        return box("sidx", body)
    }

    /// Carries the search out over a file, and puts what it finds into the presentation of that file.
    private func segments(_ file: [UInt8], _ base: String, type: String = "video/mp4", length: String = "PT6S") throws -> (
        segments: [Segment], requests: Int
    ) {
        var presentation = try MPD.presentation(
            """
            <MPD mediaPresentationDuration="\(length)"><Period><AdaptationSet mimeType="\(type)"><Representation id="v"><BaseURL>f</BaseURL>\(base)
            </Representation></AdaptationSet></Period></MPD>
            """)
        var requests = 0
        for pending in presentation.pendingIndexes(of: "v") {
            var search = pending.search
            #expect(pending.addresses.map(\.text) == ["https://h/a/f"])
            search.run { offset, count in
                requests += 1
                return Array(file.dropFirst(Int(offset)).prefix(count))
            }
            presentation.attach(search, to: pending)
        }
        #expect(presentation.pendingIndexes(of: "v").isEmpty)
        let index = try #require(presentation.rendition("v")?.index)
        return (index.numbers.compactMap { index.segment($0) }, requests)
    }

    @Test(arguments: [0, 1])
    func ofOneLevel(version: Int) throws {
        let head = box("ftyp", [0]) + box("moov", [1, 2, 3])
        let index = sidx(version: version, start: 500, offset: 7, [(100, 2000, false), (50, 1000, false), (200, 3000, false)])
        let base = """
            <SegmentBase timescale="1000" presentationTimeOffset="500" indexRange="\(head.count)-\(head.count + index.count - 1)"><Initialization range="0-\(head.count - 1)"/></SegmentBase>
            """
        let (segments, requests) = try segments(head + index, base)
        let first = Int64(head.count + index.count + 7)
        #expect(requests == 1 && segments.map(\.seconds) == [[0, 2], [2, 3], [3, 6]])
        #expect(
            segments.map(\.range) == [
                ByteRange(offset: first, length: 100), ByteRange(offset: first + 100, length: 50),
                ByteRange(offset: first + 150, length: 200),
            ])
        #expect(
            segments.allSatisfy {
                $0.map?.range == ByteRange(offset: 0, length: Int64(head.count)) && $0.mediaOffset == Ticks(-1, timescale: 2)
            })
        #expect(
            try self.segments(head + index, "<SegmentBase timescale=\"1000\" presentationTimeOffset=\"500\"/>").segments.count
                == 3, "it is found without its place")
    }

    /// Two lower ones of two segments each, of which the second cannot be fetched with the first.
    @Test func ofSeveralLevels() throws {
        let low = { sidx(start: $0, [(10, 1500, false), (20, 1500, false)]) }
        let one = low(0) + [UInt8](repeating: 0, count: 30), two = low(3000) + [UInt8](repeating: 0, count: 30)
        let top = sidx(start: 0, [(one.count, 3000, true), (two.count, 3000, true)])
        let (segments, requests) = try segments(top + one + two, "<SegmentBase indexRange=\"0-\(top.count - 1)\"/>")
        #expect(requests == 3 && segments.map(\.seconds) == [[0, 1.5], [1.5, 3], [3, 4.5], [4.5, 6]])
        #expect(segments[2].range?.offset == Int64(top.count + one.count + low(0).count))
    }

    /// The stretch of a lower level may be as large as its media: only its own bytes are asked for, in two requests where it is long.
    @Test func lowerLevelsCountTheirMedia() throws {
        let short = sidx(start: 0, [(3_000_000, 2000, false), (60_000_000, 1000, false)])
        let long = sidx(start: 3000, (0..<600).map { _ in (100_000, 5, false) })
        let sizes = [short.count + 63_000_000, long.count + 60_000_000]
        let top = sidx(start: 0, [(sizes[0], 3000, true), (sizes[1], 3000, true)]), second = top.count + sizes[0]
        var
            presentation = try MPD.presentation(
                MPD.one("<BaseURL>f</BaseURL><SegmentBase indexRange=\"0-\(top.count - 1)\"/>", length: "PT6S")),
            asked: [Int] = []
        for pending in presentation.pendingIndexes(of: "v") {
            var search = pending.search
            search.run { offset, count in
                asked.append(count)
                let place = Int(offset)
                if place == 0 { return Array(top.prefix(count)) }
                let box = place == second ? long : short
                return Array((box + [UInt8](repeating: 0, count: 8192)).prefix(count))
            }
            #expect(search.hasIndex)
            presentation.attach(search, to: pending)
        }
        #expect(asked == [top.count, 4096, 4096, long.count])
        let index = try #require(presentation.rendition("v")?.index)
        let last = try #require(index.segment(index.numbers.upperBound - 1))
        #expect(index.numbers.count == 602 && last.seconds == [5.995, 6])
        #expect(last.range?.end == Int64(second + sizes[1]))
    }

    /// The index of a file that is not complete may come yet; until then the file plays by its own header, which is not read twice.
    @Test(arguments: ["video/mp4", "video/webm"])
    func anIndexThatIsNotThereYet(type: String) throws {
        let presentation = try MPD.presentation(
            """
            <MPD mediaPresentationDuration="PT6S"><Period><AdaptationSet mimeType="\(type)"><Representation id="v">
            <BaseURL>f</BaseURL><SegmentBase indexRange="100-199"><Initialization range="0-99"/></SegmentBase></Representation></AdaptationSet></Period></MPD>
            """)
        var search = try #require(presentation.pendingIndexes(of: "v").first?.search)
        search.run { _, count in [UInt8](repeating: 0, count: min(count, 50)) }
        #expect(!search.hasIndex && search.mayAppear)
        let whole = try #require(presentation.rendition("v")?.index?.segment(1))
        #expect(whole.isWholeFile && whole.map == nil && whole.range == nil && whole.seconds == [0, 6])
        let plain = try MPD.presentation(MPD.one("<BaseURL>f</BaseURL><SegmentBase/>")).pendingIndexes(of: "v").first?.search
        var other = try #require(plain)
        other.run { _, _ in [] }
        #expect(!other.hasIndex && !other.mayAppear, "nothing says that there is one")
    }

    /// An index of itself, of 2^31 bytes, of nothing, cut off: each ends soon.
    @Test func hostileOnes() throws {
        let loop = sidx(start: 0, [(1, 1, true), (1, 1, true)])
        for file in [
            loop, Array(loop.dropLast(3)), sidx(start: 0, [(0x7FFF_FFFF, 1, true)]), sidx(start: 0, []), [], box("moof", []),
        ] {
            for base in ["<SegmentBase indexRange=\"0-\(max(1, file.count) - 1)\"/>", "<SegmentBase/>"] {
                let (segments, requests) = try segments(file, base)
                #expect(requests <= 4 && segments.count == 1 && segments[0].range == nil, "the file is one segment")
            }
        }
    }

    /// One file in two periods: each takes its part of it.
    @Test func aPartOfTheFile() throws {
        let index = sidx(start: 0, [(10, 2000, false), (10, 2000, false), (10, 2000, false)])
        let (segments, _) = try segments(
            index, "<SegmentBase timescale=\"10\" presentationTimeOffset=\"30\" indexRange=\"0-\(index.count - 1)\"/>",
            length: "PT2S")
        #expect(segments.map(\.seconds) == [[0, 1], [1, 2]] && segments.map(\.number) == [1, 2])
    }

    private func element(_ id: Int, _ payload: [UInt8]) -> [UInt8] {
        let bytes = big(id, 4).drop { $0 == 0 }
        return Array(bytes) + [0x08] + big(payload.count, 4) + payload
    }

    @Test(arguments: [true, false])
    func cuesOfWebM(isPlaceKnown: Bool) throws {
        let point = { (time: Int, position: Int) in
            element(0xBB, element(0xB3, big(time, 2)) + element(0xB7, element(0xF1, big(position, 2))))
        }
        let info = element(
            0x1549_A966, element(0x2A_D7B1, big(1_000_000, 3)) + element(0x4489, big(Int(Float(6000).bitPattern), 4)))
        // The Cues lie at 300 from the segment's data on, which begins behind 12 + 9 bytes.
        let seek = element(0x114D_9B74, element(0x4DBB, element(0x53AB, big(0x1C53_BB6B, 4)) + element(0x53AC, big(300, 2))))
        let cues = element(0x1C53_BB6B, point(0, 100) + point(2000, 200) + point(2500, 200) + point(5000, 250))
        var data = seek + info
        data += [UInt8](repeating: 0xEC, count: 300 - data.count) + cues
        let head = element(0x1A45_DFA3, [0, 0, 0])
        let file = head + element(0x1853_8067, data), origin = Int64(head.count + 9)
        let place = isPlaceKnown ? "indexRange=\"\(origin + 300)-\(origin + 299 + Int64(cues.count))\"" : ""
        let (segments, requests) = try segments(
            file, "<SegmentBase \(place)><Initialization range=\"0-99\"/></SegmentBase>", type: "video/webm")
        #expect(segments.map(\.seconds) == [[0, 2], [2, 5], [5, 6]] && requests == (isPlaceKnown ? 2 : 3))
        #expect(
            segments.map(\.range) == [
                ByteRange(offset: origin + 100, length: 100), ByteRange(offset: origin + 200, length: 50),
                ByteRange(offset: origin + 250, length: 50),
            ])
        #expect(segments[0].map?.range == ByteRange(offset: 0, length: 100))
    }

    @Test func aPlainFileIsOneSegment() throws {
        let presentation = try MPD.presentation(MPD.one("<BaseURL>movie.mp4</BaseURL>"))
        let index = try #require(presentation.rendition("v")?.index), segment = try #require(index.segment(1))
        #expect(
            index.numbers.count == 1 && segment.name == "movie.mp4" && segment.range == nil && segment.map == nil
                && segment.seconds == [0, 10])
        #expect(presentation.pendingIndexes(of: "v").isEmpty)
    }
}
