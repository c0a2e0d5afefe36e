import AetherCore
import CAss
import Glibc

extension LibassRenderer {
    /// Draws in the look that a person wants from now on, where the events do not ask for another themselves. `isScript`: the file's own styles
    /// stay unless the look says otherwise.
    mutating func setLook(_ wanted: SubtitleLook, isScript: Bool) {
        let look = wanted.bounded
        guard !isScript || look.overridesScripts else { return keepStyles() }
        var style = ASS_Style(), parts: [ASS_OverrideBits] = []
        // As `plainHeader` has it: what the person leaves open comes along with what is chosen.
        (style.FontSize, style.ScaleX, style.ScaleY, style.BorderStyle) = (look.size ?? 16, 1, 1, 1)
        (style.Outline, style.Shadow, style.Alignment) = (look.border ?? 1.2, 0.4, 2)
        func colour(_ value: UInt32) -> UInt32 { value << 8 }
        (style.PrimaryColour, style.SecondaryColour) = (colour(look.colour ?? 0xFFFFFF), colour(look.colour ?? 0xFFFFFF))
        (style.OutlineColour, style.BackColour) = (colour(look.borderColour ?? 0), 0x80)
        (style.MarginL, style.MarginR, style.MarginV) = (10, 10, Int32((look.margin ?? 12).rounded()))
        if look.font != nil { parts.append(ASS_OVERRIDE_BIT_FONT_NAME) }
        if look.size != nil { parts.append(ASS_OVERRIDE_BIT_FONT_SIZE_FIELDS) }
        if look.colour != nil || look.borderColour != nil { parts.append(ASS_OVERRIDE_BIT_COLORS) }
        if look.border != nil { parts.append(ASS_OVERRIDE_BIT_BORDER) }
        if look.margin != nil { parts.append(ASS_OVERRIDE_BIT_MARGINS) }
        if isScript, look.overridesScripts { parts.append(ASS_OVERRIDE_FULL_STYLE) }
        var name = Array((look.font ?? "sans-serif").utf8CString)
        name.withUnsafeMutableBufferPointer { name in
            style.FontName = name.baseAddress
            overrideStyle(style, parts)
        }
    }
}
