/// The version of program, man pages and engine.
enum ProgramVersion {
    static let text = "0.2.0"
}
