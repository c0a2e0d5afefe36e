import AetherCore

extension AetherEngine {
    /// For looks at frames of the source that is played, beside the player. nil while nothing is open.
    public func frameOrigin() -> FrameInspection.Origin? {
        guard let session, session.info != nil else { return nil }
        return FrameInspection.Origin(stills: session.stillOrigin, time: SystemTime())
    }
}
