import AetherCore
import AetherFormats
import AetherMedia

/// The crops of the videos of a file, read past libavformat 5.1, which does not say them: Matroska's crops and MP4's clean aperture.
enum VideoCrops {
    private struct Part {
        let size: PixelSize
        let edges: FrameEdges
        var display: (width: Int, height: Int)?
    }

    /// The description of a source, with its crops. Blocks on the source; libavformat's own protocols are not asked, as going back costs
    /// them a connection. A web server's reader holds the heads and tails where this lies.
    static func described(_ demuxer: borrowing Demuxer) -> SourceInfo {
        var info = demuxer.info
        let videos = info.streams.indices.filter { info.streams[$0].kind == .video }
        guard !videos.isEmpty, demuxer.isReadByUs else { return info }
        let parts: [Part] =
            switch info.family {
            case .matroska: matroska(demuxer)
            case .isoBMFF: mp4(demuxer)
            default: []
            }
        // Video tracks and video streams are in the same order; should they not be, nothing is believed.
        guard parts.map({ $0.size }) == videos.map({ info.streams[$0].size }) else { return info }
        for (index, part) in zip(videos, parts) where part.edges != FrameEdges() {
            info.streams[index].cut(part.edges, display: part.display)
        }
        return info
    }

    private static func matroska(_ demuxer: borrowing Demuxer) -> [Part] {
        var search = MatroskaDisplaySearch()
        demuxer.withBytes { search.run($0) }
        return search.sizes.map { size in
            Part(
                size: PixelSize(width: size.width, height: size.height),
                edges: FrameEdges(left: size.left, top: size.top, right: size.right, bottom: size.bottom),
                display: size.display)
        }
    }

    private static func mp4(_ demuxer: borrowing Demuxer) -> [Part] {
        var search = CleanApertureSearch()
        demuxer.withBytes { search.run($0) }
        return search.apertures.map { cut in
            Part(
                size: PixelSize(width: cut.width, height: cut.height),
                edges: FrameEdges(left: cut.left, top: cut.top, right: cut.right, bottom: cut.bottom))
        }
    }
}
