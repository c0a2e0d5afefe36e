import AetherCore
import AetherEngine

/// The sentences of the Decode and Video tabs. Pure.
enum FrameLines {
    /// A line and whether it is a heading.
    typealias Line = (label: String, value: String)

    /// Of the frame that is looked at: how it was coded.
    static func coding(_ page: FramePage) -> [Line] {
        let look = page.look
        guard let place = look.shown, look.frames.indices.contains(place) else { return [] }
        let frame = look.frames[place]
        var lines: [Line] = []
        let size = look.size.map { "\($0.width)x\($0.height)" } ?? ""
        lines.append(
            (
                translated("Codec"),
                look.codec + (look.decoder == look.codec ? "" : translated(" by \(look.decoder)")) + "  " + size
            ))
        lines.append(
            (
                translated("Frame"),
                [word(frame.type), frame.isKey ? translated("key") : "", translated("\(frame.byteCount) bytes")].joined(
                    nonEmpty: ", ")
            ))
        lines.append(
            (
                translated("Order"),
                translated("shown as number \(place + 1)")
                    + (frame.decodeOrder.map { translated(", decoded as number \($0)") } ?? "")
            ))
        if let pts = frame.pts {
            let dts = frame.dts.map { "  DTS " + Figures.decimal($0.seconds, places: 3) } ?? ""
            lines.append((translated("Times"), "PTS " + Figures.decimal(pts.seconds, places: 3) + dts))
        }
        lines.append((translated("Quantiser"), quantiser(frame)))
        let vectors =
            look.vectors.isEmpty
            ? translated("none told") : "\(frame.vectorCount)" + (page.showsVectors ? "" : translated(", hidden"))
        lines.append((translated("Vectors"), frame.type == .intra ? translated("none: it needs no other frame") : vectors))
        let use =
            frame.isReference.map { $0 ? translated("others are predicted from it") : translated("no other needs it") }
            ?? translated("not known")
        lines.append((translated("Reference"), use))
        lines.append(
            (
                translated("Decoding"),
                translated("\(Figures.decimal(frame.decodeTime.seconds * 1000, places: 1)) ms in one thread")
            ))
        if look.hasFilmGrain {
            lines.append((translated("Film grain"), page.drawsGrain ? translated("drawn") : translated("left out")))
        }
        return lines
    }

    static func word(_ type: FrameType) -> String {
        switch type {
        case .intra: translated("I (intra)")
        case .predicted: translated("P (predicted)")
        case .bidirectional: translated("B (bidirectional)")
        case .switching: translated("S (switching)")
        case .unknown: translated("of a type that is not told")
        }
    }

    private static func quantiser(_ frame: CodedFrame) -> String {
        guard let mean = frame.quantiser else { return translated("not told by this decoder") }
        guard let ends = frame.quantiserEnds, ends.count > 1 else { return Figures.decimal(mean, places: 1) }
        return translated("mean \(Figures.decimal(mean, places: 1)), \(ends.lowerBound) to \(ends.upperBound)")
    }

    /// Of the frame that is looked at: what its codes are and mean.
    static func levels(_ page: FramePage) -> [Line] {
        let look = page.look
        guard let levels = look.levels else {
            // The Decode tab's look has none.
            guard page.view?.request.wish.wantsLevels == true, look.image != nil else { return [] }
            return [(translated("Codes"), translated("this pixel format has none for each pixel"))]
        }
        var lines: [Line] = []
        if let colour = look.colour {
            lines.append((translated("Format"), translated("\(colour.format), \(colour.depth) bits")))
            lines.append((translated("Matrix"), colour.matrix))
            lines.append((translated("Range"), colour.range))
            lines.append((translated("Primaries"), colour.primaries))
            lines.append((translated("Transfer"), colour.transfer))
            if !colour.chromaSite.isEmpty { lines.append((translated("Chroma site"), colour.chromaSite)) }
            if !colour.light.isEmpty { lines.append((translated("Light"), colour.light)) }
            if !colour.tone.isEmpty { lines.append((translated("Tone curve"), colour.tone)) }
            let points = colour.curve.filter { [100, 203, 1000, 4000].contains($0.nits) }
            if !points.isEmpty {
                let text = points.map { "\(Int($0.nits)) to \(Int($0.shown.rounded()))" }.joined(separator: ", ")
                lines.append((translated("Maps nits"), text))
            }
            if let brightest = colour.brightest, let share = colour.dimmedShare {
                lines.append((translated("Brightest"), mapped(brightest)))
                lines.append((translated("Dimmed"), translated("\(Figures.percent(share)) of the frame")))
            }
        }
        for (name, ends) in zip(levels.names, levels.ends) {
            lines.append((name, translated("\(ends.least) to \(ends.most), mean \(Figures.decimal(ends.mean, places: 1))")))
        }
        return lines + pixel(page, levels) + (page.view?.renderers ?? []).map(cost)
    }

    private static func mapped(_ point: FrameColour.Point) -> String {
        translated("\(Figures.decimal(point.nits, places: 1)) to \(Figures.decimal(point.shown, places: 1)) nits")
    }

    private static func cost(_ renderer: RendererCost) -> Line {
        let nearness = renderer.psnr.map { Figures.decimal($0, places: 1) + " dB" } ?? "exact"
        return (
            renderer.name,
            "\(Figures.bytes(Int64(renderer.bytes))), \(nearness), "
                + Figures.decimal(renderer.time.milliseconds, places: 1) + " ms"
        )
    }

    private static func pixel(_ page: FramePage, _ levels: FrameLevels) -> [Line] {
        let codes = levels.codes(x: page.point.x, y: page.point.y)
        let size = page.look.size ?? PixelSize(width: 1, height: 1)
        let place = "\(Int(page.point.x * Double(size.width))), \(Int(page.point.y * Double(size.height)))"
        var lines: [Line] = [(translated("Point"), place)]
        lines.append((translated("Codes"), zip(levels.names, codes).map { "\($0) \($1)" }.joined(separator: "  ")))
        guard let pixel = page.look.colour?.pixel(codes) else { return lines }
        func joined(_ values: [Double], _ places: Int) -> String {
            values.map { Figures.decimal($0, places: places) }.joined(separator: "  ")
        }
        lines.append((translated("Coded RGB"), joined(pixel.coded, 3)))
        lines.append((translated("Light"), joined(pixel.light, pixel.isNits ? 1 : 3) + (pixel.isNits ? " nits" : "")))
        if let light = page.look.colour?.light(codes) { lines.append((translated("Tone"), mapped(light))) }
        lines.append((translated("Shown RGB"), pixel.shown.map(String.init).joined(separator: "  ")))
        return lines
    }
}

extension [String] {
    /// Without the empty ones.
    fileprivate func joined(nonEmpty separator: String) -> String { filter { !$0.isEmpty }.joined(separator: separator) }
}
