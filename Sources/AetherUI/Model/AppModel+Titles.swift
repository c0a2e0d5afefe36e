import AetherCore
import AetherEngine

extension TitleInfo.Kind {
    /// The word that a person uses for it.
    var word: String {
        switch self {
        case .program: translated("Program")
        case .edition: translated("Edition")
        case .disc: translated("Title")
        }
    }
}

extension TitleInfo {
    /// The menu of a disc, which stands before its titles while it is played.
    var isDiscMenu: Bool { kind == .disc && id == 0 }
}

extension [TitleInfo] {
    /// "Title 2/5"; "Menu" for that of a disc, which is not counted.
    func label(at index: Int) -> String {
        if self[index].isDiscMenu { return self[index].name }
        let menus = prefix(index + 1).count { $0.isDiscMenu }
        return "\(self[index].kind.word) \(index + 1 - menus)/\(count - self.count { $0.isDiscMenu })"
    }
}

/// Titles of the source, the devices that audio goes to, and the renderer of the video.
extension AppModel {
    mutating func selectTitle(_ id: Int, _ now: HostTime) -> [AppEffect] {
        guard let index = snapshot.titles.firstIndex(where: { $0.id == id }) else { return [] }
        let title = snapshot.titles[index], name = title.isDiscMenu ? "" : title.name
        say("\(snapshot.titles.label(at: index))\(name.isEmpty ? "" : ": \(name)")", now)
        return id == snapshot.activeTitle ? [] : [.send(.selectTitle(id))]
    }

    /// Opens the menu of devices, at the first time when the list of them has come in; each time the list is asked for anew, for devices
    /// are plugged in and out.
    mutating func toggleDevices(_ now: HostTime) -> [AppEffect] {
        unfoldsDevices = false
        awaitedAnchor = nil
        guard menu?.kind != .devices, snapshot.audioDevice != nil else {
            toggleMenu(.devices, now)
            return []
        }
        if snapshot.audioDevices == nil {
            awaitsDevices = true
            say(translated("Audio devices"), now)
        } else {
            toggleMenu(.devices, now)
        }
        return [.listDevices]
    }

    /// The list that the menu waits for has come in; returns whether it has opened.
    mutating func openAwaitedDevices(_ now: HostTime) -> Bool {
        guard awaitsDevices, snapshot.audioDevices != nil else { return false }
        awaitsDevices = false
        toggleMenu(.devices, now)
        let anchor = awaitedAnchor
        menu?.anchor = anchor
        settle(Menu.self)
        return true
    }

    mutating func selectDevice(_ name: String, _ now: HostTime) -> [AppEffect] {
        say(translated("Audio to \(name); audio-device = \"\(name)\" in config.toml keeps it"), now)
        guard name != snapshot.audioDevice else { return [] }
        snapshot.audioDevice = name
        return [.send(.setAudioDevice(name))]
    }

    mutating func selectRenderer(_ name: String, _ now: HostTime) -> [AppEffect] {
        say(translated("\(RendererOffer.label(name)); renderer = \"\(name)\" in config.toml keeps it"), now)
        return name == renderers.present ? [] : [.useRenderer(name)]
    }
}
