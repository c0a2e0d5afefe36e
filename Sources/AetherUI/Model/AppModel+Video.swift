import AetherCore
import AetherEngine
import Glibc

/// Keys that change the image: its colours, and how it lies on the screen.
extension AppModel {
    mutating func adjustVideo(_ control: ColourControl, _ steps: Int, _ now: HostTime) -> [AppEffect] {
        var look = snapshot.videoLook
        let value = min(max(look.adjustment[keyPath: control.path] + steps, -100), 100)
        look.adjustment[keyPath: control.path] = value

        return show(look, "\(control.title) \(value > 0 ? "+" : "")\(value)", now)
    }

    mutating func resetColours(_ now: HostTime) -> [AppEffect] {
        var look = snapshot.videoLook
        look.adjustment = ColourAdjustment()
        return show(look, translated("Reset picture"), now)
    }

    mutating func nextToneMapping(_ now: HostTime) -> [AppEffect] {
        var look = snapshot.videoLook
        let all = ToneMapping.allCases
        look.toneMapping = all[((all.firstIndex(of: look.toneMapping) ?? 0) + 1) % all.count]
        let way =
            switch look.toneMapping {
            case .auto: translated("as the source says")
            case .bt2390: "BT.2390"
            case .hable: "Hable"
            case .off: translated("cut at white")
            }
        let idle = snapshot.sourceVideoFormat == .sdr ? translated(" (this video is SDR)") : ""
        return show(look, translated("HDR to SDR: \(way)\(idle)"), now)
    }

    mutating func nextFit(_ now: HostTime) -> [AppEffect] {
        var look = snapshot.videoLook
        let all = VideoView.Fit.allCases
        look.view.fit = all[((all.firstIndex(of: look.view.fit) ?? 0) + 1) % all.count]
        let text =
            switch look.view.fit {
            case .fit: translated("Fit")
            case .fill: translated("The video fills the screen")
            case .stretch: translated("The frame is stretched")
            }
        return show(look, text, now)
    }

    /// The shapes that are found wrongly marked most often.
    private static let shapes: [(name: String, value: Double)] = [("16:9", 16.0 / 9), ("4:3", 4.0 / 3), ("2.35:1", 2.35)]

    mutating func nextAspect(_ now: HostTime) -> [AppEffect] {
        var look = snapshot.videoLook
        let station = Self.shapes.firstIndex { $0.value == look.view.aspect }.map { $0 + 1 } ?? 0
        let shape = station < Self.shapes.count ? Self.shapes[station] : nil
        look.view.aspect = shape?.value
        return show(look, shape.map { translated("Shape \($0.name)") } ?? translated("Shape of the source"), now)
    }

    /// By a tenth of an octave a step: ten make it twice as large.
    mutating func zoomVideo(_ steps: Int, _ now: HostTime) -> [AppEffect] {
        var look = snapshot.videoLook
        // Of steps, so that ten there and ten back end at 1.
        let step = (log2(look.view.zoom) * 10).rounded() + Double(steps)
        look.view.zoom = exp2(step / 10)
        return show(look, translated("Zoom \(Figures.percent(look.view.zoom))"), now)
    }

    mutating func panVideo(_ direction: PanDirection, _ now: HostTime) -> [AppEffect] {
        var look = snapshot.videoLook
        switch direction {
        case .left: look.view.panX = ((look.view.panX - 0.1) * 10).rounded() / 10
        case .right: look.view.panX = ((look.view.panX + 0.1) * 10).rounded() / 10
        case .up: look.view.panY = ((look.view.panY - 0.1) * 10).rounded() / 10
        case .down: look.view.panY = ((look.view.panY + 0.1) * 10).rounded() / 10
        }
        return show(look, direction.sentence, now)
    }

    mutating func resetView(_ now: HostTime) -> [AppEffect] {
        var look = snapshot.videoLook
        look.view = VideoView()
        return show(look, translated("Reset zoom"), now)
    }

    private mutating func show(_ look: VideoLook, _ text: String, _ now: HostTime) -> [AppEffect] {
        var settings = snapshot.settings
        settings.videoLook = look
        say(text, now)
        return set(settings, now)
    }
}

extension ColourControl {
    fileprivate var path: WritableKeyPath<ColourAdjustment, Int> {
        switch self {
        case .brightness: \.brightness
        case .contrast: \.contrast
        case .saturation: \.saturation
        case .gamma: \.gamma
        }
    }
}
