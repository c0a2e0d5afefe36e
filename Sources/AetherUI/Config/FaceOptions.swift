import AetherCore
public import AetherOptions
public import ArgumentParser

/// Options of the command line for keys, scripts and looks of the player.
public struct FaceOptions: ParsableArguments, Sendable {
    /// `--keys`: whose keys; nil for those of keys.toml.
    @Option(
        name: .customLong("keys"), help: .translated("Use the keys of this program: standard, mpv or vim.", value: "preset"))
    public var preset: KeyPreset?

    /// `--script`: programs that steer the player.
    @Option(
        help: .translated(
            "Run this program, which steers the player as a remote control on its standard input and output; may be given several times.",
            value: "file"), completion: .file())
    public var script: [String] = []

    /// `--language`: of what the player says.
    @Option(help: .translated("Speak this language: auto (that of the environment), en, de or fr.", value: "code"))
    public var language = InterfaceLanguage.auto

    /// The defaults.
    public init() {}
}

extension KeyPreset: ExpressibleByArgument {}
