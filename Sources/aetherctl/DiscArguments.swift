import AetherEngine
import ArgumentParser

/// The part of a disc that a subcommand works on.
struct DiscArguments: ParsableArguments {
    @Option(help: ArgumentHelp("The title of a disc; default: the main one.", valueName: "number"))
    var title: Int?

    @Option(help: ArgumentHelp("The angle of a disc's title, from 1.", valueName: "number"))
    var angle = 1

    var choice: DiscChoice { DiscChoice(title: title, angle: angle) }
}
