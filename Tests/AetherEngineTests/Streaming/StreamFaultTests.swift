import AetherCore
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine
@testable import AetherMedia

/// What servers do wrong with one kind of file of a stream, and what a link does that goes away.
@Suite struct StreamFaultTests {
    private static let kinds = ["manifest", "playlist", "init", "key", "segment"]

    /// Each file goes wrong once, or always in a way that can be lived with.
    @Test(arguments: [
        "fail=503:1", "drop=100,drops=1", "drop=900", "norange", "chunked", "unbounded", "close", "redir=2", "lies=1,badrange=7",
        "lies=1,length=1000", "length=1000", "lies=1,length=-90", "lies=1,gzip",
    ])
    func aFaultWithOneKindOfFileCostsNoFrame(_ fault: String) throws {
        for shape in [SegmentedFilm.Shape.fragments, .ciphered, .dashNumbers] {
            let film = try SegmentedFilm(shape), origin = try film.origin()
            for kind in Self.kinds {
                let reading = try StreamReading(.url(origin.address + "/~\(fault),only=\(kind)/\(shape.manifest)"))
                #expect(
                    reading.hasEveryFrame() && reading.isAudioWhole && reading.damage == 0,
                    "\(shape) \(kind) \(reading.video.count)")
            }
        }
    }

    /// Walls before a network and servers that are overrun answer with a page, and with the file the next time. That an address which a person
    /// gave is a page is said at once.
    @Test(arguments: [SegmentedFilm.Shape.transport, .fragments, .ciphered, .dashTimeline])
    func aPageInTheFirstAnswersPlaceCostsNoFrame(_ shape: SegmentedFilm.Shape) throws {
        let film = try SegmentedFilm(shape), origin = try film.origin()
        for kind in Self.kinds.dropFirst() {
            let reading = try StreamReading(.url(origin.address + "/~pages=1,only=\(kind)/\(shape.manifest)"))
            #expect(reading.hasEveryFrame() && reading.isAudioWhole, "\(kind) \(reading.video.count)")
            // A page that is deciphered looks like damage.
            #expect(reading.damage == 0 || shape == .ciphered && kind == "segment", "\(kind) \(reading.damage)")
        }
        #expect(throws: MediaError.self) { try StreamReading(.url(origin.address + "/~page/\(shape.manifest)")) }
    }

    /// A server that is gone for a moment, while the film plays: nothing is passed by.
    @Test(arguments: [SegmentedFilm.Shape.transport, .fragments, .ciphered, .dashNumbers])
    func anOutageCostsAPauseAndNoFrame(_ shape: SegmentedFilm.Shape) throws {
        let film = try SegmentedFilm(shape), origin = try film.origin()
        let source = try StreamReading.open(.url(origin.address + "/" + shape.manifest))
        let video = try #require(source.description.info.streams.first { $0.kind == .video }?.id)
        source.select([video])
        var times: [MediaTime] = [], returning: WorkerThread?
        reading: while true {
            do throws(MediaError) {
                guard case .packet(let packet) = try source.read(run: Epoch()), let time = packet.pts else { continue }
                times.append(time)
                if times.count == 10 {
                    origin.leave()
                    returning = WorkerThread(name: "test") {
                        // Longer than the first attempt: it is refused.
                        let pause = Interrupt()
                        _ = pause.wait(until: SystemTime().now() + .milliseconds(300))
                        origin.comeBack()
                    }
                }
            } catch {
                if error.code == .endOfMedia { break reading }
                throw error
            }
        }
        returning?.join()
        #expect(times.count == 100 && Set(times).count == 100 && source.damageCount == 0, "\(times.count)")
    }
}
