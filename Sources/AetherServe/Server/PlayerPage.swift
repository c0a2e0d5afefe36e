/// The page at the root: a video element, and a small player for browsers that know Media Source but not HLS.
enum PlayerPage {
    /// The name is the file's own, and thereby a stranger's.
    static func html(_ name: String) -> String {
        let title = name.reduce(into: "") { text, letter in
            switch letter {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            default: text.append(letter)
            }
        }
        return """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
            <title>\(title)</title><link rel="icon" href="data:,"></head>
            <body><h1>\(title)</h1><video id="video" controls playsinline width="960"></video><p id="note"></p>
            <script src="player.js"></script></body></html>

            """
    }

    /// Fetches what lies ahead of the playhead, 30 s of it, into one buffer for each track, and lets go what lies 30 s behind.
    static let script = """
        'use strict';
        const video = document.getElementById('video'), note = document.getElementById('note');
        const say = text => { note.textContent = text; };
        const text = async address => { const r = await fetch(address); if (!r.ok) throw new Error(r.status); return r.text(); };
        const bytes = async address => { const r = await fetch(address); if (!r.ok) throw new Error(r.status); return r.arrayBuffer(); };
        const attribute = (line, name) => { const m = line.match(new RegExp('[:,]' + name + '=(?:"([^"]*)"|([^,]*))')); return m ? m[1] ?? m[2] : null; };
        async function playlist(address) {
          const list = { segments: [], map: null, isOver: false }; let start = 0, length = 0, map = null;
          for (const line of (await text(address)).split('\\n')) {
            if (line.startsWith('#EXT-X-MAP:')) map = attribute(line, 'URI');
            else if (line.startsWith('#EXTINF:')) length = parseFloat(line.slice(8));
            else if (line.startsWith('#EXT-X-ENDLIST')) list.isOver = true;
            else if (line && line[0] !== '#') { list.segments.push({ address: new URL(line, address).href, map: new URL(map, address).href, start, end: start + length }); start += length; }
          }
          list.end = start; return list;
        }
        const done = buffer => new Promise((yes, no) => { buffer.onupdateend = yes; buffer.onerror = no; });
        async function feed(source, address, type) {
          const buffer = source.addSourceBuffer(type); let list = await playlist(address), map = null;
          const has = time => { for (let i = 0; i < buffer.buffered.length; i++) if (buffer.buffered.start(i) <= time + 0.3 && time < buffer.buffered.end(i) - 0.05) return buffer.buffered.end(i); return null; };
          if (list.isOver && !(source.duration > 0)) source.duration = list.end;
          for (;;) {
            const now = video.currentTime, end = has(now) ?? now;
            const next = end - now < 30 ? list.segments.find(s => s.end > end + 0.1 && !(has((s.start + s.end) / 2) > (s.start + s.end) / 2)) : null;
            if (!next) {
              if (!list.isOver) list = await playlist(address);
              await new Promise(yes => { setTimeout(yes, 500); });
              continue;
            }
            if (map !== next.map) { map = next.map; const head = await bytes(map); const d = done(buffer); buffer.appendBuffer(head); await d; }
            const segment = await bytes(next.address); let d = done(buffer); buffer.appendBuffer(segment); await d;
            if (buffer.buffered.length && buffer.buffered.start(0) < video.currentTime - 30) { d = done(buffer); buffer.remove(0, video.currentTime - 30); await d; }
          }
        }
        async function begin() {
          const master = new URL('master.m3u8', location).href;
          if (video.canPlayType('application/vnd.apple.mpegurl')) { video.src = master; return; }
          const Source = window.ManagedMediaSource ?? window.MediaSource;
          if (!Source) return say('This browser plays neither HLS nor Media Source.');
          const lines = (await text(master)).split('\\n'), at = lines.findIndex(l => l.startsWith('#EXT-X-STREAM-INF'));
          const codecs = (attribute(lines[at], 'CODECS') ?? '').split(','), isVideo = attribute(lines[at], 'RESOLUTION');
          const sound = lines.find(l => l.startsWith('#EXT-X-MEDIA:TYPE=AUDIO'));
          const tracks = [{ address: new URL(lines[at + 1], master).href, type: (isVideo ? 'video' : 'audio') + '/mp4; codecs="' + codecs[0] + '"' }];
          if (sound && isVideo) tracks.push({ address: new URL(attribute(sound, 'URI'), master).href, type: 'audio/mp4; codecs="' + codecs[1] + '"' });
          const usable = tracks.filter(t => Source.isTypeSupported(t.type));
          if (usable.length < tracks.length) say('This browser lacks ' + tracks.filter(t => !usable.includes(t)).map(t => t.type).join(', ') + '. For audio, serve with --audio-bridge aac.');
          const source = new Source(); video.disableRemotePlayback = true; video.src = URL.createObjectURL(source);
          source.addEventListener('sourceopen', () => { for (const t of usable) feed(source, t.address, t.type).catch(e => say(String(e))); }, { once: true });
        }
        begin().catch(e => say(String(e)));

        """
}
