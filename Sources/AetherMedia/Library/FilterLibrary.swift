import AetherCore
import CFFmpeg

/// libavfilter, loaded when it is first needed: for interlaced video and for other speeds than 1. It comes with 28 libraries (speech,
/// graphics, linear algebra), which take 11 MB and a tenth of the time of starting, and most media needs none of it.
struct FilterLibrary {
    let calls: aether_filters

    /// Blocks on the file system the first time, 10 to 20 ms. Throws `.unsupported` where the library is missing.
    init(for operation: String) throws(MediaError) {
        let room = UnsafeMutablePointer<aether_filters>.allocate(capacity: 1)
        defer { room.deallocate() }
        guard aether_load_filters(room) == 0 else {
            throw MediaError(.unsupported, operation, reason: "libavfilter is missing")
        }
        calls = room.pointee
    }
}
