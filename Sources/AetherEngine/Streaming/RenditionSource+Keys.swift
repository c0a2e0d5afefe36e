import AetherCore
import AetherFormats
import AetherMedia

extension RenditionSource {
    /// The starts of its segments, which begin with key frames as a rule; nil for a broadcast. 100 000 are 55 hours in twos of seconds.
    func keyFrames(of stream: StreamID) -> (times: [KeyFramePlace], isNominal: Bool)? {
        guard !catalog.isGrowing(rendition) else { return nil }
        do throws(MediaError) {
            let segments = try catalog.segments(of: rendition)
            let starts = segments.numbers.prefix(100_000).compactMap { segments.segment($0)?.start.time }
            return starts.isEmpty ? nil : (starts.map { KeyFramePlace(time: $0, position: nil) }, true)
        } catch {
            return nil
        }
    }
}
