import AetherCore
import AetherEngine
import AetherSources

extension LoadOptions {
    /// What the command line asks of every file. `carried` is what the person changed while the last file played.
    init(_ options: PlayerOptions, isPlain: Bool, item: Playlist.Item, carried: EngineSnapshot?) {
        self.init()
        // A track of a disc image is a part of its file.
        start = item.start.map { .time($0) } ?? options.start.map(StartPosition.init)
        end = item.end.map { .time($0) } ?? options.end.map(StartPosition.init)
        audioOutput = options.noAudio ? .none : .alsa(device: carried?.audioDevice ?? options.audioDevice)
        audioLanguages = options.audioLanguage?.codes ?? []
        subtitleLanguages = options.subtitleLanguage?.codes ?? []
        externalSubtitles = options.sub.map { ExternalSubtitleTrack(.parse($0)) }
        forcedSubtitlesOnly = options.forcedSubtitles
        teletextPage = options.teletextPage
        recognisesPictures = !options.noOcr
        rate = carried?.rate ?? options.speed
        volume = carried?.volume ?? Double(options.volume) / 100
        isMuted = carried?.isMuted ?? options.mute
        audioDelay = carried?.audioDelay ?? .seconds(options.audioDelay)
        equalizer = carried?.equalizer ?? options.equalizer ?? EqualizerCurve()
        sound.replayGain = options.replaygain
        sound.isLoudnessLevelled = options.loudness
        sound.mix = MixLevels(
            centerDecibels: options.centerLevel, lowFrequencyDecibels: options.lfeLevel.level, downmix: options.downmix)
        sound.passthrough = options.passthrough ?? []
        frameRateCap = options.fpsCap
        picture =
            carried?.pictureLook
            ?? PictureLook(view: PictureView(fit: options.fit, aspect: options.aspect?.value), toneMapping: options.toneMap)
        deinterlaceMode = options.deinterlace.mode
        deinterlaceFieldRate = options.deinterlace.rate
        cacheBytes = options.cache?.bytes
        isAudioPreferred = isPlain
    }
}

extension StartPosition {
    init(_ point: TimePoint) {
        switch point {
        case .offset(let span): self = .time(span)
        case .fraction(let fraction): self = .fraction(fraction)
        case .beforeEnd(let span): self = .beforeEnd(span)
        }
    }
}
