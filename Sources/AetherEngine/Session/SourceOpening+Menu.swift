import AetherCore
import AetherDiscs
import AetherMedia

/// The opening of discs with menus.
extension SourceOpening {
    /// A part of a disc that its menus have led to. Blocks.
    func passage(_ plan: PassagePlan, _ interrupt: Interrupt) throws(MediaError) -> any PacketSource {
        let name = source.displayName
        guard let disc = plan.disc.independent() else {
            throw MediaError(.unsupported, "play", subject: name, reason: "this source cannot be read once more")
        }
        report(.sourceOpened)
        let reader: TitleReader
        do throws(DiscError) {
            reader = try disc.reader(plan.passage, angle: plan.angle)
        } catch {
            throw MediaError(error, name)
        }
        let report = report
        return try DiscSource(reader, name: name, options: options.open, interrupt: interrupt, board: menu) {
            report(.cuesChanged)
        }
    }

    /// A title that was opened; where the menus are wanted, what they begin with. Blocks.
    func title(_ reader: TitleReader, _ name: String, _ interrupt: Interrupt) throws(MediaError) -> any PacketSource {
        let language = (options.subtitleLanguages + options.audioLanguages).first { $0.utf8.count == 2 }
        if let disc = reader.disc.independent(), var navigator = DiscNavigator(disc, language: language, now: time.now()) {
            let fresh = navigator
            guard options.beginsWithMenu, options.title == nil else {
                report(.navigator(fresh))
                return try DiscSource(reader, name: name, options: options.open, interrupt: interrupt)
            }
            switch navigator.begin() {
            case .play(let passage), .resume(let passage):
                report(.navigator(navigator))
                return try self.passage(navigator.plan(passage), interrupt)
            case .stay: report(.navigator(fresh))
            case .stop(let fault):
                report(.navigator(fresh))
                if let fault { report(.notice(fault.reason)) }
            }
        }
        return try DiscSource(reader, name: name, options: options.open, interrupt: interrupt)
    }
}
