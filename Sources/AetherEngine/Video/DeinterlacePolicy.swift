import AetherCore
import AetherMedia

/// Decides how an interlaced frame is treated. Pure.
enum DeinterlacePolicy {
    /// The treatment of fields.
    enum Way: Sendable, Equatable {
        case none
        /// Only the earlier field is shown: where the height is halved or less anyway, it holds all that can be seen. Averages of both
        /// fields would not comb, but show everything that moves twice.
        case earlierField
        case filter(Deinterlacer.Rate)
    }

    /// The source's height over the one shown from which on one field is enough.
    static let fieldSuffices = 2.0

    /// `shrink`: lines of the frame that become one; `frameRate`: of the frames at the present speed, `limit`: the most that are shown
    /// a second; nil: unknown. `isPressed`: the decoder cannot keep up.
    static func way(
        _ wanted: Deinterlacing, shrink: Double, frameRate: Double?, limit: Double?, isPressed: Bool
    ) -> Way {
        switch wanted.mode {
        case .off: return .none
        case .auto: if shrink >= fieldSuffices || isPressed { return .earlierField }
        case .software: break
        }
        // Twice as many frames than can be shown would be made to be thrown away.
        let isShowable = (limit ?? .infinity) >= (frameRate ?? 25) * 2 * 0.95
        return .filter(wanted.fieldRate == .field && isShowable && !isPressed ? .field : .frame)
    }
}
