import AetherCore
import AetherFormats
import AetherMedia

/// The reason why a variant cannot be played here.
public enum VariantObstacle: Sendable, Equatable, CustomStringConvertible {
    /// By the usual name of its codec, safe to display: nothing here decodes it.
    case undecodable(String)
    /// By the name of a system of digital rights.
    case protected(String)

    /// In the words of a list: "cannot be decoded: VVC".
    public var description: String {
        switch self {
        case .undecodable(let codec): "cannot be decoded: \(codec)"
        case .protected(let system): "protected by \(system)"
        }
    }

    /// nil where nothing speaks against a variant. `protection`: for which there is no key.
    init?(_ variant: Variant, protection: ContentProtection?) {
        if let protection {
            self = .protected(protection.rawValue)
        } else if let codec = variant.codecs.first(where: { !$0.isDecodable }) {
            self = .undecodable(DisplayText.singleLine(codec.name, limit: 40))
        } else {
            return nil
        }
    }
}
