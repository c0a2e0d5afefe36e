/// λ in the terms of choosing pens: what a pixel must gain in squared error for not taking the pen of a neighbour.
struct PenRule: Sendable, Equatable {
    /// The share of each of three errors that a pixel makes up for, of 65 536.
    enum Carry: Int16, Sendable {
        case most = 19_660
        case some = 13_107
        case none = 0
    }

    /// For ending the run of the pixel to the left.
    var along: Float
    /// For another pen than the pixel above, in the same column of six.
    var down: Float
    /// For painting a pixel that shows something else.
    var stay: Float
    /// Share of the errors above that a pixel makes up for. Less than 1, for what pens cannot mix must fade out.
    var carry: Carry
    /// The factor of the gains within noise, which hides errors.
    var masking: Float

    /// With gains that many times as high.
    @inline(__always) func scaled(_ factor: Float) -> PenRule {
        var rule = self
        rule.along *= factor
        rule.down *= factor
        rule.stay *= factor
        return rule
    }

    /// Even an exact image is made of pens that are 10 apart: below these gains nothing is seen, and bytes double.
    static let floor: Float = 30

    /// `strain` (1 and more) is how many times over the bytes are too few: first updates wait for longer, then runs grow over
    /// colours, and at last nothing is dithered.
    init(_ quality: EncodeQuality, strain: Float = 1) {
        let lambda = Float(quality.lambda)
        var gain = 1.5 * lambda, staying = 3 * lambda
        if lambda > 0 {
            // A pen that takes all three is not further off than the bound, beside what the best pen would have been.
            let bound = Float(quality.maximumChannelError * quality.maximumChannelError)
            staying = min(staying, bound / 2)
            gain = min(gain, bound / 4)
        }
        along = max(gain, Self.floor) * strain
        down = along
        stay = strain > 1 ? max(staying, Self.floor) * strain : staying
        masking = lambda > 0 ? 20 : 1
        carry = strain < 2 ? .most : strain < 6 ? .some : .none
    }
}
