import AetherCore
import AetherTestSupport
import CBoxTrial
import CFFmpeg
import Foundation
import Testing

@testable import AetherBox
@testable import AetherMedia

/// libavfilter in a box: the same frames, and workers that break.
@Suite(.enabled(if: !Sanitizer.isOn, "a sanitizer takes more memory and calls than the box has")) struct BoxedFilterTests {
    /// Frames of interlaced video of 96 × 64 pixels, 25 a second, decoded in a box, or in this process.
    private func eachFrame(
        _ count: Int, decodedIn box: DecoderBox? = nil, _ body: (borrowing DecodedFrame) throws -> Void
    ) throws {
        let clip = try Fixtures.clip(
            [
                "-f", "lavfi", "-i", "testsrc2=size=96x64:rate=50,interlace", "-frames:v", "\(count)", "-c:v", "libx264", "-bf",
                "0",
                "-flags", "+ilme+ildct", "-x264-params", "tff=1",
            ], ext: "mkv")
        var demuxer = try BoxedFixture.demuxer(clip, box: nil)
        let stream = try #require(demuxer.info.streams.first { $0.kind == .video })
        let boxed = try box?.openVideo(stream.parameters, threadCount: 1, effort: DecodeEffort())
        var plain = try VideoDecoder(stream.parameters, threadCount: 1), number = 0
        for packet in try BoxedFixture.packets(&demuxer).map(Optional.some) + [nil] {
            _ = try boxed?.send(packet) ?? plain.send(packet)
            do throws(MediaError) {
                while let frame = try boxed == nil ? plain.receive() : boxed?.receive() {
                    // As the filters' users do.
                    frame.pointer.pointee.pts = Int64(number) * 40_000_000
                    number += 1
                    if number <= count {
                        do { try body(frame) } catch { Issue.record("\(error)") }
                    }
                }
            } catch {
                try #require(error.code == .endOfMedia)
            }
        }
        #expect(number >= count)
    }

    /// The filters, and all that came out of them.
    private struct Run: ~Copyable {
        var line: FilterLine
        var frames: [BoxedFixture.Frame] = []
        var times: [Int64] = []

        init(_ line: consuming FilterLine) { self.line = line }

        /// Puts a copy in, as `send` takes what it is given; nil: none follows.
        mutating func put(_ frame: UnsafeMutablePointer<AVFrame>?) throws {
            var copy: UnsafeMutablePointer<AVFrame>? = frame.flatMap { av_frame_clone($0) }
            defer { av_frame_free(&copy) }
            try line.send(copy)
            var next: UnsafeMutablePointer<AVFrame>? = av_frame_alloc()
            defer { av_frame_free(&next) }
            while let found = next, try line.receive(found) {
                times.append(found.pointee.pts)
                let whole = DecodedFrame(taking: av_frame_clone(found)!, pts: nil, duration: nil)
                if let value = BoxedFixture.Frame(whole) { frames.append(value) }
            }
        }
    }

    @Test(
        arguments: [
            "bwdif=mode=send_field:parity=auto:deint=interlaced", "bwdif=mode=send_frame", "hflip", "scale=192:128,format=rgb24",
            "split[a][b];[b]vflip[c];[a][c]hstack", "fps=100", "format=gray16le,crop=40:30:3:5", "null", "tmix=frames=20",
        ], [false, true])
    func framesAreTheSame(_ text: String, _ isLent: Bool) throws {
        let graph = try FilterGraph(text, .video)
        var boxed: Run?, plain: Run?
        try eachFrame(24, decodedIn: isLent ? BoxedFixture.box : nil) { frame in
            if boxed == nil {
                let order = try FilterOrder(graph.steps, like: frame, threadCount: 2)
                boxed = Run(try FilterLine(order, in: BoxedFixture.box))
                plain = Run(try FilterLine(order, in: nil))
            }
            try boxed?.put(frame.pointer)
            try plain?.put(frame.pointer)
        }
        try boxed?.put(nil)
        try plain?.put(nil)
        let (times, expected) = (boxed?.times ?? [], plain?.times ?? [])
        #expect(times == expected && times.count >= 24, "\(times) \(expected)")
        let areSame = boxed?.frames == plain?.frames
        #expect(areSame)
    }

    /// A worker has those alone that its filters hold: two behind the present one; more than `FrameLoans.most` are copied.
    @Test(arguments: [("bwdif", 1...4), ("hflip", 0...1), ("tmix=frames=20", 8...FrameLoans.most)])
    func framesAreReadWhereTheyWereDecoded(_ text: String, _ held: ClosedRange<Int>) throws {
        let box = DecoderBox(path: BoxTests.decoder, patience: .seconds(60)), graph = try FilterGraph(text, .video)
        var filters: BoxedFilters?, counts: [Int] = []
        try eachFrame(40, decodedIn: box) { frame in
            let line: BoxedFilters
            if let made = filters {
                line = made
            } else {
                line = try BoxedFilters(box: box, order: FilterOrder(graph.steps, like: frame, threadCount: 2))
            }
            filters = line
            #expect(box.pools.place(of: frame) != nil)
            try line.send(frame)
            while try line.receive() != nil {}
            counts.append(line.lentCount)
        }
        #expect(counts.dropFirst(20).allSatisfy { held.contains($0) }, "\(counts)")
    }

    /// Samples pass in the messages themselves.
    @Test(arguments: [("atempo", "tempo=1.5"), ("aecho", "0.8:0.9:20:0.4"), ("aresample", "44100")])
    func samplesAreTheSame(_ name: String, _ options: String) throws {
        let order = FilterOrder(
            [.init(name: name, options: options)], format: AudioFormat(sampleRate: 48000, channelCount: 2), keepsForm: true)
        func output(_ box: (any DecodingPlace)?) throws -> [BoxedFixture.Frame] {
            var run = Run(try FilterLine(order, in: box))
            for piece in 0..<20 {
                var frame: UnsafeMutablePointer<AVFrame>? = av_frame_alloc()
                defer { av_frame_free(&frame) }
                let made = try #require(frame)
                (made.pointee.format, made.pointee.sample_rate, made.pointee.nb_samples) = (
                    AV_SAMPLE_FMT_FLT.rawValue, 48000, 1024
                )
                made.pointee.pts = Int64(piece * 1024)
                ChannelLayout.setDefault(&made.pointee.ch_layout, channelCount: 2)
                try #require(av_frame_get_buffer(made, 0) >= 0)
                made.pointee.data.0?.withMemoryRebound(to: Float.self, capacity: 2048) { samples in
                    for index in 0..<2048 { samples[index] = Float((piece * 2048 + index) % 97) / 97 - 0.5 }
                }
                try run.put(made)
            }
            try run.put(nil)
            return run.frames
        }
        let boxed = try output(BoxedFixture.box), plain = try output(nil), areSame = boxed == plain
        #expect(areSame && boxed.count > 10)
    }

    /// The worker breaks at its third frame: the first time that is put into another one, the second time it is lost, and after the third no other
    /// worker is started.
    @Test(arguments: ["filtercrash-3-3", "filterlie-3-3"]) func frameThatEndsTwoWorkersIsLost(_ fault: String) throws {
        let (box, folder) = try BoxedFixture.breaking(fault)
        defer { withExtendedLifetime(folder) {} }
        var run: Run?, refused: [Int] = [], number = 0
        try eachFrame(9) { frame in
            if run == nil {
                run = Run(
                    try FilterLine(FilterOrder(try FilterGraph("hflip", .video).steps, like: frame, threadCount: 1), in: box))
            }
            defer { number += 1 }
            do {
                try run?.put(frame.pointer)
            } catch let error as MediaError {
                #expect(error.code == .decodeFailed)
                refused.append(number)
            }
        }
        #expect(run?.times.map { $0 / 40_000_000 } == [0, 1, 2, 3, 5, 6] && refused == [7, 8])
    }

    /// An answer that makes no sense costs a frame and a worker, not two.
    @Test func nonsenseCountsOnce() throws {
        let (box, folder) = try BoxedFixture.breaking("filterbabble-3-3")
        defer { withExtendedLifetime(folder) {} }
        var run: Run?, refused: [Int] = [], number = 0
        try eachFrame(9) { frame in
            if run == nil {
                run = Run(try FilterLine(FilterOrder([.init(name: "hflip", options: "")], like: frame, threadCount: 1), in: box))
            }
            defer { number += 1 }
            do { try run?.put(frame.pointer) } catch { refused.append(number) }
        }
        #expect(run?.times.map { $0 / 40_000_000 } == [0, 1, 3, 4, 6, 7] && refused == [8])
    }

    /// One that has ended while it was kept costs nothing, and none of one source serves another.
    @Test func workersThatAreKeptMayHaveEndedAndServeOneSource() throws {
        let (box, folder) = try BoxedFixture.breaking("never-0-0")
        defer { withExtendedLifetime(folder) {} }
        var dead = try box.worker(.filters), worked = 0
        do throws(BoxFault) { _ = try dead.answer(to: BoxMessage(.trial, [UInt8(TRIAL_CRASH.rawValue)])) } catch {
            #expect(error == .ended)
        }
        box.keep(dead, filtersOf: .video)
        try eachFrame(1) { frame in
            let order = try FilterOrder([.init(name: "hflip", options: "")], like: frame, threadCount: 1)
            var run = Run(try FilterLine(order, in: box))
            try run.put(frame.pointer)
            worked = run.frames.count
        }
        #expect(worked == 1)
        var isKept = false
        if let kept = box.keptWorker(filtersOf: .video) {
            isKept = true
            box.keep(kept, filtersOf: .video)
        }
        _ = try BoxedFixture.demuxer(try BoxedParityTests.shapes[0].clip(), box: box)
        let isStillKept = box.keptWorker(filtersOf: .video) != nil
        #expect(isKept && !isStillKept)
    }

    /// A filter that libavfilter does not know, or finds no file for, is refused, and the next filters work in the same worker.
    @Test func filtersThatNeedMoreThanTheBoxHasAreRefused() throws {
        var faults: [MediaError] = [], worked = 0
        try eachFrame(1) { frame in
            for step in [("nofilter", ""), ("lut3d", "file=/etc/hostname"), ("scale", "w=no")] {
                do throws(MediaError) {
                    let order = try FilterOrder([.init(name: step.0, options: step.1)], like: frame, threadCount: 1)
                    _ = try FilterLine(order, in: BoxedFixture.box)
                } catch {
                    faults.append(error)
                }
            }
            let order = try FilterOrder([.init(name: "hflip", options: "")], like: frame, threadCount: 1)
            var run = Run(try FilterLine(order, in: BoxedFixture.box))
            try run.put(frame.pointer)
            worked = run.frames.count
        }
        #expect(faults.map(\.code) == [.unsupported, .unsupported, .unsupported], "\(faults)")
        #expect(worked == 1)
    }

    @Test func ordersComeBackFromTheirRecords() throws {
        let format = AudioFormat(sampleRate: 44100, channelCount: 6)
        for order in [
            FilterOrder(
                try FilterGraph("split[a][b];[a][b]hstack", .video).steps, .video, source: "video_size=2x2", threadCount: 9),
            FilterOrder([.init(name: "volume", options: "0.5")], format: format, keepsForm: true),
            FilterOrder([.init(name: "volume", options: "")], format: format, keepsForm: false),
        ] {
            var record = RecordWriter()
            order.put(to: &record)
            var reader = RecordReader(record.bytes)
            #expect(FilterOrder(&reader) == order && reader.isWhole)
            for cut in 0..<record.bytes.count {
                var short = RecordReader(Array(record.bytes.prefix(cut)))
                #expect(FilterOrder(&short) == nil)
            }
        }
    }

    /// Each of them brings memory with a descriptor, of which a worker may have 16.
    @Test func workerThatIsKeptServesManyOneAfterTheOther() throws {
        var served = 0
        try eachFrame(1) { frame in
            for number in 0..<40 {
                let order = try FilterOrder([.init(name: "hflip", options: "")], like: frame, threadCount: 1)
                var run = Run(try FilterLine(order, in: BoxedFixture.box))
                try run.put(frame.pointer)
                var scaler = RasterScaler(in: BoxedFixture.box)
                let image = try scaler.scale(frame, to: PixelSize(width: 100 + number * 30, height: 80))
                if run.frames.count == 1, image.width == 100 + number * 30 { served += 1 }
            }
        }
        #expect(served == 40)
    }

    /// A worker that has loaded libavfilter is shut in as the others are.
    @Test func workerWithFiltersIsInAllOfTheBox() throws {
        let (box, folder) = try BoxedFixture.breaking("never-0-0")
        defer { withExtendedLifetime(folder) {} }
        var plain = try box.worker(), filters = try box.worker(.filters)
        #expect(try filters.parts() == plain.parts())
        for attack in [TRIAL_OPEN, TRIAL_CONNECT] {
            let answer: [UInt8]?
            do throws(BoxFault) {
                answer = try filters.answer(to: BoxMessage(.trial, [UInt8(attack.rawValue)])).bytes
            } catch {
                answer = nil
            }
            #expect(answer != [0])
        }
    }
}
