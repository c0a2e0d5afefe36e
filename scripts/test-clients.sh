#!/bin/sh
# Players of others take what aetherctl serves: scripts/test-clients.sh [SOURCE]. One that is not installed is skipped, and said so.
set -eu
cd "$(dirname "$0")/.."
control=${AETHER_BIN:-.build/release}/aetherctl
[ -x "$control" ] || control=.build/debug/aetherctl
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf "$folder"' EXIT
source=${1:-$folder/clip.mkv}
[ $# -gt 0 ] || ffmpeg -hide_banner -loglevel error -nostdin -f lavfi -i testsrc2=s=320x180:r=25:d=12 -f lavfi -i sine=440:d=12 \
    -f lavfi -i sine=660:d=12 -map 0 -map 1 -map 2 -c:v libx264 -g 50 -c:a:0 aac -c:a:1 libopus -metadata:s:a:1 language=fra "$source"
mkfifo "$folder/addresses"
"$control" serve "$source" > "$folder/addresses" &
server=$!
exec 3< "$folder/addresses"
read -r page <&3
read -r master <&3
failed=0
try() {
    name=$1
    shift
    command -v "$1" > /dev/null || { echo "skipped: $name is not installed"; return; }
    if timeout 120 "$@" > "$folder/$name.log" 2>&1; then echo "ok: $name"; else
        echo "FAILED: $name"
        tail -5 "$folder/$name.log"
        failed=1
    fi
}
try ffmpeg ffmpeg -hide_banner -loglevel error -xerror -i "$master" -map 0 -f null -
try ffprobe ffprobe -hide_banner -loglevel error -show_streams "$master"
try mpv mpv --no-config --vo=null --ao=null --untimed --msg-level=all=warn "$master"
# FFmpeg 5.1 loses its way when it seeks in HLS of MP4, also in what it has made itself: mpv is asked where FFmpeg can.
ffmpeg -hide_banner -loglevel error -nostdin -f lavfi -i testsrc2=s=64x64:d=8 -c:v libx264 -g 25 -f hls -hls_segment_type fmp4 -hls_time 2 \
    -hls_playlist_type vod -hls_segment_filename "$folder/own%d.m4s" "$folder/own.m3u8"
if [ -z "$(ffmpeg -hide_banner -loglevel error -nostdin -ss 5 -i "$folder/own.m3u8" -f null - 2>&1)" ]; then
    try mpv-seek mpv --no-config --vo=null --ao=null --start=50% --frames=20 --msg-level=all=warn "$master"
else
    echo "skipped: mpv-seek: this FFmpeg cannot seek in HLS of MP4"
fi
try gstreamer gst-launch-1.0 -q playbin3 "uri=$master" video-sink=fakesink audio-sink=fakesink
try vlc cvlc --play-and-exit --vout=dummy --aout=dummy "$master"
try chromium chromium --headless --no-sandbox --virtual-time-budget=10000 --dump-dom "$page"
exit $failed
