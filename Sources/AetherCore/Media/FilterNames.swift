/// The filters that a person may use. A list of what is allowed, for FFmpeg's next version may bring one that opens a file: in these no
/// option names a file, a device or an address, each frame keeps its time, and audio stays as long as it is.
enum FilterNames {
    /// The reason why a filter cannot be had; nil where it can.
    static func refusal(of name: String, _ medium: FilterGraph.Medium) -> String? {
        let (own, others) = medium == .video ? (video, audio) : (audio, video)
        if own.contains(name) { return nil }
        if others.contains(name) { return "\(name) is a filter for \(medium == .video ? "audio" : "video")" }
        if let reason = reasons[name] { return "\(name) \(reason)" }
        return "\(name) is not a filter that can be used here"
    }

    /// Whether it is a filter of which is known whether it can be used.
    static func isKnown(_ name: String) -> Bool { video.contains(name) || audio.contains(name) || reasons[name] != nil }

    /// The reason why options are refused although the filter is not: what would never end, or take all memory; nil where they are not.
    static func refusal(of options: String, for name: String) -> String? {
        if options.contains("while") { return "expressions with \"while\" are not taken: one may never end" }
        guard counting.contains(name) else { return nil }
        let numbers = options.split { !$0.isNumber }
        return numbers.contains { $0.count > 2 || (Int($0) ?? 100) > mostParts }
            ? "\(name) takes numbers up to \(mostParts)" : nil
    }

    /// Joints of a filter, or frames that it holds, at most.
    private static let mostParts = 64
    private static let counting: Set = [
        "split", "asplit", "hstack", "vstack", "xstack", "xmedian", "amix", "amerge", "join", "tmix", "tmedian", "atadenoise",
        "deflicker",
    ]

    /// Well-known ones that are left out, with the reason.
    private static let reasons: [String: String] = {
        let files = "reads or writes files, which filters may not here"
        let source = "brings media of its own, which filters may not here"
        let time = "changes times, which stay as they are here"
        var reasons: [String: String] = [:]
        for name in [
            "subtitles", "ass", "lut1d", "lut3d", "haldclut", "curves", "drawtext", "metadata", "ametadata", "sendcmd",
            "asendcmd",
            "vidstabdetect", "vidstabtransform", "deshake", "signature", "removelogo", "psnr", "ssim", "libvmaf", "sofalizer",
            "arnndn", "loudnorm", "selectivecolor", "firequalizer", "nnedi", "find_rect", "cover_rect",
        ] { reasons[name] = files }
        for name in ["movie", "amovie", "color", "testsrc", "testsrc2", "smptebars", "sine", "anullsrc", "aevalsrc", "flite"] {
            reasons[name] = source
        }
        for name in [
            "setpts", "asetpts", "trim", "atrim", "reverse", "areverse", "loop", "aloop", "atempo", "asetrate", "rubberband",
            "concat", "select", "aselect", "tpad", "silenceremove",
        ] { reasons[name] = time }
        for name in ["zmq", "azmq"] { reasons[name] = "opens connections, which filters may not here" }
        for name in ["frei0r", "ladspa", "lv2"] { reasons[name] = "loads programs, which filters may not here" }
        return reasons
    }()

    static let video: Set<String> = [
        "alphaextract", "alphamerge", "amplify", "atadenoise", "avgblur", "bilateral", "blend", "boxblur", "bwdif", "cas",
        "chromahold", "chromakey", "chromanr", "chromashift", "colorbalance", "colorchannelmixer", "colorcontrast",
        "colorcorrect",
        "colorhold", "colorize", "colorkey", "colorlevels", "colormatrix", "colorspace", "colortemperature", "convolution",
        "copy",
        "crop", "datascope", "dblur", "dctdnoiz", "deband", "deblock", "dedot", "deflate", "deflicker", "delogo", "despill",
        "dilation", "drawbox", "drawgrid", "edgedetect", "epx", "eq", "erosion", "estdif", "exposure", "extractplanes",
        "fftdnoiz", "field", "fieldorder", "fillborders", "floodfill", "format", "fps", "framerate", "framestep", "fspp", "gblur",
        "geq", "gradfun", "grayworld", "greyedge", "hflip", "histeq", "histogram", "hqdn3d", "hqx", "hstack", "hsvhold", "hsvkey",
        "hue", "huesaturation", "hysteresis", "il", "inflate", "kerndeint", "kirsch", "lagfun", "lenscorrection", "limiter",
        "lumakey", "lut", "lut2", "lutrgb", "lutyuv", "median", "mergeplanes", "minterpolate", "monochrome", "mpdecimate",
        "negate",
        "nlmeans", "noformat", "noise", "normalize", "null", "oscilloscope", "overlay", "owdenoise", "pad", "perspective",
        "phase",
        "pixelize", "pp", "pp7", "prewitt", "pseudocolor", "pullup", "removegrain", "rgbashift", "roberts", "rotate", "sab",
        "scale",
        "scharr", "scroll", "setdar", "setfield", "setparams", "setrange", "setsar", "shear", "shufflepixels",
        "shuffleplanes", "smartblur", "sobel", "split", "spp", "stereo3d", "super2xsai", "swaprect", "swapuv", "tblend",
        "tmedian",
        "tmix", "tonemap", "transpose", "unsharp", "vaguedenoiser", "vectorscope", "vflip", "vibrance", "vignette", "vstack",
        "w3fdif", "waveform", "xbr", "xmedian", "xstack", "yadif", "yaepblur", "zscale",
    ]

    static let audio: Set<String> = [
        "acompressor", "acontrast", "acopy", "acrossover", "acrusher", "adeclick", "adeclip", "adecorrelate", "adenorm",
        "adynamicequalizer", "adynamicsmooth", "aecho", "aemphasis", "aeval", "aexciter", "afftdn", "afftfilt", "aformat",
        "afreqshift", "afwtdn", "agate", "alimiter", "allpass", "amerge", "amix", "amultiply", "anequalizer", "anlmdn", "anull",
        "aphaser", "aphaseshift", "apsyclip", "apulsator", "aresample", "asoftclip", "asplit", "asubboost", "asubcut",
        "asupercut",
        "asuperpass", "asuperstop", "atilt", "bandpass", "bandreject", "bass", "biquad", "bs2b", "channelmap", "channelsplit",
        "compand", "compensationdelay", "crossfeed", "crystalizer", "dcshift", "deesser", "dialoguenhance", "dynaudnorm",
        "earwax", "equalizer", "extrastereo", "flanger", "haas", "highpass", "highshelf", "join", "lowpass", "lowshelf",
        "mcompand",
        "pan", "sidechaincompress", "sidechaingate", "speechnorm", "stereotools", "stereowiden", "superequalizer", "surround",
        "tiltshelf", "treble", "tremolo", "vibrato", "virtualbass", "volume",
    ]
}
