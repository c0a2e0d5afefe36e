import AetherLibrary

/// The person's choices for the screen, which are there again the next time.
extension AppModel {
    /// What was chosen while playing, or before: nil for what never was.
    var screenChoices: ScreenChoices {
        ScreenChoices(
            theme: themes.chosen, hidesBar: hasChosenBar ? barMode == .off : nil,
            showsRemaining: hasChosenTime ? showsRemaining : nil)
    }

    /// Puts the screen as it was left.
    mutating func restore(_ choices: ScreenChoices) -> [AppEffect] {
        if let hidesBar = choices.hidesBar {
            hasChosenBar = true
            barMode = hidesBar ? .off : .automatic
            if hidesBar { isBarVisible = false }
        }
        if let remaining = choices.showsRemaining { (hasChosenTime, showsRemaining) = (true, remaining) }
        guard let theme = choices.theme, !themes.isGiven, theme != themes.present else { return [] }
        (themes.present, themes.chosen) = (theme, theme)
        return [.useTheme(theme)]
    }
}
