import AetherCore

/// A person's wishes for the variants of a source. Pure.
struct VariantChoice: Sendable {
    /// The first that leaves something counts.
    var qualifiers: [MediaVariantQualifier] = []
    /// Where none leaves anything, nothing is played; false: all are left.
    var isRequired = false

    /// The variants that may be played.
    struct Outcome: Sendable {
        let left: [MediaVariant]
        /// The wish that has left them; nil: none has.
        let qualifier: MediaVariantQualifier?
    }

    /// `qualifiers` empty: nothing is wished.
    init(_ qualifiers: [MediaVariantQualifier] = [], isRequired: Bool = false) {
        (self.qualifiers, self.isRequired) = (qualifiers, isRequired)
    }

    /// The variants that may be played: those that nothing speaks against, else all; of these what the first wish leaves that leaves something.
    /// Other camera angles are left where they are named or counted out.
    /// nil: no wish does, and one was required. So is a number where that is the last wish: it was counted in a list.
    func outcome(of variants: [MediaVariant]) -> Outcome? {
        let main = variants.filter { !$0.isOtherAngle }, good = main.filter { $0.obstacle == nil }
        let playable = good.isEmpty ? main : good
        for qualifier in qualifiers {
            let left = qualifier.left(of: variants, playable: playable)
            if !left.isEmpty { return Outcome(left: left, qualifier: qualifier) }
        }
        let isStrict = !qualifiers.isEmpty && (isRequired || qualifiers.last?.number != nil)
        return isStrict && !variants.isEmpty ? nil : Outcome(left: playable, qualifier: nil)
    }

    /// The variants of `outcome`.
    func left(of variants: [MediaVariant]) -> [MediaVariant]? { outcome(of: variants)?.left }

    /// Why nothing was left of so many: one sentence without a full stop, safe to display.
    func refusal(of count: Int) -> String {
        if qualifiers.count == 1, let number = qualifiers[0].number {
            return translated("unknown quality \(number): the list has \(count)")
        }
        let wishes = qualifiers.prefix(3).map { "‘\(DisplayText.singleLine($0.text, limit: 80))’" }
        let more = qualifiers.count > 3 ? ["…"] : []
        return translated("none of its \(count) qualities meets \((wishes + more).joined(separator: translated(" or ")))")
    }
}
