import AetherCore
import AetherEngine
import AetherRender
import AetherTerminal

extension Presenter {
    /// The slots that other threads fill for the present thread.
    struct Inbox {
        var frame: VideoFrame?
        var overlay: CellOverlay?
        /// The small frame that comes with the overlay.
        var inset: ImageInset?
        /// The receivers of the frame as it was drawn.
        var captures: [@Sendable (RasterImage?) -> Void] = []
        var size: TerminalSize?
        /// The place of the frame; nil: the whole screen. Counts with a new size.
        var area: CellRect?
        var epoch = Epoch()
        var isCleared = false
        var isInvalid = false
        /// Bytes that concern no cell, as a window's title; goes out behind the next frame.
        var aside: [UInt8] = []
        /// The writer waits for the terminal: a frame replaced now was lost to the terminal.
        var isBlocked = false
        /// The pane is hidden: a frame replaced now would not have been seen.
        var isHidden = false
        var demand: RasterDemand
        /// Pixels show a script as it was styled; among cells its words are read better as text.
        var burning = SubtitleBurning.images
        /// The colour behind transparent parts of frames, as a pixel of `RasterImage`.
        var ground: UInt32
        /// The renderer from now on, and the most detail; nil: as before.
        var change: Change?

        /// The messages that concern a frame whose end is held back. An overlay waits for it.
        var news: FramePace.News {
            FramePace.News(
                isUrgent: size != nil || isInvalid || isCleared || change != nil, epoch: epoch, due: frame?.due)
        }

        /// Takes the contents of the slots, which are empty afterwards.
        mutating func take() -> Inbox {
            let news = self
            frame = nil
            overlay = nil
            inset = nil
            captures = []
            size = nil
            change = nil
            isInvalid = false
            isCleared = false
            aside = []
            return news
        }
    }

    /// Another renderer.
    struct Change {
        let outputs: RendererRange.Outputs
        let maximumRate: Int?
    }

    /// The messages that the present thread must know before it takes anything else.
    struct Word {
        var isPaused = false
        var isStopped = false
        /// The pane is hidden: nothing is drawn.
        var isHidden = false
        /// The times of the terminal's answers to questions behind frames.
        var answers: [HostTime] = []
        /// The answers for images.
        var kittyAnswers: [ImageAnswer] = []
    }

    /// The terminal's word on a frame that was sent: "OK" or an error.
    struct ImageAnswer: Equatable {
        let id, placement: Int
        let message: String
    }
}
