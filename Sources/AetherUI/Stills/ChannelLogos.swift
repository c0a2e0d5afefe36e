import AetherCore
import AetherEngine
import AetherSources
import Synchronization

/// Fetches the logo of the channel that is selected, and decodes it, on threads of its own. Only the newest wish counts, and an older one is broken
/// off. Those that were seen are kept, and so is the knowledge that one cannot be had.
final class ChannelLogos: Sendable {
    /// The wish for a logo.
    struct Wish: Sendable {
        let address: String
        let http: HTTPOptions
    }

    /// The logo of an address.
    struct Find: Sendable {
        let address: String
        let still: ScrubStill
    }

    private let requests: Requests<Wish, Find>

    /// Logos of lists have some 20 KB; larger than this is none.
    static let byteLimit = 1 << 20
    /// 128 of at most 240x240 pixels are 30 MB.
    private static let keptLimit = 128
    /// As wide as their place has pixels on most terminals.
    private static let width = 240
    /// The numbers of stills of the browser and of the file that plays are above these.
    private static let firstNumber = -1_000_000

    /// `wake` is signalled when a logo is there.
    init(wake: WakeHandle) {
        let kept = Kept()
        requests = Requests(name: "logo", urgency: .bulk, threads: 2, wake: { wake.wake() }) {
            { wish, turn in
                let image: RasterImage?
                if let known = kept.logo(of: wish.address) {
                    image = known.image
                } else {
                    image = Self.fetched(wish, turn)
                    // One that was not waited for is not known to be missing.
                    if turn.isWanted { kept.keep(image, of: wish.address) }
                }
                return image.map {
                    Find(address: wish.address, still: ScrubStill(image: $0, number: Self.firstNumber - turn.number))
                }
            }
        }
    }

    /// Fetches a logo; nil: none is wanted any more. Never blocks.
    func look(at wish: Wish?) {
        if let wish { requests.ask(wish) } else { requests.drop() }
    }

    /// The logo that was found since; once.
    func take() -> Find? { requests.take() }

    /// The logos that were fetched, by their addresses. Any thread.
    private final class Kept: Sendable {
        struct Logo: Sendable {
            let image: RasterImage?
        }
        private let logos = Mutex<[String: Logo]>([:])

        func logo(of address: String) -> Logo? { logos.withLock { $0[address] } }

        func keep(_ image: RasterImage?, of address: String) {
            logos.withLock { logos in
                if logos.count >= ChannelLogos.keptLimit { logos = [:] }
                logos[address] = Logo(image: image)
            }
        }
    }

    /// Blocks. nil for what is no image, too large, cannot be read or is not wanted any more.
    private static func fetched(_ wish: Wish, _ turn: RequestTurn) -> RasterImage? {
        do {
            let data = try bytes(of: wish, turn)
            guard turn.isWanted, !data.isEmpty, data.count < byteLimit else { return nil }
            let extractor = FrameExtractor(.custom(MemoryReader(data), name: "logo"))
            defer { extractor.shutDown() }
            turn.onDrop { extractor.stop() }
            let outline = try extractor.waitUntilOpened()
            return try extractor.waitForStill(at: outline.startTime, isExact: false, width: width).image
        } catch {
            Log.module("guide").info("\(error)")
            return nil
        }
    }

    private static func bytes(of wish: Wish, _ turn: RequestTurn) throws(IOReaderError) -> [UInt8] {
        let web = try HTTPReader(wish.address, options: wish.http)
        defer { web.close() }
        turn.onDrop { web.cancel() }
        try web.open()
        return try web.bytes(limit: byteLimit)
    }
}
