import AetherCore

/// The words of a steering server: which of several servers is to be used (RFC 8216bis, 7.2; DASH-IF, content steering). A value.
public struct SteeringManifest: Sendable, Equatable {
    /// A further server whose addresses are made from those of another.
    public struct Clone: Sendable, Equatable {
        /// The name of the server that it is made from, and its own.
        public let base: String, name: String
        let host: String?
        let parameters: [(name: String, value: String)]
        /// Addresses by stable names of variants and renditions, which stand in the place of what is made.
        let variants: [String: String], renditions: [String: String]

        /// Whether all is the same.
        public static func == (a: Clone, b: Clone) -> Bool {
            a.base == b.base && a.name == b.name && a.host == b.host && a.variants == b.variants && a.renditions == b.renditions
                && a.parameters.elementsEqual(b.parameters) { $0 == $1 }
        }
    }

    /// Bytes at most, names of servers at most.
    public static let sizeLimit = 1 << 20, nameLimit = 100
    /// Names of servers, the first one to be used first.
    public let order: [String]
    /// The seconds after which it is to be asked again, 1 to 86 400; 300 where it does not say.
    public let lifetime: Int
    /// Where it is to be asked the next time; nil: where it was asked.
    public let reload: StreamAddress?
    /// Further servers.
    public let clones: [Clone]

    /// Reads the answer that came from an address; nil for an answer that is no steering manifest.
    public init?(_ bytes: [UInt8], address: StreamAddress) {
        // An answer that is no JSON says nothing.
        guard bytes.count <= Self.sizeLimit, let object = try? JSON(bytes), object["VERSION"]?.integer ?? 1 == 1,
            let names = (object["PATHWAY-PRIORITY"] ?? object["SERVICE-LOCATION-PRIORITY"])?.values
        else { return nil }
        order = names.prefix(Self.nameLimit).compactMap { $0.text.map { DisplayText.singleLine($0, limit: 200) } }
        guard !order.isEmpty else { return nil }
        lifetime = min(max(object["TTL"]?.integer ?? 300, 1), 86_400)
        reload = object["RELOAD-URI"]?.text.flatMap { address.resolved($0) }
        clones = (object["PATHWAY-CLONES"]?.values ?? []).prefix(Self.nameLimit).compactMap { Clone($0) }
    }
}

extension SteeringManifest.Clone {
    fileprivate init?(_ json: JSON) {
        guard let base = json["BASE-ID"]?.text, let name = json["ID"]?.text, base != name else { return nil }
        self.base = DisplayText.singleLine(base, limit: 200)
        self.name = DisplayText.singleLine(name, limit: 200)
        let words = json["URI-REPLACEMENT"]
        host = words?["HOST"]?.text.flatMap { $0.isEmpty || $0.utf8.count > 255 ? nil : $0 }
        parameters = Self.pairs(words?["PARAMS"])
        variants = Dictionary(Self.pairs(words?["PER-VARIANT-URIS"]).map { ($0.name, $0.value) }) { $1 }
        renditions = Dictionary(Self.pairs(words?["PER-RENDITION-URIS"]).map { ($0.name, $0.value) }) { $1 }
    }

    private static func pairs(_ json: JSON?) -> [(name: String, value: String)] {
        guard case .object(let members)? = json else { return [] }
        return members.prefix(1000).compactMap { entry in entry.value.text.map { (entry.key, $0) } }
    }

    /// The address of the same on this server; nil where it makes no sense. `stable`: the stable name of the variant or rendition.
    func address(of original: StreamAddress, stable: String?, isVariant: Bool) -> StreamAddress? {
        if let stable, let own = (isVariant ? variants : renditions)[stable] { return original.resolved(own) }
        var text = original.text
        if let host {
            // A name and a password were given for the other one.
            guard let slash = text.firstIndex(of: "/"), text[slash...].hasPrefix("//") else { return nil }
            let start = text.index(slash, offsetBy: 2)
            let end = text[start...].firstIndex { "/?#".contains($0) } ?? text.endIndex
            text.replaceSubrange(start..<end, with: host)
        }
        for (name, value) in parameters {
            text += (text.contains("?") ? "&" : "?") + Self.escaped(name) + "=" + Self.escaped(value)
        }
        return StreamAddress(text)
    }

    fileprivate static func escaped(_ text: String) -> String {
        text.utf8.reduce(into: "") { result, byte in
            let isPlain =
                UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
                || "-._~".utf8.contains(byte)
            let digits = String(byte, radix: 16, uppercase: true)
            result += isPlain ? String(Unicode.Scalar(byte)) : "%" + (byte < 16 ? "0" : "") + digits
        }
    }
}

extension Presentation.Steering {
    /// The address of the next request, with the pathway that is used now.
    public func request(_ address: StreamAddress, using pathway: String?, isDASH: Bool) -> StreamAddress {
        guard let pathway, pathway != ".", ["http", "https"].contains(address.scheme) else { return address }
        let name = isDASH ? "_DASH_pathway" : "_HLS_pathway"
        let words = (address.text.contains("?") ? "&" : "?") + name + "=" + SteeringManifest.Clone.escaped("\"\(pathway)\"")
        return StreamAddress(address.text + words) ?? address
    }
}
