/// A message beside a frame as ITU-T T.35 registers them: captions, HDR10+, Dolby Vision. The first two bytes of the payload name the
/// body that defined it.
public struct RegisteredUserData: Sendable, Equatable {
    /// 0xB5 for the United States, where all that are known come from.
    public let country: UInt8
    /// The bytes behind the country's code.
    public let payload: [UInt8]

    /// A message as it lies in the stream.
    public init(country: UInt8, payload: [UInt8]) {
        self.country = country
        self.payload = payload
    }

    /// Whether it is a unit of Dolby Vision's metadata (ETSI TS 103 572, provider 0x003B, its code 0x00000800).
    public var isDolbyVision: Bool { country == 0xB5 && payload.starts(with: [0x00, 0x3B, 0x00, 0x00, 0x08, 0x00]) }

    /// Whether it is the metadata of a scene by SMPTE ST 2094-40 (provider 0x003C, its code 1, application 4).
    public var isHDR10Plus: Bool { country == 0xB5 && payload.starts(with: [0x00, 0x3C, 0x00, 0x01, 0x04]) }

    /// Closed captions (`cc_data` of ATSC A/53 part 4) as triples of bytes; nil where it is something else.
    public var captions: [UInt8]? {
        // ATSC's number, "GA94", cc_data, then flags with the number of triples and a reserved byte.
        guard country == 0xB5, payload.count >= 9, payload.starts(with: [0x00, 0x31, 0x47, 0x41, 0x39, 0x34, 0x03]) else {
            return nil
        }
        let length = Int(payload[7] & 0x1F) * 3
        guard payload[7] & 0x40 != 0, length > 0, payload.count >= 9 + length else { return nil }
        return Array(payload[9..<9 + length])
    }
}
