import AetherCore
import AetherFormats
import AetherMedia

/// The reason why a variant cannot be played here.
public enum VariantObstacle: Sendable, Equatable, CustomStringConvertible {
    /// No decoder is here for the codec of this usual name, safe to display.
    case undecodable(String)
    /// The variant is protected by a system of digital rights of this name.
    case protected(String)

    /// The obstacle in the words of a list: "cannot be decoded: VVC".
    public var description: String {
        switch self {
        case .undecodable(let codec): translated("cannot be decoded: \(codec)")
        case .protected(let system): translated("protected by \(system)")
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
