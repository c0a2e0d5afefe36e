import AetherCore
import AetherMedia
import AetherSources

/// An image that a source's host names by its address: a cover, a sheet of stills.
struct WebImage {
    let address: String
    let http: HTTPOptions

    /// A sheet of 100 stills has 1 MB, a cover of 3000x3000 pixels 3 MB.
    private static let limit = 16 << 20

    /// The file of the image. Blocks on the server until the interrupt is raised. Throws `.cannotOpen` and its kin, `.notMedia` for more than 16 MB,
    /// and `.interrupted`.
    func bytes(_ interrupt: Interrupt) throws(MediaError) -> [UInt8] {
        let bytes: [UInt8]
        do throws(IOReaderError) {
            let reader = try HTTPReader(address, options: http)
            interrupt.attach(reader)
            defer {
                interrupt.detach(reader)
                reader.close()
            }
            bytes = try reader.bytes(limit: Self.limit + 1)
        } catch {
            if error == .cancelled { throw MediaError(.interrupted, "read an image", subject: address) }
            throw MediaError(.url(address), error)
        }
        guard bytes.count <= Self.limit else {
            throw MediaError(.notMedia, "read an image", subject: address, reason: "it is larger than 16 MB")
        }
        return bytes
    }
}
