/// A step in the reading of manifests that a host adds: it rewrites texts and addresses, chooses among variants and tracks, and adds
/// tracks. Each function has a default that changes nothing. They are called on the thread that reads, in the order of the stages, and must
/// not block.
public protocol ManifestStage: Sendable {
    /// The text of a manifest or a playlist before it is read, each time that it comes. `address`: behind redirections.
    func manifest(_ bytes: [UInt8], from address: StreamAddress) -> [UInt8]

    /// The presentation that was understood, each time that its manifest was read: variants may be left out or put in another order, groups
    /// added. A rendition that is added without an index is a playlist of HLS at one of its addresses, in a presentation of DASH, too.
    func change(_ presentation: inout Presentation)

    /// The address to ask in the place of one that the manifest names: of a playlist, a segment, a key. The policy for addresses has
    /// judged the one that is named; private networks, and plain http from https, are refused after this, too.
    func address(_ address: StreamAddress) -> StreamAddress
}

extension ManifestStage {
    /// The text as it is.
    public func manifest(_ bytes: [UInt8], from address: StreamAddress) -> [UInt8] { bytes }

    /// Nothing.
    public func change(_ presentation: inout Presentation) {}

    /// The address as it is.
    public func address(_ address: StreamAddress) -> StreamAddress { address }
}

extension [any ManifestStage] {
    /// The text after the changes of all stages.
    public func manifest(_ bytes: [UInt8], from address: StreamAddress) -> [UInt8] {
        reduce(bytes) { $1.manifest($0, from: address) }
    }

    /// Lets all stages change the presentation.
    public func change(_ presentation: inout Presentation) {
        for stage in self { stage.change(&presentation) }
    }
}
