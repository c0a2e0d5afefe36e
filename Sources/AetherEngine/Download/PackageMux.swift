import AetherCore
import AetherMedia
import AetherSources
import Glibc

/// Puts all that a package holds into one file, by stream copy. Lives on the thread `download`; blocks on the file system until the interrupt
/// is raised. The file has a hidden name until it is complete, and one that is there is never replaced.
struct PackageMux {
    let package: String
    let target: String
    let form: FileMuxerForm
    /// The size of the package's media: the file has about as many.
    let bytes: Int64
    let options: LoadOptions
    let interrupt: Interrupt
    let report: (AssetDownloadNews) -> Void

    /// Fails where such a file cannot be made: a name of another ending, or one that is taken.
    static func form(of target: String) throws(MediaError) -> FileMuxerForm {
        let name = target.lowercased()
        guard name.hasSuffix(".mkv") || name.hasSuffix(".mp4"), let form = FileMuxerForm(path: target) else {
            throw MediaError(.unsupported, "write", subject: target, reason: "the name has to end in .mkv or .mp4")
        }
        guard access(PathText.cString(target), F_OK) != 0 else {
            throw MediaError(.cannotOpen, "write", subject: target, reason: "there is a file of that name, which is not replaced")
        }
        let folder = target.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        guard access(PathText.cString(folder.isEmpty ? (target.hasPrefix("/") ? "/" : ".") : folder), W_OK | X_OK) == 0 else {
            let number = errno
            throw MediaError(.cannotOpen, "write", subject: target, cause: -number, reason: String(cString: strerror(number)))
        }
        return form
    }

    private var source: MediaSource { .location(MediaLocation.file(package).inPackage) }

    /// Writes the file. Throws `.interrupted`, `.unsupported` or `.cannotOpen` where nothing could be begun, else `.readFailed`; no file
    /// is left then, and the package is as it was.
    func run() throws(MediaError) {
        let draft = try MuxDraft(of: target)
        do throws(MediaError) {
            try draft.checkRoom(for: bytes)
            let size = try write(to: draft.path)
            try draft.finish()
            report(.muxed(target, bytes: size))
        } catch {
            draft.discard()
            throw error
        }
    }

    /// Writes all of it; returns the bytes.
    private func write(to path: String) throws(MediaError) -> Int64 {
        let packets = try SourcePackets(source, options: options, interrupt: interrupt)
        let tracks = MuxTracks(packets.info, form)
        for stream in tracks.leftOut {
            report(.note("\(stream.kind.rawValue) in \(stream.codecName) is not in \(target): such a file cannot hold it"))
        }
        let cues = try texts(tracks.decoded)
        packets.undecoded = Set(tracks.copied.filter { $0.kind == .subtitle }.map(\.id))
        packets.select(Set(tracks.copied.map(\.id)))
        var writing = try MuxWriting(packets, tracks, cues, self)
        return try writing.write(to: path)
    }

    /// The texts of subtitle tracks that are decoded, read ahead of all else: they lie in segments of their own.
    private func texts(_ streams: [StreamInfo]) throws(MediaError) -> [StreamID: [FileMuxerCue]] {
        guard !streams.isEmpty else { return [:] }
        let packets = try SourcePackets(source, options: options, interrupt: interrupt)
        packets.select(Set(streams.map(\.id)))
        var found: [StreamID: PackageTexts] = [:]
        do throws(MediaError) {
            while true {
                guard case .texts(let texts, let stream) = try packets.next() else { continue }
                found[stream, default: PackageTexts()].add(texts)
            }
        } catch {
            if error.code != .endOfMedia { throw error }
        }
        return found.mapValues { form == .mp4 ? PackageTexts.flat($0.cues) : $0.cues }
    }
}

/// The streams of a package by the way in which they come into a file. Pure.
struct MuxTracks {
    /// Packet by packet.
    var copied: [StreamInfo] = []
    /// As texts.
    var decoded: [StreamInfo] = []
    /// Not at all.
    var leftOut: [StreamInfo] = []

    init(_ info: SourceInfo, _ form: FileMuxerForm) {
        for stream in info.streams {
            switch stream.kind {
            case .video, .audio: copied.append(stream)
            case .subtitle:
                // Renditions of texts are documents, which are no packets.
                if !info.isSegmented, form.holds(stream) {
                    copied.append(stream)
                } else if stream.isDecodable, stream.track?.isBitmapSubtitle == false {
                    decoded.append(stream)
                } else {
                    leftOut.append(stream)
                }
            case .attachment: if form.holds(stream) { copied.append(stream) }
            case .attachedPicture: leftOut.append(stream)
            case .data, .other: break
            }
        }
    }
}
