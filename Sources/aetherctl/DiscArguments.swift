import AetherCore
import AetherEngine
import AetherOptions
import ArgumentParser

/// The part of a disc that a subcommand works on.
struct DiscArguments: ParsableArguments {
    @Option(help: .translated("The title of a disc; default: the main one.", value: "number"))
    var title: Int?

    @Option(help: .translated("The angle of a disc's title, from 1.", value: "number"))
    var angle = 1

    var choice: DiscChoice { DiscChoice(title: title, angle: angle) }
}
