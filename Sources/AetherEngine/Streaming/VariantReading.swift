public import AetherCore
import AetherFormats
public import AetherSources

/// Reads the variants of a source as `aetherctl variants` shows them: its manifest alone. Blocks on files and servers.
public struct VariantReading {
    private let manifest: ManifestReading

    /// A source: a local file or an http or https address. Throws `.unsupported` for any other. Asks for nothing yet.
    public init(
        _ location: MediaLocation, http: HTTPOptions = HTTPOptions(), workingFolder: String
    ) throws(MediaError) {
        manifest = try ManifestReading(location, http: http, workingFolder: workingFolder)
    }

    /// The variants in the manifest's order; those of a broadcast by DASH at `now`, in nanoseconds since 1970. Protected variants are
    /// listed, too. Throws `.notMedia` for a document that is no manifest, `.cannotOpen` where a server or the system gives nothing.
    public func variants(now: Int64) throws(MediaError) -> [MediaVariant] { try manifest.outline(now: now).mediaVariants() }
}
