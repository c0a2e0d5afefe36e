import AetherCore
import AetherFormats
import AetherSources

/// A segment or an init section as a part of a container: its place in the stream and its address, without what could be secret in that. Pure.
struct SegmentRow {
    /// The manifest says that it is not there.
    var isMissing = false
    /// As a whole, or its samples.
    var isEncrypted: Bool { encryption != nil }
    private let type: String, title: String
    private let encryption: SegmentEncryption?
    private var fields: [InspectedField] = []

    init(_ segment: Segment) {
        type = "segment"
        (encryption, isMissing) = (segment.encryption, segment.isGap)
        let start = Self.seconds(segment.start), address = Self.text(segment.address)
        title = "\(segment.number) at \(start) s, \(address)"
        fields = [
            InspectedField("number", .integer(segment.number)),
            InspectedField("start", .number(segment.start.seconds), unit: "s"),
            InspectedField("duration", .number(segment.duration.seconds), unit: "s"), InspectedField("address", .text(address)),
        ]
        fields += Self.fields(segment.range, segment.encryption)
        if segment.isDiscontinuity { fields.append(InspectedField("discontinuity", .flag(true))) }
        if segment.isGap { fields.append(InspectedField("gap", .flag(true))) }
    }

    init(_ map: InitSection) {
        (type, encryption) = ("init", map.encryption)
        title = Self.text(map.address)
        fields = [InspectedField("address", .text(title))] + Self.fields(map.range, map.encryption)
    }

    /// The row without its parts. `size`: of its bytes.
    func box(size: Int64) -> InspectedBox {
        var box = InspectedBox(type, title: title, offset: 0, size: max(0, size))
        box.fields = fields
        if isMissing { box.damage = ["the manifest says that it is missing"] }
        return box
    }

    private static func fields(_ range: ByteRange?, _ encryption: SegmentEncryption?) -> [InspectedField] {
        var fields: [InspectedField] = []
        if let range {
            fields = [
                InspectedField("range_offset", .integer(range.offset), unit: "bytes"),
                InspectedField("range_length", .integer(range.length), unit: "bytes"),
            ]
        }
        switch encryption {
        case nil: break
        case .whole(let cipher, _, _):
            fields.append(InspectedField("encryption", .text(cipher.rawValue), meaning: "the whole segment"))
        case .samples(_, _, let isCounter):
            let method = isCounter ? "SAMPLE-AES-CTR" : "SAMPLE-AES"
            fields.append(InspectedField("encryption", .text(method), meaning: "its samples"))
        case .protected(let system):
            fields.append(InspectedField("encryption", .text(system.rawValue), meaning: "digital rights"))
        }
        return fields
    }

    private static func seconds(_ ticks: Ticks) -> String {
        let milliseconds = ticks.rescaled(to: 1000).value
        return InspectedField("", .number(Double(milliseconds) / 1000)).value.text
    }

    /// Without query and fragment, name and password; bounded.
    private static func text(_ address: StreamAddress) -> String {
        if address.scheme == "data" { return "data:" }
        return DisplayText.singleLine(MediaLocation.parse((address.bare ?? address).text).shownText, limit: 200)
    }
}
