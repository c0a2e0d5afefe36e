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
          const list = { segments: [], map: null, isOver: false, slides: true, begin: -3 }; let start = 0, length = 0, map = null;
          for (const line of (await text(address)).split('\\n')) {
            if (line.startsWith('#EXT-X-MAP:')) map = attribute(line, 'URI');
            else if (line.startsWith('#EXTINF:')) length = parseFloat(line.slice(8));
            else if (line.startsWith('#EXT-X-ENDLIST')) list.isOver = true;
            else if (line.startsWith('#EXT-X-PLAYLIST-TYPE')) list.slides = false;
            else if (line.startsWith('#EXT-X-START')) list.begin = 0;
            else if (line && line[0] !== '#') { list.segments.push({ address: new URL(line, address).href, map: new URL(map, address).href, start, end: start + length }); start += length; }
          }
          list.end = start; return list;
        }
        const done = buffer => new Promise((yes, no) => { buffer.onupdateend = yes; buffer.onerror = no; });
        async function add(buffer, data) { const d = done(buffer); buffer.appendBuffer(data); await d; }
        // A window says no times: what it names is taken one behind the other.
        async function follow(buffer, address, list) {
          let map = null, last = null;
          for (;;) {
            const at = last ? list.segments.findIndex(s => s.address === last) + 1 : list.begin < 0 ? Math.max(0, list.segments.length + list.begin) : 0;
            const next = list.segments[at], held = buffer.buffered.length ? buffer.buffered.end(buffer.buffered.length - 1) - video.currentTime : 0;
            if (!next && list.isOver) return;
            if (!next || held > 30) { await new Promise(yes => { setTimeout(yes, 1000); }); list = await playlist(address); continue; }
            if (map !== next.map) { map = next.map; await add(buffer, await bytes(map)); }
            await add(buffer, await bytes(next.address)); last = next.address;
            if (buffer.buffered.length && video.currentTime < buffer.buffered.start(0)) video.currentTime = buffer.buffered.start(0);
            if (buffer.buffered.length && buffer.buffered.start(0) < video.currentTime - 30) { const d = done(buffer); buffer.remove(0, video.currentTime - 30); await d; }
          }
        }
        async function feed(source, address, type) {
          const buffer = source.addSourceBuffer(type); let list = await playlist(address), map = null;
          if (list.slides) return follow(buffer, address, list);
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
            if (map !== next.map) { map = next.map; await add(buffer, await bytes(map)); }
            await add(buffer, await bytes(next.address));
            if (buffer.buffered.length && buffer.buffered.start(0) < video.currentTime - 30) { const d = done(buffer); buffer.remove(0, video.currentTime - 30); await d; }
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
