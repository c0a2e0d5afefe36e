import AetherCore
import CFFmpeg

/// Strings and dictionaries of FFmpeg as bounded Swift values.
enum FFmpegText {
    /// A C string as text; broken UTF-8 becomes replacement characters, at most `limit` bytes are looked at.
    static func string(_ text: UnsafePointer<CChar>?, limit: Int = 16384) -> String {
        guard let text else { return "" }
        let bytes = UnsafeRawBufferPointer(start: text, count: strnlen(text, limit))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Entries of a dictionary, safe to display; at most 256, in the file's order.
    static func tags(_ dictionary: OpaquePointer?) -> [(key: String, value: String)] {
        var tags: [(key: String, value: String)] = []
        var entry: UnsafeMutablePointer<AVDictionaryEntry>?
        while tags.count < 256, let next = av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX) {
            let key = DisplayText.singleLine(string(next.pointee.key), limit: 100)
            if !key.isEmpty { tags.append((key, DisplayText.singleLine(string(next.pointee.value), limit: 2000))) }
            entry = next
        }
        return tags
    }

    /// The first of the keys that has a text, without regard to case.
    static func tag(_ dictionary: OpaquePointer?, _ keys: String...) -> String? {
        for key in keys {
            guard let entry = av_dict_get(dictionary, key, nil, 0) else { continue }
            let value = DisplayText.singleLine(string(entry.pointee.value))
            if !value.isEmpty { return value }
        }
        return nil
    }

    /// The words of a song, as written; at most 256 KB. Timed ones before plain ones. ID3 adds a language to the key ("lyrics-eng").
    static func lyrics(_ dictionary: OpaquePointer?) -> String? {
        for key in ["syncedlyrics", "lyrics", "unsyncedlyrics"] {
            guard let entry = av_dict_get(dictionary, key, nil, key == "lyrics" ? AV_DICT_IGNORE_SUFFIX : 0) else { continue }
            let value = string(entry.pointee.value, limit: 262_144)
            if !value.isEmpty { return value }
        }
        return nil
    }

    /// FFmpeg's name of a channel layout, nil without channels.
    static func channelLayout(_ layout: UnsafePointer<AVChannelLayout>) -> String? {
        guard layout.pointee.nb_channels > 0 else { return nil }
        var name = [CChar](repeating: 0, count: 128)
        guard av_channel_layout_describe(layout, &name, name.count) >= 0 else { return nil }
        let text = string(name, limit: name.count - 1)
        return text.isEmpty ? nil : text
    }
}
