extension Presentation {
    /// The presentation that a list of variants offers. Entries that differ in nothing but their address are one variant whose rendition has
    /// several addresses; entries of one address with other sets of audio or text are several variants of one rendition.
    public init(_ list: HLSVariantList) {
        var composition = HLSComposition(list)
        self.init()
        variants = composition.variants()
        periods = [Period(groups: composition.groups())]
        startPoint = list.startPoint
        isIndependent = list.isIndependent
        steering = list.steering
        data = list.data
        let protections = list.keys.map { key -> ContentProtection? in
            if case .protected(let system) = key { system } else { nil }
        }
        protection = protections.contains(nil) ? nil : protections.first ?? nil
    }

    /// A list of segments that stands alone: one variant of one rendition. Whether the rendition is video or audio is not known before a
    /// segment is read.
    public init(_ list: HLSSegmentList) {
        self.init()
        var rendition = Rendition(id: list.address.text)
        rendition.addresses = [list.address]
        rendition.tiles = list.tiles
        var group = Group(id: "main", kind: list.isImagesOnly ? .image : list.isKeyFramesOnly ? .keyFrames : .muxed)
        group.isDefault = true
        group.renditions = [rendition]
        periods = [Period(groups: [group])]
        variants = [Variant(id: rendition.id, rendition: rendition.id, peakBitRate: 0)]
        startPoint = list.startPoint
        isIndependent = list.isIndependent
        attach(list, to: rendition.id)
    }

    /// Puts the segments that were read into their rendition, with the one that is being made where `withParts`. The first list says how long
    /// it all lasts, and how.
    public mutating func attach(_ list: HLSSegmentList, to id: Rendition.ID, withParts: Bool = false) {
        if kind == nil {
            kind = list.kind
            duration = list.kind == .live ? nil : list.duration
            periods[0].duration = duration
            startPoint = startPoint ?? list.startPoint
            protection = protection ?? list.protection
        }
        for group in periods[0].groups.indices {
            for place in periods[0].groups[group].renditions.indices where periods[0].groups[group].renditions[place].id == id {
                periods[0].groups[group].renditions[place].index =
                    withParts ? PartedSegments(list) : list.segments
                if let tiles = list.tiles { periods[0].groups[group].renditions[place].tiles = tiles }
            }
        }
    }
}

/// How the entries of a list of variants become variants, groups and renditions.
struct HLSComposition {
    private let list: HLSVariantList
    private var video: [Rendition] = []
    private var places: [String: Int] = [:]
    /// The group of which each group is a copy on another server.
    private let originals: [String: String]
    private var hasOwnAudio: Set<Rendition.ID> = []

    init(_ list: HLSVariantList) {
        self.list = list
        originals = HLSComposition.originals(list)
    }

    // MARK: - Variants

    mutating func variants() -> [Variant] {
        var variants: [Variant] = []
        var seen: [HLSVariantList.Entry: Int] = [:]
        for entry in list.variants {
            var key = entry
            key.address = list.address
            key.written = ""
            key.pathway = nil
            key.audio = original(.audio, entry.audio)
            key.video = original(.video, entry.video)
            key.subtitles = original(.subtitles, entry.subtitles)
            key.captions = original(.closedCaptions, entry.captions)
            if let first = seen[key], isCopy(entry, of: variants[first]) {
                add(entry.address, entry.pathway, to: variants[first].rendition)
                continue
            }
            let rendition = take(entry)
            let number = variants.filter { $0.rendition == rendition }.count
            var variant = Variant(
                id: number == 0 ? rendition : "\(rendition)#\(number + 1)", rendition: rendition, peakBitRate: entry.peakBitRate)
            variant.averageBitRate = entry.averageBitRate
            (variant.codecs, variant.supplementalCodecs) = (entry.codecs, entry.supplementalCodecs)
            (variant.size, variant.frameRate, variant.range) = (entry.size, entry.frameRate, entry.range)
            variant.score = entry.score
            (variant.audioSet, variant.videoSet, variant.textSet, variant.captionSet) = (
                key.audio, key.video, key.subtitles, key.captions
            )
            variant.hasNoCaptions = entry.hasNoCaptions
            variant.pathway = entry.pathway
            variant.requiredLayouts = entry.requiredLayouts
            seen[key] = variants.count
            variants += angles(of: variant, entry, before: variants)
        }
        return variants
    }

    /// A variant, with one more for each further camera angle of its set of video.
    private mutating func angles(of variant: Variant, _ entry: HLSVariantList.Entry, before: [Variant]) -> [Variant] {
        let members = list.media.filter { $0.kind == .video && $0.group == entry.video }
        let others = members.filter { $0.address != nil && $0.address != entry.address }
        guard !others.isEmpty, before.count + others.count < Self.limit else { return [variant] }
        var variant = variant, result: [Variant] = []
        let own = members.first { $0.address == nil || $0.address == entry.address }
        variant.angle = own?.name ?? ""
        // Without a member for the variant's own segments the default is the angle to begin with.
        let first = own == nil ? others.first { $0.isDefault } : nil
        variant.isOtherAngle = first != nil
        result.append(variant)
        for media in others {
            var angle = variant
            angle.rendition = media.written
            let number = (before + result).count { $0.rendition == media.written }
            angle.id = number == 0 ? media.written : "\(media.written)#\(number + 1)"
            (angle.angle, angle.isOtherAngle) = (media.name, media != first)
            result.append(angle)
        }
        return result
    }
    /// Variants with their angles.
    private static let limit = 4000

    /// The same on another server. The first entry may have no pathway; two of one pathway are a choice and no copy.
    private func isCopy(_ entry: HLSVariantList.Entry, of variant: Variant) -> Bool {
        guard let rendition = places[variant.rendition].map({ video[$0] }), rendition.addresses.count < 16 else { return false }
        return !rendition.addresses.contains(entry.address) && (entry.pathway == nil || entry.pathway != variant.pathway)
    }

    private mutating func add(_ address: StreamAddress, _ pathway: String?, to id: Rendition.ID) {
        guard let place = places[id] else { return }
        video[place].addresses.append(address)
        if list.steering != nil { video[place].services.append(pathway ?? ".") }
    }

    /// The rendition of an entry's own segments.
    private mutating func take(_ entry: HLSVariantList.Entry) -> Rendition.ID {
        let id = entry.written
        if entry.audio.map({ isSeparate($0) }) != true { hasOwnAudio.insert(id) }
        if let place = places[id] {
            video[place].peakBitRate = [video[place].peakBitRate, entry.peakBitRate].compactMap { $0 }.min()
            return id
        }
        var rendition = rendition(entry)
        rendition.id = id
        places[id] = video.count
        video.append(rendition)
        return id
    }

    private func rendition(_ entry: HLSVariantList.Entry) -> Rendition {
        var rendition = Rendition(id: entry.written)
        rendition.peakBitRate = entry.peakBitRate > 0 ? entry.peakBitRate : nil
        rendition.averageBitRate = entry.averageBitRate
        (rendition.codecs, rendition.supplementalCodecs) = (entry.codecs, entry.supplementalCodecs)
        (rendition.size, rendition.frameRate, rendition.range) = (entry.size, entry.frameRate, entry.range)
        rendition.addresses = [entry.address]
        rendition.stableID = entry.stableID
        if list.steering != nil { rendition.services = [entry.pathway ?? "."] }
        return rendition
    }

    /// Whether a group of audio has lists of segments of its own; a member without one lies in the variant's.
    private func isSeparate(_ group: String) -> Bool {
        let members = list.media.filter { $0.kind == .audio && $0.group == group }
        return !members.isEmpty && members.allSatisfy { $0.address != nil }
    }

    // MARK: - Groups

    mutating func groups() -> [Group] {
        var groups: [Group] = []
        let separate = video.filter { !hasOwnAudio.contains($0.id) }, muxed = video.filter { hasOwnAudio.contains($0.id) }
        for (id, kind, renditions) in [("video", Group.Kind.video, separate), ("muxed", .muxed, muxed)] where !renditions.isEmpty
        {
            var group = Group(id: id, kind: kind)
            group.isDefault = true
            group.renditions = renditions
            groups.append(group)
        }
        var places: [String: Int] = [:]
        for media in list.media {
            let set = original(media.kind, media.group) ?? media.group
            let key = "\(media.kind.rawValue)/\(set)/\(media.name)/\(media.language ?? "")"
            if set != media.group, let place = places[key] {
                if let address = media.address, groups[place].renditions.first?.addresses.contains(address) == false {
                    groups[place].renditions[0].addresses.append(address)
                    if list.steering != nil { groups[place].renditions[0].services.append(pathway(of: media)) }
                }
                continue
            }
            let number = groups.filter { $0.id == key || $0.id.hasPrefix(key + "#") }.count
            groups.append(group(media, set: set, id: number == 0 ? key : "\(key)#\(number + 1)"))
            places[key] = groups.count - 1
        }
        for (id, kind, entries) in [("iframes", Group.Kind.keyFrames, list.keyFrames), ("images", .image, list.images)] {
            guard !entries.isEmpty else { continue }
            var group = Group(id: id, kind: kind)
            group.renditions = entries.map { rendition($0) }
            groups.append(group)
        }
        return groups
    }

    /// The pathway of the entries that ask for a group.
    private func pathway(of media: HLSVariantList.Media) -> String {
        list.variants.first { [$0.audio, $0.subtitles, $0.video].contains(media.group) }?.pathway ?? "."
    }

    private func group(_ media: HLSVariantList.Media, set: String, id: String) -> Group {
        let kind: Group.Kind =
            switch media.kind {
            case .audio: .audio
            case .video: .video
            case .subtitles: .text
            case .closedCaptions: .captions
            }
        var group = Group(id: id, kind: kind)
        group.set = set
        group.language = media.language
        group.associatedLanguage = media.associatedLanguage
        group.label = media.name
        group.characteristics = media.characteristics
        group.channels = media.channels
        (group.isDefault, group.isAutoselected, group.isForced) = (media.isDefault, media.isAutoselected, media.isForced)
        group.captionChannel = media.captionChannel
        if let address = media.address {
            var rendition = Rendition(id: media.written)
            rendition.addresses = [address]
            rendition.stableID = media.stableID
            if list.steering != nil { rendition.services = [pathway(of: media)] }
            rendition.codecs =
                list.variants.first { $0.audio == media.group || $0.subtitles == media.group }?.codecs.filter {
                    $0.kind == (kind == .audio ? .audio : .text)
                } ?? []
            group.renditions = [rendition]
        }
        return group
    }

    // MARK: - Copies of groups

    private func original(_ kind: HLSVariantList.Media.Kind, _ group: String?) -> String? {
        group.map { originals["\(kind.rawValue)/\($0)"] ?? $0 }
    }

    /// Groups whose members differ in nothing but their addresses, which lie on other hosts or are asked for by entries of
    /// another pathway: copies. Without that they may be the same at another bit rate.
    private static func originals(_ list: HLSVariantList) -> [String: String] {
        var sets: [String: MediaSet] = [:], order: [String] = []
        for media in list.media {
            let key = "\(media.kind.rawValue)/\(media.group)"
            if sets[key] == nil { order.append(key) }
            sets[key, default: MediaSet()].add(media)
        }
        for entry in list.variants {
            for (kind, group) in [("AUDIO", entry.audio), ("VIDEO", entry.video), ("SUBTITLES", entry.subtitles)] {
                guard let group, let pathway = entry.pathway else { continue }
                sets["\(kind)/\(group)"]?.pathways.insert(pathway)
            }
        }
        var result: [String: String] = [:]
        for (place, key) in order.enumerated().prefix(200) {
            guard let set = sets[key] else { continue }
            let first = order[..<place].first { result[$0] == nil && sets[$0].map(set.isCopy) == true }
            if let first { result[key] = String(first.drop { $0 != "/" }.dropFirst()) }
        }
        return result
    }
}

/// The members of a group without what may differ between copies.
private struct MediaSet {
    private var members: [HLSVariantList.Media] = []
    private var hosts: Set<String> = []
    var pathways: Set<String> = []

    mutating func add(_ media: HLSVariantList.Media) {
        var bare = media
        (bare.address, bare.group, bare.written) = (nil, "", "")
        members.append(bare)
        if let host = media.address?.host { hosts.insert(host) }
    }

    func isCopy(of other: MediaSet) -> Bool {
        guard members == other.members, !hosts.isEmpty, !other.hosts.isEmpty else { return false }
        let isOtherPathway = !pathways.isEmpty && !other.pathways.isEmpty && pathways.isDisjoint(with: other.pathways)
        return isOtherPathway || hosts.isDisjoint(with: other.hosts)
    }
}
