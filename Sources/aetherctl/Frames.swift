import AetherCore
import AetherEngine
import AetherMedia
import AetherOptions
import AetherSources
import ArgumentParser

/// Lists the frames of a stretch of video: how each was coded, and what decoding it took.
struct Frames: MediaCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            abstract: translated("List the frames around a time: type, both orders, quantiser, vectors, decoding time."),
            discussion: translated(
                """
                From the key frame at or before the time to the next one, decoded in one thread. Exit status: 1 no frame there; 2 cannot open.
                """))
    }

    @Option(help: .translated("The time, in seconds of the source.", value: "seconds"))
    var at = 0.0

    @Flag(help: .translated("Decode without film grain."))
    var noGrain = false

    @Flag(help: .translated("Print JSON."))
    var json = false

    @OptionGroup var argument: SourceArgument

    mutating func validate() throws {
        if !(0...1e9).contains(at) { throw ValidationError(translated("--at takes seconds, for example --at 90.5")) }
    }

    mutating func run() throws {
        let look: FrameLook
        do throws(MediaError) {
            let location = MediaLocation.parse(argument.source).inPackage
            let network = argument.network
            let inspection = FrameInspection(
                FrameInspection.origin(
                    of: .location(location), options: network.opening(), http: network.http(for: argument.source)))
            let wish = FrameWish(point: .seconds(at), drawsGrain: !noGrain, box: PixelSize(width: 64, height: 64))
            look = try inspection.look(wish)
        } catch {
            throw fail(error, error.code == .decodeFailed || error.code == .endOfMedia ? ExitStatus.playbackFailed : .init(2))
        }
        if json {
            printSafely(JSON.array(look.frames.indices.map { Self.json(look, $0) }).report)
        } else {
            print("shown\tdecoded\ttype\tpts\tdts\tsize\tquantiser\tvectors\treference\tms\tflags")
            for place in look.frames.indices { print(Self.line(look, place)) }
            printSafely("# \(look.codec) by \(look.decoder)" + (look.hasFilmGrain ? ", film grain" : ""))
        }
    }

    private static func line(_ look: FrameLook, _ place: Int) -> String {
        let frame = look.frames[place]
        func number(_ value: Double?, _ places: Double) -> String {
            value.map { "\(($0 * places).rounded() / places)" } ?? "-"
        }
        return [
            "\(place + 1)", frame.decodeOrder.map(String.init) ?? "-", frame.type.rawValue, number(frame.pts?.seconds, 1e6),
            number(frame.dts?.seconds, 1e6), "\(frame.byteCount)", number(frame.quantiser, 10), "\(frame.vectorCount)",
            frame.isReference.map { $0 ? "yes" : "no" } ?? "-", number(frame.decodeTime.milliseconds, 1000),
            (frame.isKey ? "key" : "-") + (place == look.shown ? " on screen" : ""),
        ].joined(separator: "\t")
    }

    private static func json(_ look: FrameLook, _ place: Int) -> JSON {
        let frame = look.frames[place]
        var members: [JSON.Members.Member] = [("shown", JSON(place + 1))]
        if let order = frame.decodeOrder { members.append(("decoded", JSON(order))) }
        members += [("type", .string(frame.type.rawValue)), ("key", .bool(frame.isKey)), ("size", JSON(frame.byteCount))]
        for (name, time) in [("pts_time", frame.pts), ("dts_time", frame.dts)] {
            if let time { members.append((name, .number(time.seconds))) }
        }
        if let quantiser = frame.quantiser, let ends = frame.quantiserEnds {
            members += [("qp", .number(quantiser)), ("qp_min", JSON(ends.lowerBound)), ("qp_max", JSON(ends.upperBound))]
        }
        members.append(("vectors", JSON(frame.vectorCount)))
        if let isReference = frame.isReference { members.append(("reference", .bool(isReference))) }
        members += [("decode_ms", .number(frame.decodeTime.milliseconds)), ("on_screen", .bool(place == look.shown))]
        return .object(JSON.Members(members))
    }
}
