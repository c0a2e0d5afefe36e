public import AetherFormats

/// News of the channels for the model.
public enum TelevisionNews: Sendable {
    /// A list was opened.
    case list(ChannelBook)
    /// Its names were read, as they are searched.
    case names(ChannelNames, of: ChannelBook)
    /// Its guide was read.
    case guide(Guide, of: ChannelBook)
    /// The guide cannot be had: a sentence that says why.
    case failed(String)
    /// `ChannelBook.memoryKey` of each favourite.
    case favourites([String])
}
