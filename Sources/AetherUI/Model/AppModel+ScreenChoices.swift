import AetherCore
import AetherEngine
import AetherLibrary

/// The person's choices for the screen, which are there again the next time.
extension AppModel {
    /// The choices made while playing, or before: nil for what was never chosen.
    var screenChoices: ScreenChoices {
        ScreenChoices(
            theme: themes.chosen, hidesBar: scene.bar.hasChosenMode ? barMode == .off : nil,
            showsRemaining: scene.bar.hasChosenTime ? showsRemaining : nil, equalizer: keptEqualizer)
    }

    /// Puts the screen as it was left.
    mutating func restore(_ choices: ScreenChoices, _ now: HostTime) -> [AppEffect] {
        if let hidesBar = choices.hidesBar { scene.bar.switchOn(!hidesBar) }
        if let remaining = choices.showsRemaining { (scene.bar.hasChosenTime, scene.bar.showsRemaining) = (true, remaining) }
        var effects: [AppEffect] = []
        keptEqualizer = choices.equalizer
        // A curve of the command line, or one that was kept for this file, counts more.
        if let kept = choices.equalizer.flatMap({ EqualizerCurve($0) }), kept != EqualizerCurve(),
            snapshot.equalizer == EqualizerCurve()
        {
            effects += set(.equalizer(kept), now)
        }
        guard let theme = choices.theme, !themes.isGiven, theme != themes.present else { return effects }
        (themes.present, themes.chosen) = (theme, theme)
        return effects + [.useTheme(theme)]
    }
}
