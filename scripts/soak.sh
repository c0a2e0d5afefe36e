#!/bin/sh
# Two hours of video: all frames as fast as they are decoded, then with audio at four times the speed (half an hour, or the seconds
# given). Fails where memory has grown by more than 2 MB, or a thread or descriptor is left over.
set -eu
cd "$(dirname "$0")/.."
clip=demo/soak.mkv
if [ ! -e "$clip" ]; then
    mkdir -p demo
    draft=$(mktemp -d)
    trap 'rm -r "$draft"' EXIT
    ffmpeg -v error -nostdin -f lavfi -i testsrc2=s=160x90:r=25:d=60 -f lavfi -i sine=r=48000:d=60 -c:v libx264 -preset veryfast \
        -g 50 -pix_fmt yuv420p -c:a aac "$draft/minute.mkv"
    i=0
    while [ $i -lt 3600 ]; do
        printf '%d\n%02d:%02d:%02d,000 --> %02d:%02d:%02d,500\nWhat somebody says in line %d\n\n' $i \
            $((i / 1800)) $((i / 30 % 60)) $((i * 2 % 60)) $((i / 1800)) $((i / 30 % 60)) $((i * 2 % 60 + 1)) $i
        i=$((i + 1))
    done > "$draft/words.srt"
    ffmpeg -v error -nostdin -stream_loop 119 -i "$draft/minute.mkv" -i "$draft/words.srt" -map 0 -map 1 -c copy "$draft/soak.mkv"
    mv "$draft/soak.mkv" "$clip"
fi
swift build -c release --product aether-bench-soak
bench=$(swift build -c release --show-bin-path)/aether-bench-soak
"$bench" "$clip" untimed
"$bench" "$clip" 4 "${1:-1800}"
