public import AetherCore
import CFFmpeg

/// The word of a disc's tables on a stream.
public struct StreamLabel: Sendable, Equatable {
    /// As the container's own.
    public var language: String?
    /// For people; "" for none.
    public var name: String
    /// For whom it is.
    public var isForced, isCommentary, isHearingImpaired: Bool
    /// The decoder's header, which the container does not have; empty: as it is.
    public var header: [UInt8]

    /// A label.
    public init(
        language: String?, name: String = "", isForced: Bool = false, isCommentary: Bool = false,
        isHearingImpaired: Bool = false, header: [UInt8] = []
    ) {
        (self.language, self.name, self.header) = (language, name, header)
        (self.isForced, self.isCommentary, self.isHearingImpaired) = (isForced, isCommentary, isHearingImpaired)
    }
}

extension StreamInfo {
    /// The same stream as a disc's tables label it.
    public func labelled(_ label: StreamLabel) -> StreamInfo {
        var labelled = self
        if !label.header.isEmpty { labelled.parameters = CodecParameters(parameters, header: label.header) }
        labelled.track = track.map { track in
            TrackInfo(
                id: track.id, kind: track.kind, codec: track.codec, name: label.name, language: label.language,
                channels: track.channels, channelLayout: track.channelLayout, sampleRate: track.sampleRate,
                bitrate: track.bitrate, isDefault: track.isDefault, isForced: label.isForced,
                isHearingImpaired: label.isHearingImpaired, isCommentary: label.isCommentary, isAtmos: track.isAtmos,
                isBitmapSubtitle: track.isBitmapSubtitle, assHeader: track.assHeader)
        }
        return labelled
    }
}

extension SourceInfo {
    /// The same source as a title of a disc: its streams as they are given, on an axis of its own.
    public func titled(from start: MediaTime, duration: TimeSpan, streams: [StreamInfo], format: String) -> SourceInfo {
        var title = self
        (title.startTime, title.duration, title.streams, title.containerLongName) = (start, duration, streams, format)
        title.isSeekable = true
        return title
    }
}

extension SourceInfo {
    /// The same source with the name and the performer of a disc; "" leaves its own.
    public func named(_ title: String, artist: String) -> SourceInfo {
        var named = self
        named.metadata = MediaMetadata(
            title: title.isEmpty ? metadata.title : title, artist: artist.isEmpty ? metadata.artist : artist,
            album: metadata.album,
            year: metadata.year, track: metadata.track, lyrics: metadata.lyrics, artworkData: metadata.artworkData)
        return named
    }
}

extension CodecParameters {
    /// The stream with another header of the decoder.
    convenience init(_ other: CodecParameters, header: [UInt8]) {
        self.init(
            copying: other.pointer, timeBase: other.timeBase, hasAlphaBeside: other.hasAlphaBeside,
            x264Version: other.x264Version, edges: other.edges, sideData: other.sideData, box: other.box)
        let room = header.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)
        guard let data = av_mallocz(room)?.assumingMemoryBound(to: UInt8.self) else { return }
        data.update(from: header, count: header.count)
        av_free(pointer.pointee.extradata)
        (pointer.pointee.extradata, pointer.pointee.extradata_size) = (data, Int32(header.count))
    }
}
