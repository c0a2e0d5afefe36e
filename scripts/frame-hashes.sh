#!/bin/sh
# A line for each frame of the videos in a folder, or of one file: name, time, hash of its pixels. Two systems have decoded and converted alike where
# their lists are the same (scripts/test-system.sh).
#   scripts/frame-hashes.sh AETHERCTL FOLDER|FILE
# UNTIL: seconds of each, 5. What does not play, as encrypted media without a key, has no line.
set -eu
program=$1 place=$2
ls_videos() {
    [ ! -f "$place" ] || { echo "$place"; return; }
    find "$place" -type f -size -20M | grep -E '\.(mkv|webm|mp4|m4v|mov|MOV|avi|flv|ts|m2ts|mpg|ogv|3gp|264|h264|265|obu|ivf|y4m|gif|apng|avif|dv|mxf|wmv|asf)$' | LC_ALL=C sort
}
ls_videos | while read -r file; do
    # A file that is read for ever ends by the clock, as its own failure.
    timeout 60 "$program" play --untimed --audio none --sink hash --until "${UNTIL:-5}" "$file" 2> /dev/null < /dev/null |
        sed "s|^|${file#"$place"/} |" || :
done
