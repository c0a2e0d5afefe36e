/// Which addresses a manifest may name. Pure: links of the file system are judged where a file is opened.
public struct AddressPolicy: Sendable, Equatable {
    /// The roles of addresses in a manifest.
    public enum Role: Sendable {
        /// Another manifest or a segment.
        case media
        /// A key or an init section, which may stand in the manifest itself (`data:`).
        case small
    }

    private let scheme: String
    private let folder: String
    private let allowsDowngrade: Bool

    /// The policy of all that is reached from a first address. `allowsDowngrade`: an https manifest may name http media.
    public init(root: StreamAddress, allowsDowngrade: Bool = false) {
        scheme = root.scheme
        folder = root.folder
        self.allowsDowngrade = allowsDowngrade
    }

    /// Throws `.refusedAddress` for an address that is not followed: other schemes than http and https, plain http from https, local files
    /// from the network, and, in a local manifest, any file that does not lie below its own folder.
    public func check(_ address: StreamAddress, as role: Role = .media) throws(StreamFault) {
        switch address.scheme {
        case "https": return
        case "http":
            if scheme == "https", !allowsDowngrade { throw StreamFault(.refusedAddress(.downgrade), subject: address.text) }
        case "file":
            guard scheme == "file" else { throw StreamFault(.refusedAddress(.local), subject: address.text) }
            // Percent codes may hide dots and slashes: what is opened is the decoded path.
            let path = StreamAddress.decoded(address.cleanPath[...])
            let clean = StreamAddress.withoutDots(path[...])
            guard address.host.isEmpty, clean == path, path.hasPrefix(StreamAddress.decoded(folder[...])),
                !path.utf8.contains(0)
            else { throw StreamFault(.refusedAddress(.outside), subject: address.text) }
        case "data" where role == .small: return
        default: throw StreamFault(.refusedAddress(.scheme), subject: address.text)
        }
    }
}
