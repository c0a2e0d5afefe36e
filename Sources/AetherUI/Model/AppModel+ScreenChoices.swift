import AetherLibrary

/// The person's choices for the screen, which are there again the next time.
extension AppModel {
    /// The choices made while playing, or before: nil for what was never chosen.
    var screenChoices: ScreenChoices {
        ScreenChoices(
            theme: themes.chosen, hidesBar: scene.bar.hasChosenMode ? barMode == .off : nil,
            showsRemaining: scene.bar.hasChosenTime ? showsRemaining : nil)
    }

    /// Puts the screen as it was left.
    mutating func restore(_ choices: ScreenChoices) -> [AppEffect] {
        if let hidesBar = choices.hidesBar { scene.bar.switchOn(!hidesBar) }
        if let remaining = choices.showsRemaining { (scene.bar.hasChosenTime, scene.bar.showsRemaining) = (true, remaining) }
        guard let theme = choices.theme, !themes.isGiven, theme != themes.present else { return [] }
        (themes.present, themes.chosen) = (theme, theme)
        return [.useTheme(theme)]
    }
}
