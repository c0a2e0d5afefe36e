public import AetherCore
import CALSA
import CAss
import CDav1d
import CFFmpeg

/// The libraries behind this target: versions, and what of them is not there. For reports; never asked while something plays.
public enum MediaLibraries {
    /// All that are linked, by the versions that run, not those that were built with. Never blocks.
    public static var versions: [LibraryVersion] {
        let ass = UInt32(bitPattern: ass_library_version())
        // libass counts in hexadecimal digits: 0x01701000 is 0.17.1.
        let assVersion = "\(ass >> 28).\(digits(ass >> 20 & 0xFF)).\(digits(ass >> 12 & 0xFF))"
        return [
            LibraryVersion("FFmpeg", String(cString: av_version_info())),
            LibraryVersion("libavformat", dotted(avformat_version())), LibraryVersion("libavcodec", dotted(avcodec_version())),
            LibraryVersion("libavutil", dotted(avutil_version())), LibraryVersion("libswscale", dotted(swscale_version())),
            LibraryVersion("libswresample", dotted(swresample_version())),
            LibraryVersion("dav1d", String(cString: dav1d_version())), LibraryVersion("libass", assVersion),
            LibraryVersion("ALSA", String(cString: snd_asoundlib_version())),
        ]
    }

    /// Whether libavfilter, which is loaded when it is first needed, can be. Blocks on the file system.
    public static var hasFilters: Bool {
        do throws(MediaError) {
            _ = try FilterLibrary(for: "look for libavfilter")
            return true
        } catch {
            return false
        }
    }

    /// The common codecs that this build of FFmpeg has no decoder for; some distributions leave them out. AV1 is dav1d's.
    public static var missingDecoders: [String] {
        ["h264", "hevc", "vp9", "mpeg2video", "aac", "ac3", "eac3", "mp3", "opus", "vorbis", "flac"].filter { name in
            guard let descriptor = avcodec_descriptor_get_by_name(name) else { return true }
            return avcodec_find_decoder(descriptor.pointee.id) == nil
        }
    }

    /// Whether libass finds a font of the system that has Latin letters: it draws one. Blocks for 10 … 100 ms.
    public static var findsFont: Bool {
        do throws(MediaError) {
            var renderer = try ASSRenderer(header: ASSRenderer.plainHeader, fonts: [])
            renderer.setFrame(PixelSize(width: 96, height: 54), pixelAspect: 1, storage: nil)
            guard renderer.add("0,Default,,0,0,0,,A", number: 0, start: .zero, end: MediaTime(nanoseconds: 1_000_000_000)) else {
                return false
            }
            return renderer.layer(at: .zero) != nil
        } catch {
            return false
        }
    }

    private static func dotted(_ version: UInt32) -> String {
        "\(version >> 16).\(version >> 8 & 0xFF).\(version & 0xFF)"
    }

    private static func digits(_ number: UInt32) -> String { String(number, radix: 16) }
}
