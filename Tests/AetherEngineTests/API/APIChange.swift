/// The way from one version's API to another's, by the rules of Semantic Versioning: what goes, or is declared otherwise, breaks a host's code.
/// Pure.
struct APIChange {
    /// A version of three numbers.
    struct Version: Comparable {
        let numbers: [Int]

        /// nil for what is none.
        init?(_ text: some StringProtocol) {
            let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
            guard parts.count == 3, !parts.contains(nil) else { return nil }
            numbers = parts.compactMap { $0 }
        }

        static func < (a: Version, b: Version) -> Bool { a.numbers.lexicographicallyPrecedes(b.numbers) }
    }

    let from, to: (version: Version, api: PublicAPI)

    private var gone: Set<String> { from.api.lines.subtracting(to.api.lines) }
    private var new: Set<String> { to.api.lines.subtracting(from.api.lines) }

    /// The flaws of it, in words; `changelog` is the section of the later version.
    func flaws(changelog: String) -> [String] {
        var flaws: [String] = []
        // Before 1.0.0 the second number is for what breaks.
        let (old, now) = (from.version.numbers, to.version.numbers)
        let isBig = now[0] > old[0] || old[0] == 0 && now[1] > old[1]
        let isMiddle = isBig || now[0] == old[0] && now[1] > old[1]
        if !gone.isEmpty, !isBig { flaws.append("names are gone or declared otherwise: the version must say so") }
        if !new.isEmpty, !isMiddle { flaws.append("names are new: the version must say so") }
        for type in PublicAPI.types(of: gone.union(new)).sorted() where !changelog.contains("`\(type)") {
            flaws.append("the changelog does not name `\(type)`")
        }
        return flaws
    }
}
