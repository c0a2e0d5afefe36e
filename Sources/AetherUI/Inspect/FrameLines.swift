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
        lines.append(("Codec", look.codec + (look.decoder == look.codec ? "" : " by \(look.decoder)") + "  " + size))
        lines.append(("Frame", [word(frame.type), frame.isKey ? "key" : "", "\(frame.byteCount) bytes"].joined(nonEmpty: ", ")))
        lines.append(("Order", "shown as number \(place + 1)" + (frame.decodeOrder.map { ", decoded as number \($0)" } ?? "")))
        if let pts = frame.pts {
            let dts = frame.dts.map { "  DTS " + Figures.decimal($0.seconds, places: 3) } ?? ""
            lines.append(("Times", "PTS " + Figures.decimal(pts.seconds, places: 3) + dts))
        }
        lines.append(("Quantiser", quantiser(frame)))
        let vectors = look.vectors.isEmpty ? "none told" : "\(frame.vectorCount)" + (page.showsVectors ? "" : ", hidden")
        lines.append(("Vectors", frame.type == .intra ? "none: it needs no other frame" : vectors))
        let use = frame.isReference.map { $0 ? "others are predicted from it" : "no other needs it" } ?? "not known"
        lines.append(("Reference", use))
        lines.append(("Decoding", Figures.decimal(frame.decodeTime.seconds * 1000, places: 1) + " ms in one thread"))
        if look.hasFilmGrain { lines.append(("Film grain", page.drawsGrain ? "drawn" : "left out")) }
        return lines
    }

    static func word(_ type: FrameType) -> String {
        switch type {
        case .intra: "I (intra)"
        case .predicted: "P (predicted)"
        case .bidirectional: "B (bidirectional)"
        case .switching: "S (switching)"
        case .unknown: "of a type that is not told"
        }
    }

    private static func quantiser(_ frame: CodedFrame) -> String {
        guard let mean = frame.quantiser else { return "not told by this decoder" }
        guard let ends = frame.quantiserEnds, ends.count > 1 else { return Figures.decimal(mean, places: 1) }
        return "mean \(Figures.decimal(mean, places: 1)), \(ends.lowerBound) to \(ends.upperBound)"
    }

    /// Of the frame that is looked at: what its codes are and mean.
    static func levels(_ page: FramePage) -> [Line] {
        let look = page.look
        guard let levels = look.levels else {
            // The Decode tab's look has none.
            guard page.view?.request.wish.wantsLevels == true, look.image != nil else { return [] }
            return [("Codes", "this pixel format has none for each pixel")]
        }
        var lines: [Line] = []
        if let colour = look.colour {
            lines.append(("Format", "\(colour.format), \(colour.depth) bits"))
            lines.append(("Matrix", colour.matrix))
            lines.append(("Range", colour.range))
            lines.append(("Primaries", colour.primaries))
            lines.append(("Transfer", colour.transfer))
            if !colour.chromaSite.isEmpty { lines.append(("Chroma site", colour.chromaSite)) }
            if !colour.light.isEmpty { lines.append(("Light", colour.light)) }
            if !colour.tone.isEmpty { lines.append(("Tone curve", colour.tone)) }
            let points = colour.curve.filter { [100, 203, 1000, 4000].contains($0.nits) }
            if !points.isEmpty {
                let text = points.map { "\(Int($0.nits)) to \(Int($0.shown.rounded()))" }.joined(separator: ", ")
                lines.append(("Maps nits", text))
            }
            if let brightest = colour.brightest, let share = colour.dimmedShare {
                lines.append(("Brightest", mapped(brightest)))
                lines.append(("Dimmed", Figures.percent(share) + " of the frame"))
            }
        }
        for (name, ends) in zip(levels.names, levels.ends) {
            lines.append((name, "\(ends.least) to \(ends.most), mean \(Figures.decimal(ends.mean, places: 1))"))
        }
        return lines + pixel(page, levels) + (page.view?.renderers ?? []).map(cost)
    }

    private static func mapped(_ point: FrameColour.Point) -> String {
        "\(Figures.decimal(point.nits, places: 1)) to \(Figures.decimal(point.shown, places: 1)) nits"
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
        var lines: [Line] = [("Point", place)]
        lines.append(("Codes", zip(levels.names, codes).map { "\($0) \($1)" }.joined(separator: "  ")))
        guard let pixel = page.look.colour?.pixel(codes) else { return lines }
        func joined(_ values: [Double], _ places: Int) -> String {
            values.map { Figures.decimal($0, places: places) }.joined(separator: "  ")
        }
        lines.append(("Coded RGB", joined(pixel.coded, 3)))
        lines.append(("Light", joined(pixel.light, pixel.isNits ? 1 : 3) + (pixel.isNits ? " nits" : "")))
        if let light = page.look.colour?.light(codes) { lines.append(("Tone", mapped(light))) }
        lines.append(("Shown RGB", pixel.shown.map(String.init).joined(separator: "  ")))
        return lines
    }
}

extension [String] {
    /// Without the empty ones.
    fileprivate func joined(nonEmpty separator: String) -> String { filter { !$0.isEmpty }.joined(separator: separator) }
}
