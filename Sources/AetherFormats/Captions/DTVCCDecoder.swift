public import AetherCore

/// Digital closed captions (CEA-708) out of the caption bytes beside frames: packets are put together, parted into the blocks of up to six
/// services, and each service's windows are drawn into. Lives on one thread; bounded by eight windows of 16 × 64 cells a service.
public struct DTVCCDecoder: Sendable {
    /// The texts of a service from now on.
    public struct Screen: Sendable, Equatable {
        /// 1 … 6.
        public let service: Int
        /// A text for each visible window, those of the lowest priority last; empty where no window is visible any more.
        public let texts: [Text]
    }

    /// The text of one window.
    public struct Text: Sendable, Equatable {
        /// The lines with their looks.
        public let body: SubtitleCue.Body
        /// The place on screen; nil: at the bottom in the middle.
        public let placement: SubtitleTextPlacement?
    }

    private var packet: [UInt8] = []
    /// Of the packet that is being put together; 0 for none.
    private var size = 0
    private var services: [Int: DTVCCService] = [:]
    private var shown: [Int: [Text]] = [:]
    /// Seven and more are possible, and are not sent.
    private static let serviceLimit = 6

    /// A decoder that has seen nothing.
    public init() {}

    /// Takes the caption bytes beside one frame (`cc_data` of ATSC A/53 part 4: triples); returns the services whose screens look different
    /// afterwards.
    public mutating func take(_ bytes: some Sequence<UInt8>) -> [Screen] {
        var touched: Set<Int> = []
        var iterator = bytes.makeIterator()
        while let mark = iterator.next(), let first = iterator.next(), let second = iterator.next() {
            let type = mark & 3
            guard mark & 4 != 0, type >= 2 else { continue }
            if type == 3 { begin(first) }
            guard size > 0 else { continue }
            packet += type == 3 ? [second] : [first, second]
            if packet.count >= size {
                touched.formUnion(read(packet[..<size]))
                (packet, size) = ([], 0)
            }
        }
        return touched.sorted().compactMap { number in
            let texts = services[number]?.texts ?? []
            guard texts != shown[number] ?? [] else { return nil }
            shown[number] = texts
            return Screen(service: number, texts: texts)
        }
    }

    /// Frames of another place follow: the text on screen is not known any more.
    public mutating func reset() { self = DTVCCDecoder() }

    /// The header of a packet: its number, modulo 4, and its length with the header. Where numbers are missing, a window may be drawn into
    /// that was never defined: that shows nothing and does no harm.
    private mutating func begin(_ header: UInt8) {
        packet = []
        let code = Int(header & 0x3F)
        size = (code == 0 ? 128 : code * 2) - 1
    }

    /// Parts a packet into blocks of services; returns whose there were.
    private mutating func read(_ packet: ArraySlice<UInt8>) -> Set<Int> {
        var touched: Set<Int> = []
        var place = packet.startIndex
        while place < packet.endIndex {
            let header = packet[place]
            var service = Int(header >> 5)
            let length = Int(header & 0x1F)
            place += 1
            if service == 7, length > 0 {
                guard place < packet.endIndex else { break }
                service = Int(packet[place] & 0x3F)
                place += 1
            }
            // A block of service 0 is filling up to the end.
            guard service > 0, length > 0 else { break }
            let end = min(packet.endIndex, place + length)
            if service <= Self.serviceLimit {
                services[service, default: DTVCCService()].take(packet[place..<end])
                touched.insert(service)
            }
            place = end
        }
        return touched
    }
}
