import AetherCore
import AetherMedia
import AetherTestSupport
import Testing

@testable import AetherEngine

@Suite struct FrameInspectionTests {
    /// A pattern that moves to the left by four pixels each frame.
    private static func moving(_ codec: [String], ext: String = "mkv") throws -> String {
        let noise = "color=gray:s=720x192:r=25:d=2,noise=alls=90:all_seed=7,gblur=sigma=2,crop=320:192:x='4*n':y=0"
        return try Fixtures.clip(["-f", "lavfi", "-i", noise, "-pix_fmt", "yuv420p", "-frames:v", "40"] + codec, ext: ext)
    }

    private static let x264 = ["-c:v", "libx264", "-preset", "medium", "-threads", "1"]
    private static let predicted =
        x264 + ["-bf", "0", "-refs", "1", "-x264-params", "qp=30:ipratio=1:pbratio=1:keyint=20:scenecut=0"]
    private static let bidirectional =
        x264 + ["-x264-params", "qp=28:keyint=20:scenecut=0:bframes=2:b-adapt=0:b-pyramid=none:weightp=0"]

    private func inspection(_ path: String) -> FrameInspection {
        FrameInspection(FrameInspection.origin(of: .location(.file(path)), time: SteppingTime()))
    }

    private func look(_ path: String, at seconds: Double, levels: Bool = false, grain: Bool = true) throws -> FrameLook {
        try inspection(path).look(
            FrameWish(
                point: .seconds(seconds), drawsGrain: grain, wantsLevels: levels, box: PixelSize(width: 320, height: 240)))
    }

    private func median(_ values: [Int]) -> Int? { values.isEmpty ? nil : values.sorted()[values.count / 2] }

    @Test func vectorsPointToWhereABlockCameFrom() throws {
        let look = try look(try Self.moving(Self.predicted), at: 0.41)
        let shown = try #require(look.shown)
        #expect(shown == 10 && look.frames[shown].type == .predicted && look.frames[shown].vectorCount > 40)
        // What moves to the left came from the right.
        #expect(median(look.vectors.map { $0.fromX - $0.x }) == 4 && median(look.vectors.map { $0.fromY - $0.y }) == 0)
        #expect(look.vectors.allSatisfy { !$0.isFromLater })
        // A key frame comes from nowhere.
        #expect(try self.look(try Self.moving(Self.predicted), at: 0).vectors.isEmpty)
    }

    @Test func framesAreListedFromTheKeyFrameOnWithBothOrders() throws {
        let look = try look(try Self.moving(Self.bidirectional), at: 0.21)
        #expect(look.frames.prefix(7).map(\.type.rawValue).joined() == "IBBPBBP")
        #expect(look.frames.prefix(7).map(\.decodeOrder) == [1, 3, 4, 2, 6, 7, 5])
        // To the next key frame, and no further.
        #expect(look.frames.count == 20 && look.frames.map(\.isKey) == [true] + [Bool](repeating: false, count: 19))
        #expect(look.frames.prefix(4).map(\.isReference) == [true, false, false, true])
        #expect(look.shown == 5 && look.time == .seconds(0.2))
        #expect(look.frames.allSatisfy { $0.byteCount > 0 && $0.decodeTime > .zero })
        let between = look.vectors.filter(\.isFromLater)
        #expect(!between.isEmpty && (median(between.map { $0.fromX - $0.x }) ?? 0) < 0, "it will lie further to the left")
        #expect(look.codec == "h264" && look.size == PixelSize(width: 320, height: 192))
    }

    @Test func theSecondStretchBeginsWithItsKeyFrame() throws {
        let look = try look(try Self.moving(Self.predicted), at: 0.9)
        #expect(look.frames.first?.isKey == true && look.frames.first?.pts == .seconds(0.8))
        #expect(look.shown == 2 && look.frames.count == 20)
    }

    @Test func quantisersAreThoseThatItWasCodedWith() throws {
        let look = try look(try Self.moving(Self.predicted), at: 0.41)
        let map = try #require(look.quantisers)
        #expect(map.mean == 30 && (map.columns, map.rows) == (20, 12))
        #expect(look.frames.allSatisfy { $0.quantiser == 30 && $0.quantiserEnds == 30...30 })
        let older = try self.look(
            try Self.moving(["-c:v", "mpeg2video", "-qscale:v", "6", "-bf", "2", "-g", "12"], ext: "mpg"), at: 1)
        #expect((3...12).contains(try #require(older.quantisers).mean))
        #expect(older.frames.contains { $0.type == .bidirectional && $0.isReference == false })
        #expect(older.frames.contains { $0.type == .predicted && $0.isReference == true })
        #expect(!older.frames.allSatisfy { $0.vectorCount == 0 })
    }

    /// Decoders that tell neither are still asked frame by frame.
    @Test func whatADecoderDoesNotTellIsUnknown() throws {
        let path = try Self.moving(["-c:v", "libx265", "-x265-params", "log-level=none:keyint=20:pools=1:frame-threads=1"])
        let look = try look(path, at: 0.41)
        #expect(look.quantisers == nil && look.vectors.isEmpty && look.frames.allSatisfy { $0.quantiser == nil })
        #expect(look.frames.first?.type == .intra && look.frames.contains { $0.isReference == false })
    }

    @Test func filmGrainIsDrawnOrNot() throws {
        let recipe = ["-f", "lavfi", "-i", "testsrc2=s=256x144:r=25:d=1,noise=alls=20:allf=t", "-pix_fmt", "yuv420p"]
        let path = try Fixtures.clip(
            recipe + ["-frames:v", "6", "-c:v", "libsvtav1", "-preset", "10", "-svtav1-params", "film-grain=30:keyint=25"],
            ext: "mkv")
        let with = try look(path, at: 0.1, levels: true), without = try look(path, at: 0.1, levels: true, grain: false)
        #expect(with.hasFilmGrain && without.hasFilmGrain && with.levels?.grid != without.levels?.grid)
        #expect(try #require(with.quantisers).mean > 0 && with.decoder == "dav1d")
        #expect(with.frames.first?.type == .intra)
    }

    /// A pipe gives its bytes once: what the player has in memory of it is looked at.
    @Test func ofASourceThatIsReadOnceThePacketsInMemoryAreLookedAt() throws {
        let input = try MediaInput(.location(.file(try Self.moving(Self.bidirectional))), interrupt: Interrupt())
        var demuxer = try Demuxer(input, options: OpenOptions(), interrupt: Interrupt())
        let stream = try #require(demuxer.info.streams.first { $0.kind == .video })
        var packets: [Packet] = []
        while packets.count < 12 { packets.append(try demuxer.read(epoch: Epoch())) }
        var stills = StillOrigin(.location(.standardInput))
        let origin = FrameInspection.Origin(stills: stills, time: SteppingTime())
        let wish = FrameWish(point: .seconds(0.21), box: PixelSize(width: 64, height: 64))
        #expect(throws: MediaError.self) { try FrameInspection(origin).look(wish) }
        let held = HeldStills(stream: stream, packets: packets)
        stills.held = { _, _ in held }
        let look = try FrameInspection(FrameInspection.Origin(stills: stills, time: SteppingTime())).look(wish)
        #expect(look.shown == 5 && look.frames.count == 12 && look.frames[5].type == .bidirectional)
    }

    // MARK: - Codes

    private static func raster(_ format: String = "yuv420p", _ more: [String] = []) throws -> String {
        try Fixtures.clip(
            ["-f", "lavfi", "-i", "nullsrc=s=256x16:r=5:d=1,format=yuv444p,geq=lum='X':cb=100:cr=200,format=\(format)"] + more
                + ["-c:v", "ffv1", "-frames:v", "2"], ext: "mkv")
    }

    @Test func aHistogramCountsEveryPixelOfAKnownFrame() throws {
        let look = try look(try Self.raster(), at: 0, levels: true), levels = try #require(look.levels)
        #expect(levels.names == ["Y", "U", "V"] && levels.depth == 8)
        #expect(levels.histogram[0] == [Int](repeating: 16, count: 256))
        #expect(levels.histogram[1][100] == 4096 && levels.histogram[2][200] == 4096)
        #expect(levels.ends[0].least == 0 && levels.ends[0].most == 255 && levels.ends[0].mean == 127.5)
        // It rises from the left to the right: so does the waveform.
        for column in 0..<FrameLevels.waveColumns {
            let counts = levels.waveform[column * FrameLevels.waveLevels..<(column + 1) * FrameLevels.waveLevels]
            #expect(counts.firstIndex { $0 > 0 }.map { $0 - counts.startIndex } == column && counts.reduce(0, +) == 32)
        }
        #expect(levels.codes(x: 0.5, y: 0.5) == [128, 100, 200] && levels.codes(x: 2, y: .nan) == [])
        #expect(levels.plane(0).pixels[200] == RasterImage.rgb(200, 200, 200) && levels.columns == 256)
    }

    @Test(arguments: ["yuv420p10le", "nv12", "yuyv422", "gray", "yuva420p"])
    func codesAreReadHoweverTheyLie(_ format: String) throws {
        // ffv1 knows few of these: rawvideo keeps any.
        let path = try Fixtures.clip(
            ["-f", "lavfi", "-i", "nullsrc=s=64x16:r=5:d=1,format=yuv444p,geq=lum='64+X':cb=100:cr=200,format=\(format)"]
                + ["-c:v", "rawvideo", "-frames:v", "1"], ext: "nut")
        let levels = try #require(try look(path, at: 0, levels: true).levels)
        let scale = levels.depth == 10 ? 4 : 1
        let codes = levels.codes(x: 32.5 / 64, y: 0.5)
        let grey = format == "gray"
        #expect(codes.count == (grey ? 1 : 3))
        if !grey { #expect(codes == [96 * scale, 100 * scale, 200 * scale]) }
    }

    @Test func aPixelsCodesAreToldAsLightAndAsShown() throws {
        let recipe = ["-f", "lavfi", "-i", "nullsrc=s=64x64:r=5:d=1,format=yuv444p,geq=lum=126:cb=128:cr=128,format=yuv420p"]
        let tags = ["-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709", "-color_range", "tv"]
        let path = try Fixtures.clip(recipe + tags + ["-c:v", "ffv1", "-frames:v", "1"], ext: "mkv")
        let look = try look(path, at: 0, levels: true), colour = try #require(look.colour)
        #expect(colour.matrix == "bt709" && colour.range == "limited" && colour.transfer == "bt709" && colour.tone.isEmpty)
        let pixel = try #require(colour.pixel([126, 128, 128]))
        // (126 − 16) / 219; sRGB's light of that.
        for value in pixel.coded { #expect(abs(value - 110.0 / 219) < 0.001) }
        for value in pixel.light { #expect(abs(value - 0.2159) < 0.002) }
        #expect(pixel.shown == [128, 128, 128] && !pixel.isNits)
        #expect(colour.pixel([1, 2]) == nil)
    }

    @Test func ofPQTheLightIsInCandelasAndTheToneCurveIsNamed() throws {
        let recipe = [
            "-f", "lavfi", "-i", "nullsrc=s=64x64:r=5:d=1,format=yuv444p10le,geq=lum=723:cb=512:cr=512,format=yuv420p10le",
        ]
        let tags = ["-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc", "-color_range", "tv"]
        let path = try Fixtures.clip(recipe + tags + ["-c:v", "ffv1", "-frames:v", "1"], ext: "mkv")
        let colour = try #require(try look(path, at: 0, levels: true).colour)
        // Code 723 of 10 bits is 1000 cd/m².
        let light = try #require(colour.pixel([723, 512, 512])).light
        #expect(light.allSatisfy { abs($0 - 1000) < 15 }, "\(light)")
        #expect(colour.tone.hasPrefix("BT.2390") && colour.transfer == "smpte2084")
        #expect(colour.curve.allSatisfy { $0.shown <= 203.01 } && colour.curve.contains { $0.nits == 1 && $0.shown > 0.9 })
    }

    /// A quarter of the frame is at 1000 cd/m², the rest at 26 or so.
    @Test func whatAToneCurveDoesToAFrameIsCounted() throws {
        let recipe = [
            "-f", "lavfi", "-i",
            "nullsrc=s=64x64:r=5:d=1,format=yuv444p10le,geq=lum='if(lt(X,16),723,400)':cb=512:cr=512,format=yuv420p10le",
        ]
        let tags = ["-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc", "-color_range", "tv"]
        let path = try Fixtures.clip(recipe + tags + ["-c:v", "ffv1", "-frames:v", "1"], ext: "mkv")
        let colour = try #require(try look(path, at: 0, levels: true).colour)
        let brightest = try #require(colour.brightest), dark = try #require(colour.light([400, 512, 512]))
        #expect(abs(brightest.nits - 1000) < 15 && abs(brightest.shown - 203) < 3 && colour.dimmedShare == 0.25)
        #expect(abs(dark.shown - dark.nits) < 0.1 * dark.nits && dark.nits < 60, "\(dark)")
        #expect(colour.lights.count == FrameColour.lightSteps && colour.lights.reduce(0, +) == 1000)
        #expect(
            colour.lights[FrameColour.lightStep(brightest.nits)] == 250 && colour.lights[FrameColour.lightStep(dark.nits)] == 750)
        #expect(zip(colour.curve, colour.curve.dropFirst()).allSatisfy { $0.nits < $1.nits && $0.shown <= $1.shown + 0.001 })
        #expect(
            [-1, 0, .nan].map(FrameColour.lightStep) == [0, 0, 0] && FrameColour.lightStep(1e9) == FrameColour.lightSteps - 1)
        // The usual range has none.
        let plain = try #require(try look(try Self.raster(), at: 0, levels: true).colour)
        #expect(plain.curve.isEmpty && plain.lights.isEmpty && plain.brightest == nil && plain.light([100, 128, 128]) == nil)
    }

    /// Codes are not read without a request.
    @Test func codesAreLookedAtOnlyWhereTheyAreAskedFor() throws {
        let look = try look(try Self.raster(), at: 0)
        #expect(look.levels == nil && look.colour == nil && look.image != nil)
    }

    @Test func aLookIsBrokenOffWhereItIsNotWantedAnyMore() throws {
        let inspection = inspection(try Self.moving(Self.predicted))
        let wish = FrameWish(point: .seconds(1), box: PixelSize(width: 64, height: 64))
        var asked = 0
        #expect(throws: MediaError.self) {
            try inspection.look(wish) {
                asked += 1
                return asked < 5
            }
        }
        #expect(asked == 5)
        #expect(try inspection.look(wish).shown != nil, "the next one is served")
    }

    @Test func everythingIsGivenBack() throws {
        let path = try Self.moving(Self.predicted)
        for _ in 0..<3 {
            let inspection = inspection(path)
            _ = try inspection.look(FrameWish(point: .seconds(0.5), wantsLevels: true, box: PixelSize(width: 64, height: 64)))
            inspection.close()
        }
        #expect(throws: MediaError.self) { try look("/nowhere/at-all.mkv", at: 0) }
    }
}
