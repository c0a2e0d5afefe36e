import AetherCore
import AetherFormats
import AetherMedia

/// How the films of a Matroska file are cropped, read past libavformat, which does not say it.
enum FilmShape {
    /// What a source says of itself, with that. Blocks on the source; only those are asked that answer from a disk, as going back costs a
    /// connection elsewhere.
    static func described(_ demuxer: borrowing Demuxer) -> SourceInfo {
        var info = demuxer.info
        let films = info.streams.indices.filter { info.streams[$0].kind == .video }
        guard info.container.hasPrefix("matroska"), !films.isEmpty, demuxer.isReadByUs else { return info }
        var search = MatroskaPictureSearch()
        demuxer.withBytes { bytes in
            while let request = search.request {
                guard let found = bytes(request.offset, request.count) else { return }
                search.take(found)
            }
        }
        // Tracks of pictures and streams of pictures are in the same order; should they not be, nothing is believed.
        let sizes = films.map { info.streams[$0].size }
        guard search.pictures.map({ PixelSize(width: $0.width, height: $0.height) }) == sizes else { return info }
        for (index, picture) in zip(films, search.pictures) {
            guard picture.isCropped else { continue }
            let edges = PictureEdges(left: picture.left, top: picture.top, right: picture.right, bottom: picture.bottom)
            info.streams[index].cut(edges, display: picture.display)
        }
        return info
    }
}
