import AetherCore
import AetherFormats
import AetherMedia

extension RenditionSource {
    /// The starts of its segments, which begin with key frames as a rule; nil for a broadcast. 100 000 are 55 hours in twos of seconds.
    func keyFrames(of stream: StreamID) -> (times: [KeyFramePlace], isNominal: Bool)? {
        guard !catalog.isGrowing(rendition) else { return nil }
        do throws(MediaError) {
            let segments = try catalog.segments(of: rendition)
            var places: [KeyFramePlace] = [], former: Segment?, stretch = 0
            for segment in segments.numbers.prefix(100_000).lazy.compactMap({ segments.segment($0) }) {
                if let former, former.continuity != segment.continuity || former.map != segment.map { stretch += 1 }
                places.append(KeyFramePlace(time: segment.start.time, position: nil, stretch: stretch))
                former = segment
            }
            return places.isEmpty ? nil : (places, true)
        } catch {
            return nil
        }
    }
}
