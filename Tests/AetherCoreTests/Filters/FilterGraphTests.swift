import Testing

@testable import AetherCore

/// Graphs of filters, taken apart by our own rules.
@Suite struct FilterGraphTests {
    private func fault(_ text: String, _ medium: FilterGraph.Medium = .video) -> FilterFault? {
        do throws(FilterFault) {
            _ = try FilterGraph(text, medium)
            return nil
        } catch {
            return error
        }
    }

    @Test func chainsAndJointsAreRead() throws {
        let chain = try FilterGraph("hflip, eq=contrast=1.2:gamma=1.1 ,scale=w='min(iw,640)':h=-2", .video)
        #expect(chain.filters.map(\.name) == ["hflip", "eq", "scale"])
        #expect(chain.filters.map(\.options) == ["", "contrast=1.2:gamma=1.1", "w=min(iw,640):h=-2"])
        #expect(chain.filters.map(\.column) == [1, 8, 35] && chain.filters.map(\.beginsChain) == [true, false, false])
        let joined = try FilterGraph("[in]split[a][b];[b]vflip@low[c]; [a][c]hstack", .video)
        #expect(joined.filters.map(\.inputs) == [["in"], ["b"], ["a", "c"]])
        #expect(
            joined.filters.map(\.outputs) == [["a", "b"], ["c"], []] && joined.filters.map(\.beginsChain) == [true, true, true])
        #expect(try FilterGraph("pan=stereo|FL=FR|FR=FL", .audio).filters[0].options == "stereo|FL=FR|FR=FL")
        #expect(try FilterGraph("crop=a\\,b\\;c\\[d", .video).filters[0].options == "a,b;c[d")
    }

    @Test(arguments: [
        ("", 1, "the name of a filter is missing"), ("hflip,", 7, "the name of a filter is missing"),
        ("hflip,hflop", 7, "not a filter"), ("eq=contrast=1 [a", 15, "joint"), ("hflip vflip", 7, "comma"),
        ("hflip,crop='1", 12, "quote"), ("crop=1\\", 7, "backslash"), ("hflip\u{1B}[2J", 6, "control character"),
        ("vflip,bass=g=6", 7, "for audio"), ("movie=/etc/passwd", 1, "media of its own"),
        ("hflip,[x]movie=a[b]", 10, "media of its own"), ("subtitles=a.srt", 1, "files"),
        ("metadata=mode=print:file=/tmp/x", 1, "files"),
        ("zmq", 1, "connections"), ("frei0r=glow", 1, "programs"), ("setpts=2*PTS", 1, "times"),
        ("buffersink", 1, "not a filter"),
        ("geq=lum='while(1,0)'", 1, "while"), ("split=99999999", 1, "up to 64"),
    ]) func faultsHaveAPlace(_ text: String, _ column: Int, _ reason: String) throws {
        let fault = try #require(self.fault(text))
        #expect(fault.column == column && fault.reason.contains(reason), "\(fault)")
    }

    @Test func audioHasItsOwn() {
        #expect(fault("bass=g=6,acompressor", .audio) == nil)
        #expect(fault("hflip", .audio)?.reason == "hflip is a filter for video")
        #expect(fault("amovie=x", .audio)?.reason.contains("media of its own") == true)
        #expect(fault("atempo=2", .audio)?.reason.contains("times") == true)
    }

    @Test func textsAreBounded() {
        #expect(fault(String(repeating: "hflip,", count: 400) + "hflip")?.reason.contains("2048") == true)
        #expect(fault(Array(repeating: "null", count: 33).joined(separator: ","))?.reason.contains("32 filters") == true)
        #expect(fault(Array(repeating: "null", count: 32).joined(separator: ",")) == nil)
    }

    /// Whatever is typed: no trap, and no filter comes out that is not in the list.
    @Test func hostileTextsGiveAllowedFiltersOrAFault() {
        let pieces = [
            "hflip", "movie", "amovie=x", "=", ",", ";", "[", "]", "[a]", "'", "\\", ":", "@", " ", "split", "eq", "zmq",
            "\u{301}", "é",
            "\0", "while(", "1", "buffer", "scale=2:2",
        ]
        var state: UInt64 = 7, taken = 0
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        for _ in 0..<20_000 {
            let text = (0..<next(9)).map { _ in pieces[next(pieces.count)] }.joined()
            do throws(FilterFault) {
                let graph = try FilterGraph(text, .video)
                taken += 1
                #expect(graph.filters.allSatisfy { FilterNames.video.contains($0.name) }, "\(text)")
            } catch {
                #expect(error.column >= 1 && error.column <= text.count + 1, "\(text): \(error)")
            }
        }
        #expect(taken > 200)
    }

    @Test func namesOfBothMediaAreApart() {
        #expect(FilterNames.video.isDisjoint(with: FilterNames.audio))
        #expect(FilterGraph.names(.video).first == "alphaextract")
        #expect((FilterNames.video.union(FilterNames.audio)).allSatisfy { !$0.hasSuffix("src") && !$0.hasSuffix("sink") })
    }
}
