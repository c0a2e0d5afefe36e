import AetherCore
import AetherFormats
import AetherSources

extension DownloadSession {
    /// Writes the lists of what is there. `isWhole`: nothing will follow.
    func write(_ store: PackageStore, isWhole: Bool) throws(MediaError) {
        guard let catalog, let plan else { return }
        let presentation = catalog.presentation
        let state: PackageList.State = progress.isLive && !isWhole ? .growing : .ended
        let layout = PackageLayout(presentation, plan, works, journal, title: index.title)
        try writing(store) { () throws(IOReaderError) in
            for work in works {
                let list = PackageList(
                    journal, rendition: work.folder, state: state, isIndependent: presentation.isIndependent)
                try store.folder.replace("\(PackageName.folder(work.folder))/\(PackageName.list)", with: list.text)
            }
            try store.folder.replace(PackageName.master, with: layout.master.text)
            try store.folder.replace(PackageName.index, with: index.text)
        }
    }
}
