#!/bin/sh
# Builds Examples/, a package of its own that depends on this one, and runs both programs on the demo clip.
#   scripts/test-examples.sh [BUILD OPTION...]     as `-c release`
set -eu
cd "$(dirname "$0")/.."
scripts/demo-clip.sh demo/demo.mkv
[ "$(grep -c '' Examples/Sources/MinimalPlayer/MinimalPlayer.swift)" -le 90 ] || { echo "test-examples: the minimal player has over 90 lines"; exit 1; }
if grep -hE '^ *(@[a-z_]+ )?(public |internal )?import ' Examples/Sources/*/*.swift | grep -vE 'import (AetherEngine|Glibc|Synchronization)$'; then
    echo "test-examples: import AetherEngine alone is not enough"
    exit 1
fi
# The versions of the house, so that nothing else is fetched.
[ ! -e Package.resolved ] || cp Package.resolved Examples/Package.resolved
swift build --package-path Examples "$@"
bin=$(swift build --package-path Examples --show-bin-path "$@")

work=$(mktemp -d)
server=
leave() { [ -z "$server" ] || kill "$server" 2> /dev/null || :; rm -rf "$work"; }
trap leave EXIT
trap 'exit 1' INT TERM HUP

# Three answers, then it ends by itself.
"$bin/FrameServer" demo/demo.mkv 0 3 > "$work/address" 2> "$work/server.log" &
server=$!
tries=0
until [ -s "$work/address" ]; do
    tries=$((tries + 1))
    [ "$tries" -lt 200 ] || { cat "$work/server.log"; echo "test-examples: no server"; exit 1; }
    sleep 0.05
done
address=$(head -n 1 "$work/address")
fetch() { curl -sS --noproxy '*' --max-time 30 -o "$work/body" -w '%{http_code} %{content_type}' "$1"; }
[ "$(fetch "$address")" = "200 text/html" ] && grep -q '<img' "$work/body" || { echo "test-examples: no page"; exit 1; }
[ "$(fetch "${address}12.5")" = "200 image/jpeg" ] || { cat "$work/body"; echo "test-examples: no still"; exit 1; }
[ "$(ffprobe -v error -show_entries stream=codec_name,width -of csv=p=0 "$work/body")" = mjpeg,640 ] || { echo "test-examples: no JPEG"; exit 1; }
[ "$(fetch "${address}nonsense")" = "404 text/plain" ] || { echo "test-examples: nonsense is answered"; exit 1; }
wait "$server" || { echo "test-examples: the server ended badly"; exit 1; }
server=

# The player on a terminal of its own: half-blocks come, and `q` ends it with the screen given back.
printf 'pcm.!default { type null }\n' > "$work/asound.conf"
(sleep 3; printf q) | timeout 60 script -qec "stty cols 80 rows 24; ALSA_CONFIG_PATH=$work/asound.conf '$bin/MinimalPlayer' demo/demo.mkv" "$work/typescript" > /dev/null
[ "$(grep -o '▀' "$work/typescript" | wc -l)" -gt 1000 ] || { echo "test-examples: the player shows nothing"; exit 1; }
grep -qF "$(printf '\033[?1049l')" "$work/typescript" || { echo "test-examples: the screen is not given back"; exit 1; }
echo "test-examples: all passed"
