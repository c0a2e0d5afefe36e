#!/bin/sh
# Fetches the Swift toolchain of swift.org for this distribution and unpacks it for this person alone, after asking. scripts/setup.sh
# starts it where `swift` is missing or too old; scripts/swift-path.sh finds what it has unpacked.
#
#   AETHER_FETCH_SWIFT=yes|no   the answer, where nobody is asked
#   XDG_DATA_HOME               it is unpacked in $XDG_DATA_HOME/aether-tui/swift, by default below ~/.local/share
# For scripts/setup-swift-test.sh:
#   SWIFT_SITE, SWIFT_KEYS      the server of the archives, and the address of the public keys
#   SWIFT_FINGERPRINTS          the keys that may sign
#   OS_RELEASE                  the file that says which distribution this is
set -eu

release=6.3.1
site=${SWIFT_SITE:-https://download.swift.org}
keys=${SWIFT_KEYS:-https://www.swift.org/keys/all-keys.asc}
# Swift 6.x's and 5.x's release signing keys. What the server names as keys is believed for these only.
fingerprints=${SWIFT_FINGERPRINTS:-52BB7E3DE28A71BE22EC05FFEF80A866B47A981F E813C892820A6FA13755B268F167DF1ACF9CE069}
# An archive of 0.9 GB becomes 3.3 GB beside it.
times_larger=5

say() { printf 'setup: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }
by_hand="https://www.swift.org/install/linux/"

for tool in curl gpg tar gzip; do
    command -v "$tool" > /dev/null || fail "$tool is needed to fetch Swift; or install Swift yourself: $by_hand"
done
data=${XDG_DATA_HOME:-${HOME:?HOME is not set}/.local/share}/aether-tui

# The names that swift.org has for this distribution, the best first: its own, then one that it is compatible with.
. "${OS_RELEASE:-/etc/os-release}"
case ${ID:-}-${VERSION_ID:-} in
debian-12) platforms=debian12 ;;
debian-*) platforms="debian${VERSION_ID:-13} debian12" ;;
ubuntu-22.04 | ubuntu-24.04) platforms=ubuntu$VERSION_ID ;;
ubuntu-*) platforms="ubuntu$VERSION_ID ubuntu24.04" ;;
fedora-*) platforms="fedora$VERSION_ID fedora41 fedora39" ;;
*) fail "swift.org has no release for ${PRETTY_NAME:-this distribution} that is known here: please install Swift 6.2 or later, $by_hand" ;;
esac
case $(uname -m) in
x86_64) suffix= ;;
aarch64) suffix=-aarch64 ;;
*) fail "swift.org has no release for $(uname -m): please install Swift 6.2 or later, $by_hand" ;;
esac

# The size of what lies at an address; nothing where there is nothing.
size_of() {
    curl -fsSIL --max-time 30 --proto '=https,http' "$1" 2> /dev/null | tr -d '\r' |
        awk 'tolower($1) == "content-length:" { size = $2 } END { if (size > 0) print size }'
}
address='' size=''
for platform in $platforms; do
    folder=$(printf '%s' "$platform" | tr -d .)$suffix
    address=$site/swift-$release-release/$folder/swift-$release-RELEASE/swift-$release-RELEASE-$platform$suffix.tar.gz
    size=$(size_of "$address")
    [ -z "$size" ] || break
done
[ -n "$size" ] || fail "$site does not answer, or has no Swift $release for $platforms$suffix. Try again, or install Swift 6.2 or later yourself: $by_hand"

# Megabytes, at least one.
megabytes() { echo $(($1 / 1000000 + 1)); }
say "Swift 6.2 or later is needed to build aether-tui, and is not here."
say "swift.org's Swift $release for $platform$suffix can be fetched: $(megabytes "$size") MB from $address,"
say "checked by its signature, unpacked ($(megabytes $((size * (times_larger - 1)))) MB) in $data/swift, used by make alone. Nothing else is changed."
case ${AETHER_FETCH_SWIFT:-} in
yes) ;;
'')
    [ -t 0 ] || fail "there is no terminal to ask at. AETHER_FETCH_SWIFT=yes says yes; SWIFT=/path/to/swift names another; or install it: $by_hand"
    printf 'setup: fetch it? [y/N] ' >&2
    read -r answer || answer=
    case $answer in
    y | Y | yes | Yes | j | ja) ;;
    *) fail "nothing was fetched. To install Swift yourself: $by_hand" ;;
    esac
    ;;
*) fail "AETHER_FETCH_SWIFT is \"$AETHER_FETCH_SWIFT\": nothing was fetched. To install Swift yourself: $by_hand" ;;
esac

mkdir -p "$data"
room=$(df -Pk "$data" | awk 'NR == 2 { print $4 }')
needed=$((size * times_larger / 1024))
[ "${room:-0}" -ge "$needed" ] ||
    fail "$data has $((${room:-0} / 1000)) MB left, and Swift needs $((needed / 1000)) MB. XDG_DATA_HOME=FOLDER names another place."

archive=$data/swift-$release-$platform$suffix.tar.gz
work=$(mktemp -d)
new=$data/swift.new.$$
trap 'rm -rf "$work" "$new"' EXIT
trap 'exit 1' INT TERM HUP
quiet=-sS
[ ! -t 2 ] || quiet=--progress-bar

# What an earlier try has brought is gone on with.
[ "$(stat -c %s "$archive" 2> /dev/null || echo 0)" = "$size" ] ||
    curl -fL $quiet --proto '=https,http' -C - --speed-limit 1000 --speed-time 60 -o "$archive" "$address" ||
    fail "the download broke off. What came is kept: start it again to go on."
got=$(stat -c %s "$archive")
[ "$got" = "$size" ] || { rm -f "$archive"; fail "$address gave $got bytes in the place of $size. Please try again."; }
curl -fsSL --proto '=https,http' --max-time 60 --max-filesize 100000 -o "$work/sig" "$address.sig" || fail "there is no signature at $address.sig: nothing was unpacked"
curl -fsSL --proto '=https,http' --max-time 60 --max-filesize 1000000 -o "$work/keys" "$keys" || fail "swift.org's keys cannot be had from $keys: nothing was unpacked"

# A ring of keys of its own: the person's is left alone.
mkdir -m 700 "$work/gnupg"
gpg_here() { gpg --homedir "$work/gnupg" --batch --quiet --no-autostart "$@"; }
gpg_here --import "$work/keys" 2> "$work/import.log" || :
signed=
if gpg_here --status-fd 3 --verify "$work/sig" "$archive" 3> "$work/status" > /dev/null 2> "$work/verify.log"; then
    # The last word of VALIDSIG is the fingerprint of the primary key.
    signer=$(awk '$2 == "VALIDSIG" { print $NF }' "$work/status" | head -n 1)
    for fingerprint in $fingerprints; do [ "$signer" != "$fingerprint" ] || signed=yes; done
fi
if [ -z "$signed" ]; then
    rm -f "$archive"
    fail "the signature of $address is not swift.org's. The file was removed, nothing was unpacked. To install Swift yourself: $by_hand"
fi

say "unpacking"
mkdir "$new"
tar -xzf "$archive" -C "$new" --strip-components=1 --no-same-owner || fail "the archive cannot be unpacked in $data"
version=$("$new/usr/bin/swift" --version 2> "$work/run.log" | sed -n 's/.*\(Swift version [0-9.]*\).*/\1/p' | head -n 1)
[ -n "$version" ] || { cat "$work/run.log" >&2; fail "the unpacked Swift does not run here: please install Swift 6.2 or later, $by_hand"; }
rm -rf "$data/swift"
mv "$new" "$data/swift"
rm -f "$archive"
say "$version is in $data/swift. To be rid of it again: rm -r $data/swift"
