import ArgumentParser

/// Each stage of the player alone, for people who look for a fault and for scripts.
@main
struct AetherCtl: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "aetherctl", abstract: "Each stage of aether-tui alone.",
        subcommands: [
            Probe.self, SWDecode.self, Packets.self, Play.self, Render.self, Extract.self, Sheet.self,
            Term.self, AudioDevices.self, HistoryCommand.self, Remote.self,
        ])
}
