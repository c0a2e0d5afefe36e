import AetherBox
import AetherCore
import ArgumentParser

/// A subcommand that takes media apart. Its sources are demuxed and decoded in the box: in copies of this process without files, network and
/// other programs.
protocol MediaCommand: ParsableCommand {}

extension AetherCtl {
    /// The word that does without the box.
    static let sandboxRefusal = "--no-sandbox"

    /// Puts what the command opens into the box, if its copies were prepared; else lets them go.
    static func installBox(for command: any ParsableCommand, arguments: [String]) {
        let hasOwnBox = (command as? Play)?.sandbox ?? false
        guard command is any MediaCommand, !hasOwnBox else { return DecoderBox.forgetCopies() }
        if !DecoderBox.installCopies(), !arguments.prefix(while: { $0 != "--" }).contains(sandboxRefusal) {
            Log.module("aetherctl").warning("no copy of this process could be made: sources are read without a box")
        }
    }
}
