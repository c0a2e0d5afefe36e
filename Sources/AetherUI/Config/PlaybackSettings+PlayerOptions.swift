public import AetherCore
import AetherEngine
public import ArgumentParser

extension SpeakerLayout: ExpressibleByArgument {}

extension PlaybackSettings {
    /// The settings that options ask for.
    init(_ options: PlayerOptions) {
        self.init()
        rate = options.speed
        volume = Double(options.volume) / 100
        isMuted = options.mute
        audioDelay = .seconds(options.audioDelay)
        equalizer = options.equalizer ?? EqualizerCurve()
        channels = options.channels
        downmix = options.downmix
        videoLook = VideoLook(
            view: VideoView(fit: options.fit, aspect: options.aspect?.value), toneMapping: options.toneMap)
        deinterlacing = options.deinterlace.deinterlacing
        options.look.apply(to: &self)
    }
}
