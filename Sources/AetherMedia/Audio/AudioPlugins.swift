import AetherCore
import CALSA
import Glibc

/// ALSA's plugins that lead to sound servers.
public enum AudioPlugins {
    /// Those that are installed, of "pulse" and "pipewire". They lie in a folder beside libasound, or in `ALSA_PLUGIN_DIR`. Blocks on the file
    /// system.
    public static func servers(_ environment: [String: String]) -> [String] {
        guard let folder = environment["ALSA_PLUGIN_DIR"] ?? besideLibrary else { return [] }
        return ["pulse", "pipewire"].filter { access(PathText.cString("\(folder)/libasound_module_pcm_\($0).so"), R_OK) == 0 }
    }

    /// The folder where the loaded libasound looks, whatever the distribution calls it.
    private static var besideLibrary: String? {
        guard let maps = fopen("/proc/self/maps", "re") else { return nil }
        defer { fclose(maps) }
        var line: UnsafeMutablePointer<CChar>?
        var room = 0
        defer { free(line) }
        while getline(&line, &room, maps) > 0 {
            guard let line, let start = strchr(line, Int32(UInt8(ascii: "/"))), strstr(start, "/libasound.so") != nil else {
                continue
            }
            let path = PathText.text(cString: start)
            guard let slash = path.lastIndex(of: "/") else { continue }
            return path[..<slash] + "/alsa-lib"
        }
        return nil
    }
}
