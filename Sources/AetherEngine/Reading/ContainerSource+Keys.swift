import AetherCore
import AetherMedia

extension ContainerSource {
    /// The container's own index; nil for a source of several parts, whose times lie elsewhere.
    func keyFrames(of stream: StreamID) -> (times: [KeyFramePlace], isNominal: Bool)? {
        guard (glued?.parts.count ?? 1) == 1, let index = demuxer.numbering.index(of: stream) else { return nil }
        let moved = partShift + shift
        return demuxer.keyFrames(stream: index).map { found in
            (found.map { KeyFramePlace(time: $0.time + moved, position: $0.position, stretch: $0.stretch) }, false)
        }
    }
}
