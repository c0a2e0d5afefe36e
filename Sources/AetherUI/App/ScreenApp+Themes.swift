import AetherCore
import AetherEngine
import AetherLibrary
import AetherRender
import AetherTerminal

/// The colours of the screen.
extension ScreenApp {
    /// Puts a theme on; one that cannot be read leaves the present one, and says why.
    mutating func use(theme name: String, isReread: Bool) {
        do throws(ConfigError) {
            let former = face.ground
            var report = ConfigReport()
            face.theme = try themes.load(name, &report)
            // Only the engine can put another ground behind a standing frame that is transparent.
            if face.ground != former, model.isAudioOnly || model.snapshot.isTransparent { refreshAt = time.now() }
            if !isReread { themeFile.follow(themes.file(of: name)) }
            // In place of what was wrong with it.
            if isThemeWrong { update(.answer(translated("Theme \(face.theme.name)"))) }
            isThemeWrong = !report.warnings.isEmpty
            for warning in report.warnings { update(.notice(warning.description)) }
        } catch {
            isThemeWrong = true
            update(.notice(error.description))
        }
    }

    /// Restores the choices for the screen of the last time. A theme whose file has gone is not missed.
    mutating func restoreScreen() {
        var choices = surroundings.screenChoices()
        do throws(ConfigError) {
            var report = ConfigReport()
            if let theme = choices.theme { _ = try themes.load(theme, &report) }
        } catch {
            Log.module("themes").info("\(error)")
            choices.theme = nil
        }
        update(.screenChoices(choices))
    }
}
