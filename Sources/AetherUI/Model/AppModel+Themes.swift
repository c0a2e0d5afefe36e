import AetherCore

/// The themes there are, the one in use, and the one to go back to while others are tried on.
struct ThemeChoice: Sendable, Equatable {
    var names: [String] = []
    var present = Theme.standard.name
    /// The theme in use when the menu was opened; nil while it is closed.
    var before: String?
    /// Settings or the command line name one, which is there again the next time.
    var isGiven = false
    /// The one that was chosen while playing.
    var chosen: String?

    /// The one to go back to is marked; the one that is tried on is selected.
    var items: [MenuItem] { names.map { MenuItem($0, isPresent: $0 == before ?? present, choice: .theme($0)) } }
}

/// The menu of themes: what is selected is put on at once, Enter keeps it, Escape goes back.
extension AppModel {
    /// Opens the menu; in the open one goes on to the next theme.
    mutating func nextTheme(_ now: HostTime) -> [AppEffect] {
        guard menu?.kind == .themes else {
            themes.before = themes.present
            return [.listThemes]
        }
        menu?.step(1)
        settle(Menu.self)
        return menu.map { carryOut($0.moved, now) } ?? []
    }

    /// The names have come in.
    mutating func take(themes names: [String], now: HostTime) {
        themes.names = names.contains(themes.present) ? names : names + [themes.present]
        if menu?.kind != .themes, themes.before != nil { toggleMenu(.themes, now) }
    }

    /// Puts on what is selected.
    mutating func tryTheme(_ name: String) -> [AppEffect] {
        guard name != themes.present else { return [] }
        themes.present = name
        return [.useTheme(name)]
    }

    /// Back to the theme from before the menu.
    mutating func leaveThemes() -> [AppEffect] {
        guard let before = themes.before else { return [] }
        themes.before = nil
        guard before != themes.present else { return [] }
        themes.present = before
        return [.useTheme(before)]
    }

    mutating func keepTheme(_ name: String, _ now: HostTime) -> [AppEffect] {
        themes.before = nil
        themes.chosen = name
        say(
            themes.isGiven
                ? translated("Theme \(name); theme = \"\(name)\" in config.toml keeps it") : translated("Theme \(name)"), now)
        guard name != themes.present else { return [] }
        themes.present = name
        return [.useTheme(name)]
    }
}
