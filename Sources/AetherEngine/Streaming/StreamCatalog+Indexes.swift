import AetherFormats
import AetherMedia

/// The indexes that lie in the media itself (SegmentBase of DASH).
extension StreamCatalog {
    /// Reads those of a rendition that were not read yet. Blocks. One that no address gives is looked for again when the rendition is entered or
    /// gone about in (`retryIndexes`): a server may have been away, or the file not complete. Until then its file is one segment.
    func readIndexes(of id: Rendition.ID) throws(MediaError) {
        guard !unindexed.contains(id) else { return }
        // Periods may be parts of one file.
        var known: [(index: PendingIndex, search: MediaIndexSearch)] = []
        for index in presentation.pendingIndexes(of: id) {
            let same = known.first { $0.index.addresses == index.addresses && $0.index.search == index.search }?.search
            let search: MediaIndexSearch? = if let same { same } else { try found(index) }
            if let search {
                presentation.attach(search, to: index)
                known.append((index, search))
            } else {
                unindexed.insert(id)
            }
        }
    }

    /// An index that was not found is looked for once more the next time: nothing of the rendition is being read, so that its segments may be others.
    func retryIndexes(of id: Rendition.ID) { unindexed.remove(id) }

    /// A search that has found an index, at the first address that gives it; one that has come to its end without any where the file has none; nil
    /// where the bytes could not be had.
    private func found(_ index: PendingIndex) throws(MediaError) -> MediaIndexSearch? {
        var complete: MediaIndexSearch?
        for address in index.addresses {
            var search = index.search
            do throws(IOReaderError) {
                try fetch.search(&search, in: address)
                if search.hasIndex { return search }
                complete = complete ?? (search.mayAppear ? nil : search)
            } catch {
                if error == .cancelled { throw MediaError(.interrupted, "open", subject: name) }
                Self.log.warning("\(MediaError(.url(address.text), error))")
            }
        }
        return complete
    }
}
