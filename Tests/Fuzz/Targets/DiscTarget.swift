import AetherCore
import AetherFormats

/// The tables of a DVD: whatever they say, titles are bounded and their sectors lie in order.
func fuzzDisc(_ input: UnsafeBufferPointer<UInt8>) {
    let bytes = Array(input)
    fuzzBluRay(bytes)
    fuzzGraphics(bytes)
    fuzzUDF(bytes)
    do throws(DiscFault) {
        let manager = try VideoManager(bytes)
        precondition(manager.entries.count <= 99)
    } catch {
        precondition(!error.reason.isEmpty)
    }
    do throws(DiscFault) {
        let set = try TitleSet(bytes)
        precondition(zip(set.units, set.units.dropFirst()).allSatisfy { $0 < $1 })
        for number in 1...99 {
            let title = try set.title(number, at: VideoManager.Entry(titleSet: 1, numberInSet: number, angleCount: 9))
            precondition(title.duration >= .zero && title.angleCount <= 9 && title.chapters.count <= 999)
            let cells = title.cells(angle: 2), map = SectorMap(cells)
            precondition(map.cellPlaces.count == cells.count && map.places(of: set.units).allSatisfy { $0 < map.count })
            precondition(title.chapters.allSatisfy { title.cells.indices.contains($0.cell) })
        }
    } catch {
        precondition(!error.reason.isEmpty)
    }
    precondition(DiscDirectory(bytes).entries.count <= bytes.count / 34 + 1)
    if let root = DiscDirectory.root(volume: bytes) { precondition(root.sector >= 0 && root.byteCount >= 0) }
    if let pack = NavigationPack(bytes) { precondition(pack.end >= pack.start) }
    _ = NavigationPack.isScrambled(bytes)
    fuzzMenus(bytes)
}

/// The menus of a DVD: whatever they say, buttons and pixels are bounded, and each turn of the machine ends.
private func fuzzMenus(_ bytes: [UInt8]) {
    for isWide in [false, true] {
        guard let page = MenuPage(sector: bytes, isWide: isWide) else { continue }
        precondition(page.buttons.count <= MenuPage.limit && page.button(0) == nil && page.button(37) == nil)
        precondition(page.buttons.allSatisfy { $0.columns.upperBound < 1024 && $0.rows.upperBound < 1024 })
    }
    if let picture = Subpicture(bytes) {
        precondition(picture.pixels.count == picture.width * picture.height && picture.pixels.allSatisfy { $0 < 4 })
        precondition(picture.colours.count == 4 && picture.strengths.allSatisfy { 0...15 ~= $0 })
    }
    do throws(DiscFault) {
        let set = try TitleSet(bytes)
        for number in 1...3 {
            guard let chain = set.menus?.chain(number, language: 0x656E) ?? set.chain(number) else { continue }
            precondition(chain.cells.count <= 255 && chain.programs.allSatisfy { chain.cells.indices.contains($0) })
        }
    } catch {
        precondition(!error.reason.isEmpty)
    }
    do throws(DiscFault) {
        fuzzMachine(try VideoManager(bytes), bytes)
    } catch {
        precondition(!error.reason.isEmpty)
    }
}

private func fuzzMachine(_ manager: VideoManager, _ bytes: [UInt8]) {
    var machine = MenuMachine(tables: VideoTables(manager: manager, sets: [:]))
    var turn = machine.begin()
    for byte in bytes.suffix(8) {
        if case .play(let passage) = turn { precondition(passage.cells.contains(passage.start)) }
        switch byte & 3 {
        case 0: turn = machine.passageEnded()
        case 1: turn = machine.menu(.root, from: Int(byte)) ?? .stay
        case 2: turn = machine.goUp(from: Int(byte)) ?? machine.resume() ?? .stay
        default: turn = machine.perform(MenuCommand(bytes.suffix(8)), at: Int(byte))
        }
    }
}

/// The tables of a Blu-ray disc: whatever they say, parts are bounded and units lie in order.
private func fuzzBluRay(_ bytes: [UInt8]) {
    do throws(DiscFault) {
        let playlist = try BluRayPlaylist(bytes), titles = BluRayTitles([1: playlist], clips: [1], named: [1])
        precondition(1...999 ~= playlist.items.count && playlist.duration > 0 && 1...9 ~= playlist.angleCount)
        precondition(playlist.points.indices.allSatisfy { 0...playlist.duration ~= playlist.time(of: .mark($0)) })
        precondition(playlist.chapters.allSatisfy { 0..<playlist.duration ~= $0 } && titles.titles.count <= 1)
    } catch {
        precondition(!error.reason.isEmpty)
    }
    do throws(DiscFault) {
        let clip = try ClipTable(bytes)
        precondition(zip(clip.units, clip.units.dropFirst()).allSatisfy { $0.packet <= $1.packet })
        let packets = clip.packets(for: 0..<90_000, clock: 0)
        precondition(packets.first >= 0 && clip.packet(before: 1 << 40, clock: 3) >= 0)
    } catch {
        precondition(!error.reason.isEmpty)
    }
    do throws(DiscFault) {
        let index = try BluRayIndex(bytes)
        precondition(index.titles.count <= 999)
    } catch {
        precondition(!error.reason.isEmpty)
    }
    do throws(DiscFault) {
        let objects = try MovieObjects(bytes)
        precondition(objects.playlists(from: [0]).count <= bytes.count / 12 + 1)
        fuzzMachine(objects, bytes)
    } catch {
        precondition(!error.reason.isEmpty)
    }
}

/// The commands of a Blu-ray disc: whatever they say, each turn ends.
private func fuzzMachine(_ objects: MovieObjects, _ bytes: [UInt8]) {
    precondition(objects.objects.reduce(0) { $0 + $1.commands.count } <= bytes.count / HDMVCommand.size)
    let index = BluRayIndex(first: .movieObject(0), menu: .movieObject(1), titles: (2..<6).map { .movieObject($0) })
    var machine = HDMVMachine(index: index, objects: objects)
    var turn = machine.begin()
    for byte in bytes.suffix(8) {
        if case .play(let passage) = turn { precondition(0...99_999 ~= passage.playlist) }
        switch byte & 3 {
        case 0: turn = machine.playlistEnded()
        case 1: turn = machine.menu() ?? .stay
        case 2: turn = machine.resume() ?? machine.play(title: Int(byte >> 4))
        default: turn = machine.perform(objects.objects.last?.commands ?? [])
        }
        precondition(machine.takeOrders().count <= 256)
    }
}

/// The interactive graphics of a Blu-ray disc, as segments and in packets: whatever they say, bitmaps and pages are bounded.
private func fuzzGraphics(_ bytes: [UInt8]) {
    var segments = InteractiveStream(pid: 0x1400), packets = segments
    segments.take(segments: bytes)
    _ = packets.take(bytes)
    for display in [segments.display, packets.display].compactMap({ $0 }) {
        let menu = display.composition
        precondition(menu.width <= 4096 && menu.height <= 2304 && 1...255 ~= menu.pages.count)
        precondition(display.objects.values.reduce(0) { $0 + $1.pixels.count } <= 24 << 20)
        var state = InteractiveState(display)
        _ = state.open(true, at: 0)
        for (time, direction) in InteractiveState.Direction.allCases.enumerated() {
            let time = Int64(time) * 7000
            _ = state.move(direction, at: time)
            _ = state.take(.show(page: menu.pages.last?.id, button: state.page.activated), at: time)
            if let commands = state.activate(at: time) { precondition(commands.count * HDMVCommand.size <= bytes.count) }
            precondition(state.nextChange(after: time) ?? .max > time && state.numbers.count <= state.buttons.count)
            // One plane of a whole frame is enough for a run.
            guard direction == .right, menu.width * menu.height <= 1 << 18, let plane = InteractivePlane(state, at: time) else {
                continue
            }
            precondition(plane.pixels.count == plane.width * plane.height && plane.x + plane.width <= menu.width)
        }
    }
}

/// The tables of a UDF volume: whatever they say, partitions and runs are bounded.
private func fuzzUDF(_ bytes: [UInt8]) {
    _ = UDFVolume.isAnnounced(bytes)
    if let tables = UDFVolume.tables(anchor: bytes) { precondition(tables.allSatisfy { 0...131_072 ~= $0.byteCount }) }
    do throws(DiscFault) {
        let volume = try UDFVolume(tables: bytes)
        precondition(volume.partitions.count <= 8)
    } catch {
        precondition(!error.reason.isEmpty)
    }
    do throws(DiscFault) {
        let file = try UDFFile(bytes, partition: 0)
        if case .extents(let extents) = file.content { precondition(extents.count <= bytes.count / 8) }
        precondition(file.byteCount >= 0)
    } catch {
        precondition(!error.reason.isEmpty)
    }
    precondition(UDFDirectory(bytes).entries.count <= bytes.count / 38 + 1)
}
