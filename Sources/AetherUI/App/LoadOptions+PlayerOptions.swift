import AetherCore
import AetherEngine
import AetherFormats
import AetherOptions
import AetherSources
import FoundationEssentials

extension LoadOptions {
    /// The command line's options for every file. `carried` are the person's changes while the last file played.
    init(_ options: PlayerOptions, isPlain: Bool, item: Playlist.Item, carried: EngineSnapshot?) {
        self.init()
        // A window of kitty or of sixel is about as large; 720p costs a decoder little.
        leastWindow = PixelSize(width: 960, height: 540)
        // A track of a disc image is a part of its file.
        part = item.part
        start = options.start.map(StartPosition.init)
        end = options.end.map(StartPosition.init)
        audioOutput = options.noAudio ? .none : .alsa(device: carried?.audioDevice ?? options.audioDevice)
        audioLanguages = options.audioLanguage?.codes ?? []
        subtitleLanguages = options.subtitleLanguage?.codes ?? []
        externalSubtitles = options.sub.filter { !$0.isEmpty }.map { ExternalSubtitleTrack(.parse(HomePath.expanded($0))) }
        externalAudio = options.audioFile.filter { !$0.isEmpty }.map { ExternalAudioTrack(.parse(HomePath.expanded($0))) }
        forcedSubtitlesOnly = options.forcedSubtitles
        (title, angle, beginsWithMenu) = (options.title, options.angle, options.discMenu)
        teletextPage = options.teletextPage
        surveysSubtitles = !isPlain
        recognisesImages = !options.noOcr
        settings = carried?.settings.forNextFile ?? PlaybackSettings(options)
        audio.replayGain = options.replaygain
        audio.isLoudnessLevelled = options.loudness
        audio.mix = MixLevels(
            centerDecibels: options.centerLevel, lowFrequencyDecibels: options.lfeLevel.level)
        audio.passthrough = options.passthrough ?? []
        frameRateCap = options.fpsCap
        keepPast(options.recording.dvr, ProcessInfo.processInfo.environment)
        // The first source, and no other.
        if carried == nil { recording = options.recording.order }
        cacheBytes = options.cache?.bytes
        isAudioPreferred = isPlain || options.look.noVideo
        adaptation = AdaptationOptions(options.quality)
        liveJoinProfile = options.quality.liveJoin.profile
        streamDemuxer = options.demuxer
        hardwareDecoding = options.hwdec
        // The parser has read them once already: none of them fails now.
        variantQualifiers = (try? options.quality.qualifiers()) ?? []
        requiresVariant = options.quality.require
        http = HTTPOptions(options.network).named(by: item.document)
        if let channel = item.channel, case .url(let address) = item.location {
            channel.apply(to: &http, address: address)
            // A person who zaps wants to see something; what was broadcast is no live stream.
            if options.quality.liveJoin == .lowLatency, channel.past == nil { liveJoinProfile = .fastZap }
        }
        // They were read once already, by the check of the command line: what fails now is a file that has gone since.
        keys = (try? options.keys.keys()) ?? keys
        // A text that is no key opens nothing, and the source says so.
        for text in item.channel?.clearKeys ?? [] { _ = keys.add(text) }
        probeSize = options.network.probeSize.map { Int64($0.bytes) }
        analyzedSpan = options.network.analyzeTime.map { .seconds($0) }
    }
}
