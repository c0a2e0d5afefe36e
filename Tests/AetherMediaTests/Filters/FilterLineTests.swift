import AetherCore
import CFFmpeg
import Testing

@testable import AetherMedia

/// A person's filters in libavfilter.
@Suite struct FilterLineTests {
    private func time(_ milliseconds: Int) -> MediaTime { MediaTime(nanoseconds: Int64(milliseconds) * 1_000_000) }

    private func frame(_ number: Int, width: Int = 64, height: Int = 48) -> DecodedFrame {
        let made = videoFrame(AV_PIX_FMT_YUV420P, width, height) { plane, x, y in plane == 0 ? (x * 3 + y + number) % 220 : 128
        }
        // The frame keeps its planes; only its time is another.
        let copy = av_frame_clone(made.pointer)!
        return DecodedFrame(taking: copy, pts: time(40 * number), duration: .milliseconds(40))
    }

    private func luma(_ frame: borrowing DecodedFrame, _ x: Int, _ y: Int) -> Int {
        Int(frame.pointer.pointee.data.0![y * Int(frame.pointer.pointee.linesize.0) + x])
    }

    @Test func aMirroredFrameKeepsItsTime() throws {
        var filters = VideoFilters(try FilterGraph("hflip", .video), threadCount: 1)
        for number in 0..<5 {
            let whole = frame(number)
            try filters.send(whole)
            guard let mirrored = try filters.receive() else {
                Issue.record("no frame \(number)")
                return
            }
            let (pts, duration) = (mirrored.pts, mirrored.duration)
            #expect(pts == time(40 * number) && duration == .milliseconds(40))
            let ends = [luma(mirrored, 0, 5), luma(mirrored, 63, 5)], wanted = [luma(whole, 63, 5), luma(whole, 0, 5)]
            #expect(ends == wanted)
        }
    }

    @Test func whatFiltersHoldBackComesAtTheEndAndEachTimeOnce() throws {
        var filters = VideoFilters(try FilterGraph("split[a][b];[b]vflip[c];[a][c]hstack,bwdif", .video), threadCount: 1)
        var times: [MediaTime] = [], widths: Set<Int> = []
        func take(_ filters: inout VideoFilters) throws {
            while let frame = try filters.receive() {
                times += [frame.pts].compactMap { $0 }
                widths.insert(frame.width)
            }
        }
        for number in 0..<10 {
            try filters.send(frame(number))
            try take(&filters)
        }
        try filters.finish()
        try take(&filters)
        // Of each frame two fields, 20 ms apart.
        #expect(times == (0..<20).map { time(20 * $0) } && widths == [128])
    }

    @Test func anotherSizeIsNotAccepted() throws {
        var filters = VideoFilters(try FilterGraph("null", .video), threadCount: 1)
        try filters.send(frame(0))
        let (same, narrow) = (filters.accepts(frame(1)), filters.accepts(frame(1, width: 32)))
        #expect(same && !narrow)
    }

    @Test(arguments: [
        ("eq=contrst=2", "character 1: Option not found"), ("hflip,scale=w=abc(", "character 7"),
        ("hstack", "hstack has 2 inputs, and 1 lead there"), ("split", "2 outputs are left over"),
        ("[x]hflip", "no joint [x] comes before"), ("hflip[a];vflip", "has 1 inputs, and 0 lead there"),
    ]) func faultsSayWhere(_ text: String, _ reason: String) throws {
        let fault = try #require(try FilterGraph(text, .video).fault)
        #expect(fault.description.contains(reason), "\(fault)")
    }

    @Test func audioGraphsThatDoNotFitAreRefused() throws {
        #expect(try FilterGraph("bass=g=6,acompressor", .audio).fault == nil)
        #expect(try FilterGraph("bass=gian=6", .audio).fault?.description.contains("Option not found") == true)
    }

    @Test func framesThatWouldTakeAllMemoryAreRefused() throws {
        var filters = VideoFilters(try FilterGraph("scale=16000:16000,scale=64:48", .video), threadCount: 1)
        var fault: MediaError?
        do throws(MediaError) {
            try filters.send(frame(0))
        } catch {
            fault = error
        }
        #expect(fault?.reason.contains("too large") == true)
    }

    @Test(arguments: ["volume=0.5", "aecho=0.8:0.9:100:0.5", "superequalizer", "aresample=22050", "pan=mono|c0=FL"])
    func audioStaysAsLongAsItIs(_ text: String) throws {
        let format = AudioFormat(sampleRate: 48_000, channelCount: 2)
        var filters = try AudioFilters(try FilterGraph(text, .audio), format: format)
        var output: [Float] = []
        for piece in 0..<40 {
            let samples = (0..<1024).flatMap { index in
                let value = Float((piece * 1024 + index) % 96) / 96 - 0.5
                return [value, -value]
            }
            try filters.process(samples, into: &output)
            #expect(output.count <= (piece + 1) * 2048)
        }
        try filters.finish(into: &output)
        #expect(output.count == 40 * 2048)
        if text == "volume=0.5" { #expect(output[2 * 10] == (Float(10) / 96 - 0.5) / 2) }
    }

    @Test func theConverterSendsSamplesThroughThemAndNamesWhatItCannot() throws {
        let format = AudioFormat(sampleRate: 48_000, channelCount: 2)
        func run(_ text: String) throws -> (samples: [Float], fault: MediaError?) {
            var converter = AudioConverter(output: format), bytes: [UInt8] = []
            converter.filters = try FilterGraph(text, .audio)
            for _ in 0..<10 {
                try converter.convert(audioFrame(rate: 48_000, channels: 2, count: 1024) { _, _ in 0.5 }, into: &bytes)
            }
            try converter.drain(into: &bytes)
            return (bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }, converter.takeFilterFault())
        }
        let quiet = try run("volume=0.5")
        #expect(quiet.samples.count == 20_480 && quiet.samples.allSatisfy { $0 == 0.25 } && quiet.fault == nil)
        let refused = try run("volume=loudly(")
        #expect(refused.samples.count == 20_480 && refused.samples.allSatisfy { $0 == 0.5 } && refused.fault != nil)
    }

    /// Options of FFmpeg's next version must not slip in: no option of an allowed filter may name a file or an address.
    @Test func noAllowedFilterHasAnOptionForFiles() throws {
        let library = try FilterLibrary(for: "use filters")
        var seen = 0
        for name in FilterGraph.names(.video) + FilterGraph.names(.audio) {
            guard let filter = library.calls.get_by_name(name) else { continue }
            seen += 1
            var kind = filter.pointee.priv_class
            guard kind != nil else { continue }
            withUnsafeMutablePointer(to: &kind) { object in
                var option = av_opt_next(object, nil)
                while let present = option {
                    let word = String(cString: present.pointee.name)
                    let isText = present.pointee.type == AV_OPT_TYPE_STRING
                    #expect(
                        !isText || !["file", "path", "model", "url", "plot", "address", "shader"].contains { word.contains($0) },
                        "\(name) has the option \(word)")
                    option = av_opt_next(object, present)
                }
            }
        }
        #expect(seen > 150)
    }
}
