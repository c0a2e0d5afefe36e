/// Everything that a person has set of playback, as one value: it is carried whole from the options to the engine, through all its parts, to
/// the history and the next file.
public struct PlaybackSettings: Sendable, Equatable {
    /// Speed of play with the pitch kept, 0.25...4.
    public var rate = 1.0
    /// A factor of the samples, 0...1.5; kept while muted.
    public var volume = 1.0
    /// Audio runs on unheard.
    public var isMuted = false
    /// The delay of audio behind the file's times, −10...10 s.
    public var audioDelay = TimeSpan.zero
    /// Gains of the ten bands.
    public var equalizer = EqualizerCurve()
    /// The channels that the audio device is asked for.
    public var channels = SpeakerLayout.auto
    /// Where the device has fewer channels than the source: how loud they are together.
    public var downmix = Downmix.loud
    /// Each ear hears a little of the other's channel, as from loudspeakers: for stereo in headphones.
    public var hasCrossfeed = false
    /// Colours and view of the video.
    public var videoLook = VideoLook()
    /// The treatment of interlaced video.
    public var deinterlacing = Deinterlacing()
    /// libavfilter's filters that a person wants for video and audio.
    public var videoFilters, audioFilters: FilterGraph?
    /// The delay of subtitles behind the file's times, an hour at most.
    public var subtitleDelay = TimeSpan.zero
    /// Size of letters drawn in pixels, 0.25...4; 1 is the file's own.
    public var subtitleScale = 1.0
    /// The lift of lines at the bottom, 0...100 % of the frame.
    public var subtitlePosition = 0.0

    /// The look of subtitles that are drawn in pixels, and their colour as text.
    public var subtitleLook = SubtitleLook()

    /// The settings of a file as it is.
    public init() {}

    /// Puts a change in force, within the range of its setting. NaN changes nothing.
    public mutating func apply(_ change: SettingChange) {
        switch change.checked {
        case .rate(let rate): self.rate = rate
        case .volume(let volume): self.volume = volume
        case .muted(let isMuted): self.isMuted = isMuted
        case .equalizer(let curve): equalizer = curve
        case .audioDelay(let delay): audioDelay = delay
        case .channels(let layout): channels = layout
        case .downmix(let downmix): self.downmix = downmix
        case .fit(let fit): videoLook.view.fit = fit
        case .aspect(let aspect): videoLook.view.aspect = aspect
        case .zoom(let zoom): videoLook.view.zoom = zoom
        case .pan(let x, let y): (videoLook.view.panX, videoLook.view.panY) = (x, y)
        case .adjustment(let colours): videoLook.adjustment = colours
        case .rotation(let degrees): videoLook.view.rotation = degrees
        case .flip(let flip): videoLook.view.flip = flip
        case .panscan(let share): videoLook.view.panscan = share
        case .crossfeed(let isOn): hasCrossfeed = isOn
        case .subtitleLook(let look): subtitleLook = look
        case .toneMapping(let toneMapping): videoLook.toneMapping = toneMapping
        case .deinterlacing(let deinterlacing): self.deinterlacing = deinterlacing
        case .videoFilters(let graph): videoFilters = graph
        case .audioFilters(let graph): audioFilters = graph
        case .subtitleDelay(let delay): subtitleDelay = delay
        case .subtitleScale(let scale): subtitleScale = scale
        case .subtitlePosition(let position): subtitlePosition = position
        case nil: break
        }
    }

    /// The value of one setting, as the change that brings it about.
    public subscript(setting: Setting) -> SettingChange {
        switch setting {
        case .rate: .rate(rate)
        case .volume: .volume(volume)
        case .muted: .muted(isMuted)
        case .equalizer: .equalizer(equalizer)
        case .audioDelay: .audioDelay(audioDelay)
        case .channels: .channels(channels)
        case .downmix: .downmix(downmix)
        case .fit: .fit(videoLook.view.fit)
        case .aspect: .aspect(videoLook.view.aspect)
        case .zoom: .zoom(videoLook.view.zoom)
        case .pan: .pan(x: videoLook.view.panX, y: videoLook.view.panY)
        case .rotation: .rotation(videoLook.view.rotation)
        case .flip: .flip(videoLook.view.flip)
        case .panscan: .panscan(videoLook.view.panscan)
        case .crossfeed: .crossfeed(hasCrossfeed)
        case .subtitleLook: .subtitleLook(subtitleLook)
        case .adjustment: .adjustment(videoLook.adjustment)
        case .toneMapping: .toneMapping(videoLook.toneMapping)
        case .deinterlacing: .deinterlacing(deinterlacing)
        case .videoFilters: .videoFilters(videoFilters)
        case .audioFilters: .audioFilters(audioFilters)
        case .subtitleDelay: .subtitleDelay(subtitleDelay)
        case .subtitleScale: .subtitleScale(subtitleScale)
        case .subtitlePosition: .subtitlePosition(subtitlePosition)
        }
    }

    /// The changes that lead from other settings to these.
    public func changes(since former: PlaybackSettings) -> [SettingChange] {
        Setting.allCases.compactMap { self[$0] == former[$0] ? nil : self[$0] }
    }

    /// These settings with every amount within its range; NaN becomes the default.
    public var checked: PlaybackSettings {
        var checked = PlaybackSettings()
        for setting in Setting.allCases { checked.apply(self[setting]) }
        return checked
    }

    /// The settings that the next file begins with: all but those that mend one file.
    public var forNextFile: PlaybackSettings {
        var next = self
        for setting in Setting.allCases where setting.endsWithTheFile { next.apply(PlaybackSettings()[setting]) }
        return next
    }
}
