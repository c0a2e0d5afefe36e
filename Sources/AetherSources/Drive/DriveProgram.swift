import AetherCore

/// Where the program lies that reads compact discs in drives. It is one of its own because libcdio is GPL-3 and blocks.
package enum DriveProgram {
    static let name = "aether-disc"

    /// Where it lies. Throws where it is not installed. Blocks on the file system.
    package static func required() throws(DriveFault) -> String {
        if let program = find() { return program }
        throw .noProgram(
            translated("is not installed: it is built where libcdio-dev is"))
    }

    /// Beside our own program, or in the folder of such programs of the same installation; nil: not installed. Blocks on the file system.
    package static func find() -> String? { ChildProgram.ours(name) }

    /// It tells of a drive that is not there; where it ends without a word it has not run at all.
    static let mute = DriveFault.noProgram(translated("ends without an answer: is libcdio installed?"))
}
