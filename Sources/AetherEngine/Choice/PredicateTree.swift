import AetherCore
import AetherFormats

/// An expression over variants as it was understood. It leaves some of the variants that it is given: of `a && b`, b is given what a leaves.
indirect enum PredicateTree: Sendable, Equatable {
    /// A number: a property, the largest or smallest of it among the variants that are given, or as it is written.
    enum Term: Sendable, Equatable {
        case path(VariantKeyPath)
        case extreme(VariantKeyPath, isMaximum: Bool)
        case constant(Double)
    }

    case all([PredicateTree])
    case any([PredicateTree])
    case not(PredicateTree)
    /// One number of the left side stands so to one of the right.
    case numbers(Term, PredicateToken.Comparison, Term)
    /// A word of the property is one of these.
    case words(VariantKeyPath, [String])
    case flag(VariantKeyPath)
    /// The variant says nothing of the property.
    case absent(VariantKeyPath)
    /// Those that have the largest or smallest.
    case extreme(VariantKeyPath, isMaximum: Bool)

    /// The places of the variants that are left, in their order.
    func left(of places: [Int], in variants: [MediaVariant]) -> [Int] {
        switch self {
        case .all(let trees): return trees.reduce(places) { left, tree in tree.left(of: left, in: variants) }
        case .any(let trees):
            let found = trees.reduce(into: Set<Int>()) { $0.formUnion($1.left(of: places, in: variants)) }
            return places.filter { found.contains($0) }
        case .not(let tree):
            let found = Set(tree.left(of: places, in: variants))
            return places.filter { !found.contains($0) }
        case .numbers(let left, let comparison, let right):
            let (left, right) = (left.settled(of: places, in: variants), right.settled(of: places, in: variants))
            return places.filter { place in
                let values = right.values(of: variants[place])
                return left.values(of: variants[place]).contains { value in
                    values.contains { comparison.holds(value, $0) }
                }
            }
        case .words(let path, let wanted):
            return places.filter { place in
                path.words(of: variants[place]).contains { word in wanted.contains { path.fits(word, $0) } }
            }
        case .flag(let path): return places.filter { path.isSet(in: variants[$0]) }
        case .absent(let path):
            return places.filter { path.numbers(of: variants[$0]).isEmpty && path.words(of: variants[$0]).isEmpty }
        case .extreme(let path, let isMaximum):
            return Self.numbers(.path(path), .equal, .extreme(path, isMaximum: isMaximum)).left(of: places, in: variants)
        }
    }
}

extension PredicateTree.Term {
    /// The kind of its values; nil for a number that fits any.
    var kind: VariantKeyPath.Kind? {
        switch self {
        case .path(let path), .extreme(let path, isMaximum: _): path.kind
        case .constant: nil
        }
    }

    /// With what depends on all variants computed once. Where none of them has the property, what is left fits nothing.
    fileprivate func settled(of places: [Int], in variants: [MediaVariant]) -> Self {
        guard case .extreme(let path, let isMaximum) = self else { return self }
        let values = places.lazy.flatMap { path.numbers(of: variants[$0]) }
        return .constant((isMaximum ? values.max() : values.min()) ?? .nan)
    }

    fileprivate func values(of variant: MediaVariant) -> [Double] {
        switch self {
        case .path(let path): path.numbers(of: variant)
        case .constant(let value): [value]
        case .extreme: []
        }
    }
}

extension VariantKeyPath {
    /// Whether a variant's word is the one that is wanted.
    fileprivate func fits(_ word: String, _ wanted: String) -> Bool {
        switch kind {
        case .codecs: CodecFamily.fits(word, wanted)
        // "en" is every English, "en-GB" the British one alone.
        case .languages:
            LanguageCode.region(of: wanted) == nil
                ? LanguageCode.canonical(word) == LanguageCode.canonical(wanted) : word.lowercased() == wanted.lowercased()
        default: word == wanted
        }
    }
}

/// The names of codecs that people use, beside those of manifests.
enum CodecFamily {
    private static let others = [
        "h265": "hevc", "h266": "vvc", "avc": "h264", "ac3": "dolbydigital", "ec3": "dolbydigitalplus",
        "eac3": "dolbydigitalplus",
        "ac4": "dolbyac4", "dv": "dolbyvision", "lossless": "applelossless",
    ]

    /// Whether a manifest's codec is the one that is wanted: by its whole name ("mp4a.40.2"), by the first parts of it ("hvc1", "mp4a.40"), or by
    /// the usual name ("HEVC", "aac").
    static func fits(_ codec: String, _ wanted: String) -> Bool {
        let codec = codec.lowercased(), wanted = wanted.lowercased()
        if codec == wanted || codec.hasPrefix(wanted + ".") { return true }
        let family = Self.plain(wanted)
        return !family.isEmpty && Self.plain(CodecName(codec).name) == (others[family] ?? family)
    }

    private static func plain(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }
}
