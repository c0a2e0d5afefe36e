public import AetherCore
public import ArgumentParser

extension ArgumentHelp {
    /// The help of an argument in the language of the person. `value`: the word for its value, in that language, too; `form`: the form of its
    /// value, which is the same in all of them, such as "WxH".
    public static func translated(_ phrase: Phrase, value: Phrase? = nil, form: String? = nil) -> ArgumentHelp {
        ArgumentHelp(
            AetherCore.translated(phrase), valueName: value.map { AetherCore.translated($0, context: "value") } ?? form)
    }
}
