#!/bin/sh
# Players of others take what aetherctl serves: scripts/test-clients.sh. Frames are counted, the duration is asked for, a seek is made, and both
# tracks of audio are read. One that is not installed is skipped, and said so. PICTURE=FILE.png keeps what Chromium shows.
set -eu
cd "$(dirname "$0")/.."
scripts=$PWD/scripts
control=${AETHER_BIN:-.build/release}/aetherctl
[ -x "$control" ] || control=.build/debug/aetherctl
folder=$(mktemp -d)
servers=
trap 'for server in $servers; do kill "$server" 2>/dev/null || true; done; rm -rf "$folder"' EXIT
chmod 755 "$folder"
failed=0
quiet="-hide_banner -loglevel error -nostdin"

# serve NAME ARGUMENTS: its addresses are in $page and $master.
serve() {
    mkfifo "$folder/$1.addresses"
    name=$1
    shift
    "$control" serve "$@" > "$folder/$name.addresses" &
    servers="$servers $!"
    { read -r page; read -r master; } < "$folder/$name.addresses"
}
# expect NAME WANTED SEEN: numbers or words that have to be the same.
expect() {
    if [ "$2" = "$3" ]; then echo "ok: $1: $3"; else
        echo "FAILED: $1: $3 in place of $2"
        failed=1
    fi
}
# has PROGRAM NAME
has() { command -v "$1" > /dev/null || { echo "skipped: $2 is not installed"; return 1; }; }
lines() { grep -c "$1" "$2" || true; }
# VLC does not run as root.
plain() {
    if [ "$(id -u)" = 0 ]; then
        mkdir -p "$folder/home"
        chown 65534:65534 "$folder/home"
        setpriv --reuid=65534 --regid=65534 --clear-groups env HOME="$folder/home" XDG_RUNTIME_DIR="$folder/home" "$@"
    else
        mkdir -p "$folder/home"
        "$@"
    fi
}

ffmpeg $quiet -f lavfi -i testsrc2=s=320x180:r=25:d=12 -f lavfi -i sine=440:d=12:r=48000 -f lavfi -i sine=660:d=12:r=48000 -map 0 -map 1 \
    -map 2 -c:v libx264 -g 50 -c:a:0 aac -c:a:1 libopus -metadata:s:a:1 language=fra "$folder/clip.mkv"
# 4 s, 4 s of another size, and the first again.
for size in 320x180 160x90; do
    ffmpeg $quiet -f lavfi -i "testsrc2=s=$size:r=25:d=4" -f lavfi -i sine=440:d=4:r=48000 -c:v libx264 -g 50 -c:a aac "$folder/$size.ts"
done
cat "$folder/320x180.ts" "$folder/160x90.ts" "$folder/320x180.ts" > "$folder/glued.ts"
serve clip "$folder/clip.mkv"
clip=$master
serve browser --audio-bridge aac "$folder/clip.mkv"
browser=$page
serve glued "$folder/glued.ts"
glued=$master

# FFmpeg takes each track whole, and each segment behind its init section.
for track in v:0 a:0 a:1; do
    seen=$(ffprobe -v error -select_streams $track -count_frames -show_entries stream=nb_read_frames -of csv=p=0 "$clip" | grep -m1 . | tr -d ,)
    wanted=$(ffprobe -v error -select_streams $track -count_frames -show_entries stream=nb_read_frames -of csv=p=0 "$folder/clip.mkv" | grep -m1 . | tr -d ,)
    # Opus frames of 20 ms become frames of E-AC-3 of 32 ms.
    [ $track != a:1 ] || wanted=376
    expect "ffmpeg: frames of $track" "$wanted" "$seen"
done
expect "ffmpeg: seconds" 12 "$(ffprobe -v error -show_entries format=duration -of csv=p=0 "$clip" | cut -d. -f1)"
seen=$(ffprobe -v error -select_streams v:0 -count_frames -show_entries stream=nb_read_frames -of csv=p=0 "$glued" | grep -m1 .)
expect "ffmpeg: frames over discontinuities" 300 "$seen"
if has curl curl; then
    base=${clip%master.m3u8} whole=0
    for track in 0 1 2; do
        curl -s "$base$track/index.m3u8" | grep -v '^#' > "$folder/list"
        while read -r segment; do
            curl -s "$base$track/init0.mp4" "$base$track/$segment" > "$folder/segment.mp4"
            [ -z "$(ffmpeg $quiet -xerror -i "$folder/segment.mp4" -f null - 2>&1)" ] && whole=$((whole + 1))
        done < "$folder/list"
    done
    expect "ffmpeg: segments that decode alone" 9 "$whole"
fi

if has mpv mpv; then
    mpv --no-config --vo=image --vo-image-outdir="$folder/mpv" --vo-image-format=jpg --ao=null --untimed --aid=2 \
        --msg-level=all=warn,cplayer=info "$clip" > "$folder/mpv.log" 2>&1 || true
    expect "mpv: frames" 300 "$(find "$folder/mpv" -name '*.jpg' | wc -l)"
    expect "mpv: second track of audio" fra "$(sed -n 's/.*(+) Audio --aid=2 --alang=\([a-z]*\).*/\1/p' "$folder/mpv.log")"
    # FFmpeg 5.1 loses its way when it seeks in HLS of MP4, also in what it has made itself: mpv is asked where FFmpeg can.
    ffmpeg $quiet -f lavfi -i testsrc2=s=64x64:d=8 -c:v libx264 -g 25 -f hls -hls_segment_type fmp4 -hls_time 2 -hls_playlist_type vod \
        -hls_segment_filename "$folder/own%d.m4s" "$folder/own.m3u8"
    if [ -z "$(ffmpeg $quiet -ss 5 -i "$folder/own.m3u8" -f null - 2>&1)" ]; then
        mpv --no-config --vo=image --vo-image-outdir="$folder/seek" --vo-image-format=jpg --ao=null --untimed --start=8 \
            --msg-level=all=warn "$clip" > "$folder/mpv.log" 2>&1 || true
        expect "mpv: frames behind a seek" 100 "$(find "$folder/seek" -name '*.jpg' | wc -l)"
    else
        echo "skipped: mpv's seek: this FFmpeg cannot seek in HLS of MP4"
    fi
fi

if has gst-launch-1.0 GStreamer; then
    for source in "clip $clip" "glued $glued"; do
        gst-launch-1.0 -v playbin3 "uri=${source#* }" \
            video-sink='fakesink name=v silent=false sync=false qos=false' audio-sink='fakesink name=a sync=false' \
            > "$folder/gst.log" 2>&1 || true
        expect "GStreamer: frames of ${source%% *}" 300 "$(lines 'GstFakeSink:v.*chain ' "$folder/gst.log")"
    done
    expect "GStreamer: hlsdemux2" yes "$(grep -q GstHLSDemux2 "$folder/gst.log" && echo yes || echo no)"
    if has gst-discoverer-1.0 gst-discoverer-1.0; then
        gst-discoverer-1.0 -v "$clip" > "$folder/gst.log" 2>&1 || true
        expect "GStreamer: duration, seeks, audio" "0:00:12 yes 2" "$(sed -n 's/^ *Duration: \([0-9:]*\).*/\1/p' "$folder/gst.log" | head -1) \
$(sed -n 's/^ *Seekable: //p' "$folder/gst.log" | head -1) $(lines 'audio #' "$folder/gst.log")"
    fi
fi

if has cvlc VLC; then
    plain cvlc -q --play-and-exit --no-audio --vout dummy --video-filter scene --scene-path "$folder/home" --scene-prefix f --scene-ratio 1 "$clip" \
        > "$folder/vlc.log" 2>&1 || true
    expect "VLC: frames" 300 "$(find "$folder/home" -name 'f*.png' | wc -l)"
    plain cvlc -q --play-and-exit --sout-all --sout "#std{access=file,mux=mkv,dst=$folder/home/all.mkv}" "$clip" > "$folder/vlc.log" 2>&1 || true
    expect "VLC: tracks of audio" 2 "$(ffprobe -v error -select_streams a -show_entries stream=index -of csv=p=0 "$folder/home/all.mkv" | grep -c .)"
    plain cvlc -q --play-and-exit --start-time 8 --sout "#std{access=file,mux=mkv,dst=$folder/home/seek.mkv}" "$clip" > "$folder/vlc.log" 2>&1 || true
    seen=$(ffprobe -v error -show_entries format=duration -of csv=p=0 "$folder/home/seek.mkv" | cut -c1-3)
    expect "VLC: seconds behind a seek" 3.9 "$seen"
fi

if has chromium Chromium && has python3 python3; then
    for only in "" 1; do
        if WITHOUT_HLS=$only timeout 180 python3 "$scripts/watch-in-chromium.py" "$browser" 12 ${PICTURE:+"$PICTURE"} > "$folder/chromium.log" 2>&1; then
            echo "ok: Chromium: $(cat "$folder/chromium.log")"
        else
            echo "FAILED: Chromium: $(tail -1 "$folder/chromium.log")"
            failed=1
        fi
    done
fi
exit $failed
