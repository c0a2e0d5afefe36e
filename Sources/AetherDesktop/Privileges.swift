import AetherCore
import CLinux
import Glibc

/// Rights that the player does not need.
public enum Privileges {
    /// The programs that a player may start.
    private static let helpers = ["yt-dlp", "tesseract"]

    /// No program that is started from now on gains rights by being setuid, unless a helper in one of these folders ("/usr/bin:/bin")
    /// needs it. Call before any other thread starts: those that run keep theirs. Blocks on the file system.
    public static func giveUp(path: String) {
        let folders = path.split(separator: ":").map(String.init)
        if let helper = helpers.first(where: { name in needsRights(name, in: folders) }) {
            return Log.module("app").info("\(helper) is started through a setuid program: programs may still gain rights")
        }
        if clinux_give_up_privileges() != 0 { Log.module("app").info("programs may still gain rights: the kernel is too old") }
    }

    /// Whether the program that would be started is setuid, setgid, or a snap, whose starter is.
    static func needsRights(_ name: String, in folders: [String]) -> Bool {
        for folder in folders where access(PathText.cString(folder + "/" + name), X_OK) == 0 {
            guard let resolved = realpath(PathText.cString(folder + "/" + name), nil) else { return false }
            defer { free(resolved) }
            var status = stat()
            guard stat(resolved, &status) == 0 else { return false }
            let isSnap = PathText.text(cString: resolved).split(separator: "/").last == "snap"
            return isSnap || status.st_mode & (S_ISUID | S_ISGID) != 0
        }
        return false
    }
}
