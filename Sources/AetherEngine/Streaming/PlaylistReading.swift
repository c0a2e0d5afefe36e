import AetherCore
import AetherFormats
import AetherMedia
import AetherSources

/// Reads the playlists that a manifest names.
struct PlaylistReading: Sendable {
    let fetch: StreamFetch
    /// Of the manifest, for those that import them.
    let variables: [String: String]
    /// Encrypted media can be played.
    var hasKeys = false
    /// Parts of segments are asked for, too.
    var takesParts = false

    /// The list of segments at an address. `reload`: it is held back by the server until it says more. Blocks. Throws with the reason where it
    /// cannot be had or understood.
    func list(at address: StreamAddress, _ reload: BlockingReload? = nil) throws(MediaError) -> HLSSegmentList {
        let bytes: [UInt8], final: StreamAddress
        do throws(IOReaderError) {
            let found = try fetch.document(reload?.address(address) ?? address)
            (bytes, final) = (fetch.stages.manifest(found.bytes, from: found.address), found.address)
        } catch {
            throw MediaError(.url(address.text), error)
        }
        return try StreamCatalog.understood(address.text) { () throws(StreamFault) in
            let list = try HLSPlaylist(bytes, address: final, variables: variables).segmentList()
            try list.checkPlayable(hasKeys: hasKeys)
            return list
        }
    }
}
