#!/bin/sh
# Proves scripts/setup-swift.sh and scripts/swift-path.sh: with a server on this machine, a made-up toolchain, and a signature by a key of its
# own. Nothing is fetched from elsewhere.
set -eu
cd "$(dirname "$0")/.."
for tool in perl gpg gpg-agent curl; do
    command -v "$tool" > /dev/null || { echo "setup-swift-test: skipped, no $tool here"; exit 0; }
done
folder=$(mktemp -d)
server=
leave() {
    [ -z "$server" ] || kill "$server" 2> /dev/null || :
    gpgconf --homedir "$folder/gnupg" --kill all 2> /dev/null || :
    rm -rf "$folder"
}
trap leave EXIT
trap 'exit 1' INT TERM HUP

# ---- what is served ----

machine=$(uname -m)
suffix=
[ "$machine" = x86_64 ] || suffix=-$machine
release=$(sed -n 's/^release=//p' scripts/setup-swift.sh)
mkdir -p "$folder/gnupg" "$folder/www" "$folder/top/swift-x/usr/bin" "$folder/bin"
chmod 700 "$folder/gnupg"
printf '#!/bin/sh\necho "Swift version %s (swift-%s-RELEASE)"\n' "$release" "$release" > "$folder/top/swift-x/usr/bin/swift"
chmod 755 "$folder/top/swift-x/usr/bin/swift"
# So large that a broken download has a half.
dd if=/dev/urandom of="$folder/top/swift-x/filler" bs=1024 count=600 2> /dev/null

gpg_here() { gpg --homedir "$folder/gnupg" --batch --quiet --pinentry-mode loopback --passphrase '' "$@" 2>> "$folder/gpg.log"; }
make_key() {
    gpg_here --quick-generate-key "$1 <$1@example.org>" ed25519 sign never &&
        gpg_here --with-colons --list-keys "$1@example.org" | awk -F: '$1 == "fpr" { print $10; exit }'
}
ours=$(make_key ours) && theirs=$(make_key theirs) || { cat "$folder/gpg.log" >&2; exit 1; }
gpg_here --armor --export > "$folder/www/keys.asc"

# site NAME PLATFORM KEY: a server's folder with a signed archive.
site() {
    place=$folder/www/$1/swift-$release-release/$(printf '%s' "$2" | tr -d .)$suffix/swift-$release-RELEASE
    mkdir -p "$place"
    archive=$place/swift-$release-RELEASE-$2$suffix.tar.gz
    tar -C "$folder/top" -czf "$archive" swift-x
    gpg_here --local-user "$3" --detach-sign --output "$archive.sig" "$archive"
}
site good debian12 "$ours"
site good ubuntu24.04 "$ours"
site forged debian12 "$theirs"
site changed debian12 "$ours"
printf x >> "$archive"
site broken debian12 "$ours"

# GET and HEAD with Range. Below /broken/ the first answer of an archive ends in the middle.
cat > "$folder/server.pl" << 'EOF'
use strict; use IO::Socket::INET;
my ($root, $note) = @ARGV;
my $listener = IO::Socket::INET->new(LocalAddr => "127.0.0.1", Listen => 8, ReuseAddr => 1) or die;
open(my $out, ">", "$note.new") or die; print $out $listener->sockport; close $out; rename "$note.new", $note;
my $broken = 0;
while (my $client = $listener->accept) {
    my $request = <$client>; my $from = 0;
    while (my $line = <$client>) { $from = $1 if $line =~ /^Range: bytes=(\d+)-/i; last if $line =~ /^\r?$/; }
    my ($method, $path) = $request =~ m{^(GET|HEAD) /(\S*) };
    my $body;
    if (defined $path && open(my $in, "<:raw", "$root/$path")) { local $/; $body = <$in>; }
    if (!defined $body) { print $client "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"; close $client; next; }
    my $all = length $body; $body = substr($body, $from);
    print $client $from ? "HTTP/1.1 206 Partial\r\nContent-Range: bytes $from-" . ($all - 1) . "/$all\r\n" : "HTTP/1.1 200 OK\r\n";
    print $client "Accept-Ranges: bytes\r\nConnection: close\r\nContent-Length: " . length($body) . "\r\n\r\n";
    $body = substr($body, 0, length($body) / 2) if $path =~ m{^broken/.*gz$} && $method eq "GET" && !$broken++;
    print $client $body if $method eq "GET";
    close $client;
}
EOF
perl "$folder/server.pl" "$folder/www" "$folder/port" 2> "$folder/server.log" &
server=$!
tries=0
# The port is there within milliseconds.
until [ -s "$folder/port" ]; do
    tries=$((tries + 1))
    [ "$tries" -lt 200 ] || { echo "setup-swift-test: no server"; cat "$folder/server.log"; exit 1; }
    sleep 0.05
done
address=http://127.0.0.1:$(cat "$folder/port")

# ---- the cases ----

printf 'ID=debian\nVERSION_ID="12"\n' > "$folder/debian12"
printf 'ID=debian\nVERSION_ID="13"\n' > "$folder/debian13"
printf 'ID=ubuntu\nVERSION_ID="24.04"\n' > "$folder/ubuntu24.04"
printf 'ID=plan9\nPRETTY_NAME="Plan 9"\n' > "$folder/plan9"
# try SITE DISTRIBUTION [VARIABLE=VALUE...]: no terminal; what it says is in said.
try() {
    served=$1 distribution=$2
    shift 2
    status=0
    env XDG_DATA_HOME="$folder/data" SWIFT_SITE="$address/$served" SWIFT_KEYS="$address/keys.asc" SWIFT_FINGERPRINTS="$ours" \
        OS_RELEASE="$folder/$distribution" no_proxy=127.0.0.1 PATH="$folder/bin:$PATH" AETHER_FETCH_SWIFT= "$@" \
        scripts/setup-swift.sh < /dev/null > "$folder/said" 2>&1 || status=$?
}
unpacked=$folder/data/aether-tui/swift
# expect TITLE STATUS TEXT installed|absent
expect() {
    there=absent
    [ ! -e "$unpacked" ] || there=installed
    if [ "$status" -ne "$2" ] || ! grep -qF -- "$3" "$folder/said" || [ "$there" != "$4" ]; then
        echo "setup-swift-test: $1: status $status and $there, wanted $2, $4 and \"$3\" in"
        cat "$folder/said"
        exit 1
    fi
    if ls -d "$folder"/data/aether-tui/swift.new* > /dev/null 2>&1; then echo "setup-swift-test: $1: half a toolchain was left"; exit 1; fi
}
afresh() { rm -rf "$folder/data"; }

try good debian12
expect "nobody to ask" 1 "AETHER_FETCH_SWIFT=yes says yes" absent
grep -q "1 MB from $address/good" "$folder/said" || { echo "setup-swift-test: neither size nor place are said"; cat "$folder/said"; exit 1; }
try good debian12 AETHER_FETCH_SWIFT=no
expect "no" 1 "nothing was fetched" absent
try good debian12 AETHER_FETCH_SWIFT=yes
expect "yes" 0 "Swift version $release is in" installed
[ "$(XDG_DATA_HOME=$folder/data PATH=/usr/bin:/bin scripts/swift-path.sh version)" = "$(echo "$release" | awk -F. '{ print $1, $2 }')" ] ||
    { echo "setup-swift-test: the unpacked swift is not found"; exit 1; }
afresh
try good ubuntu24.04 AETHER_FETCH_SWIFT=yes
expect "a platform with a dot in its name" 0 "is in" installed
afresh
try good debian13 AETHER_FETCH_SWIFT=yes
expect "a distribution that is served by an older one's" 0 "debian12" installed
afresh
try good plan9 AETHER_FETCH_SWIFT=yes
expect "a distribution that nobody serves" 1 "no release for Plan 9" absent
try absent debian12 AETHER_FETCH_SWIFT=yes
expect "a server without it" 1 "does not answer, or has no Swift" absent
try forged debian12 AETHER_FETCH_SWIFT=yes
expect "a signature of another key" 1 "is not swift.org's" absent
try changed debian12 AETHER_FETCH_SWIFT=yes
expect "a changed archive" 1 "is not swift.org's" absent
try broken debian12 AETHER_FETCH_SWIFT=yes
expect "a download that breaks off" 1 "broke off" absent
try broken debian12 AETHER_FETCH_SWIFT=yes
expect "the same, gone on with" 0 "is in" installed
afresh
printf '#!/bin/sh\nprintf "a b c d\\n/dev/x 9 9 100 1%% /\\n"\n' > "$folder/bin/df"
chmod +x "$folder/bin/df"
try good debian12 AETHER_FETCH_SWIFT=yes
expect "a full disk" 1 "0 MB left, and Swift needs" absent
rm "$folder/bin/df"

# On a terminal it asks.
if command -v script > /dev/null; then
    answer() {
        status=0
        printf '%s\n' "$1" | env XDG_DATA_HOME="$folder/data" SWIFT_SITE="$address/good" SWIFT_KEYS="$address/keys.asc" \
            SWIFT_FINGERPRINTS="$ours" OS_RELEASE="$folder/debian12" no_proxy=127.0.0.1 AETHER_FETCH_SWIFT= \
            script -qec scripts/setup-swift.sh /dev/null > "$folder/said" 2>&1 || status=$?
    }
    answer n
    expect "no, on a terminal" 1 "fetch it? [y/N]" absent
    answer y
    expect "yes, on a terminal" 0 "is in" installed
    afresh
fi

# ---- which swift ----

old=$folder/old
mkdir -p "$old"
printf '#!/bin/sh\necho "Swift version 5.9.2"\n' > "$old/swift"
chmod +x "$old/swift"
try good debian12 AETHER_FETCH_SWIFT=yes
path_of() { env XDG_DATA_HOME="$folder/data" "$@" scripts/swift-path.sh | cut -d: -f1; }
[ "$(path_of PATH="$old:/usr/bin:/bin")" = "$unpacked/usr/bin" ] || { echo "setup-swift-test: an old swift goes before the unpacked one"; exit 1; }
printf '#!/bin/sh\necho "Swift version 6.2"\n' > "$old/swift"
[ "$(path_of PATH="$old:/usr/bin:/bin")" = "$old" ] || { echo "setup-swift-test: one that is new enough does not go first"; exit 1; }
[ "$(path_of PATH="/usr/bin:/bin" SWIFT="$old/swift")" = "$old" ] || { echo "setup-swift-test: SWIFT does not override"; exit 1; }
echo "setup-swift-test: all passed"
