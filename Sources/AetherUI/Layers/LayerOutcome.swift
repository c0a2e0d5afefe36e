import AetherCore
import AetherEngine
import AetherFormats

/// The result of a key, a click or a deadline that was a layer's.
struct LayerOutcome: Sendable, Equatable {
    /// The layer is to be closed, before its orders are carried out.
    var closes = false
    /// In this order.
    var orders: [LayerOrder] = []

    init(closes: Bool = false, _ orders: LayerOrder...) { (self.closes, self.orders) = (closes, orders) }

    init(closes: Bool = false, orders: [LayerOrder]) { (self.closes, self.orders) = (closes, orders) }
}

/// An order of a layer to the model.
enum LayerOrder: Sendable, Equatable {
    case effect(AppEffect)
    /// Answer in one short line.
    case say(String)
    /// Bring an automatic bar back for a while.
    case touchBar
    case perform(PlayerAction)
    /// Carry out an entry of a menu.
    case choose(MenuChoice)
    case setEqualizer(EqualizerCurve)
    /// The present curve counts for all files.
    case keepEqualizer
    /// Seek there, and say these words.
    case seek(to: MediaTime, SeekPrecision, saying: String)
    /// Say that this source cannot seek.
    case refuseSeek
    /// Put on the theme that is selected, or the one from before the menu.
    case tryTheme(String)
    case leaveThemes
    /// Play a channel, from 0; what it showed in the past; list its programmes; keep it as a favourite or not.
    case zap(Int)
    case playPast(Int, GuideProgramme)
    case openGuide(Int)
    case toggleFavourite(Int)
    /// Another one of the channels side by side sounds, or none.
    case hearTile
    /// Close them, and open one of the list, from 0; nil: the player's own goes on.
    case leaveMosaic(opening: Int?)
}
