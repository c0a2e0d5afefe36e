/// The servers on which the media of a representation lies: BaseURL at the levels of the document, several at each.
struct MPDLocations: Sendable, Equatable {
    /// Addresses at most.
    static let limit = 16

    /// One server.
    struct Location: Sendable, Equatable {
        var address: StreamAddress
        /// The name of the server (`serviceLocation`); nil for none.
        var service: String?
        /// How much earlier than whole a segment may be asked for, all levels together; nil where it is not said.
        var availabilityOffset: Ticks?
        /// Parts of a segment come while the rest is made.
        var isChunked = false
    }

    private(set) var all: [Location]

    /// Where the document itself came from.
    init(_ address: StreamAddress) { all = [Location(address: address)] }

    /// With the BaseURLs of an element, each of which is relative to each one above. One that is no address is left out.
    func below(_ element: XMLElement) -> MPDLocations {
        let written = element.children("BaseURL", limit: Self.limit)
        guard !written.isEmpty else { return self }
        var result = self
        result.all = []
        for base in written {
            let text = base.text
            for outer in all where result.all.count < Self.limit {
                guard var location = outer.child(text, base) else { continue }
                if location.service == nil { location.service = outer.service }
                if !result.all.contains(where: { $0.address == location.address }) { result.all.append(location) }
            }
        }
        return result.all.isEmpty ? self : result
    }
}

extension MPDLocations.Location {
    fileprivate func child(_ text: String, _ element: XMLElement) -> MPDLocations.Location? {
        guard let address = address.resolved(text) else { return nil }
        var location = self
        location.address = address
        location.service = element.attribute("serviceLocation")
        if let written = element.attribute("availabilityTimeOffset") {
            location.availabilityOffset = (availabilityOffset ?? .zero) + MPDValue.offset(written)
        }
        if let complete = element.attribute("availabilityTimeComplete") { location.isChunked = complete == "false" }
        return location
    }
}
