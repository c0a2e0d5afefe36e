import AetherCore
import AetherDiscs
import AetherMedia

/// The opening of discs with menus.
extension SourceOpening {
    /// A part of a disc that its menus have led to. Blocks.
    func passage(_ plan: PassagePlan, _ interrupt: Interrupt) throws(MediaError) -> any PacketSource {
        let name = source.displayName
        let unreadable = MediaError(.unsupported, "play", subject: name, reason: "this source cannot be read once more")
        switch plan.place {
        case .dvd(let disc, let passage):
            guard let disc = disc.independent() else { throw unreadable }
            report(.sourceOpened)
            let reader = try named { () throws(DiscError) in try disc.reader(passage, angle: plan.angle) }
            let report = report
            return try DiscSource(reader, name: name, options: options.open, interrupt: interrupt, board: menu) {
                report(.cuesChanged)
            }
        case .bluRay(let disc, let passage):
            guard let disc = disc.independent() else { throw unreadable }
            report(.sourceOpened)
            let reader = try named { () throws(DiscError) in try disc.reader(passage, angle: plan.angle) }
            return try BluRaySource(
                reader, name: name, options: options.open, interrupt: interrupt, board: menu, plan: plan)
        }
    }

    private func named<Value>(_ body: () throws(DiscError) -> Value) throws(MediaError) -> Value {
        do throws(DiscError) {
            return try body()
        } catch {
            throw MediaError(error, source.displayName)
        }
    }

    /// The language of menus: the first one that a person has named by two letters.
    private var language: String? {
        (options.subtitleLanguages + options.audioLanguages).first { $0.utf8.count == 2 }
    }

    /// A title that was opened; where the menus are wanted, what they begin with. Blocks.
    func title(_ reader: TitleReader, _ name: String, _ interrupt: Interrupt) throws(MediaError) -> any PacketSource {
        let navigator = reader.disc.independent().flatMap { DVDNavigator($0, language: language, now: time.now()) }
        if let navigator, let source = try beginning(of: navigator, interrupt) { return source }
        return try DiscSource(reader, name: name, options: options.open, interrupt: interrupt)
    }

    /// The same of a Blu-ray disc.
    func title(_ reader: BluRayReader, _ name: String, _ interrupt: Interrupt) throws(MediaError) -> any PacketSource {
        let disc = reader.disc
        if disc.hasJava, !disc.hasMenus {
            report(.notice(translated("the menus of this disc are programs in Java (BD-J): not played")))
        }
        let navigator = disc.independent().flatMap { BluRayNavigator($0, language: language, now: time.now()) }
        if let navigator, let source = try beginning(of: navigator, interrupt) { return source }
        return try BluRaySource(reader, name: name, options: options.open, interrupt: interrupt)
    }

    /// The passage that a disc with menus begins with; nil where a title is wanted, or where they lead nowhere.
    private func beginning(
        of fresh: any MenuNavigator, _ interrupt: Interrupt
    ) throws(MediaError) -> (any PacketSource)? {
        guard options.beginsWithMenu, options.title == nil else {
            report(.navigator(fresh))
            return nil
        }
        var navigator = fresh
        switch navigator.begin() {
        case .play(let passage), .resume(let passage):
            report(.navigator(navigator))
            return try self.passage(navigator.plan(passage), interrupt)
        case .stay, .seek, .refused: report(.navigator(fresh))
        case .stop(let fault):
            report(.navigator(fresh))
            if let fault { report(.notice(fault.reason)) }
        }
        return nil
    }
}
