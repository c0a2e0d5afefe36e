#!/bin/sh
# The translations in po/: CONTRIBUTING.md says how they are made.
#   scripts/catalogue.sh compile FOLDER     FOLDER/LANGUAGE/LC_MESSAGES/aether-tui.mo of each catalogue
#   scripts/catalogue.sh merge              takes the sentences of po/aether-tui.pot into each catalogue
set -eu
cd "$(dirname "$0")/.."
say() { printf 'catalogue: %s\n' "$*" >&2; }
need() { command -v "$1" > /dev/null || { say "$1 is missing: sudo apt-get install gettext"; exit 1; }; }

case ${1:-} in
compile)
    need msgfmt
    for catalogue in po/*.po; do
        language=$(basename "$catalogue" .po)
        install -d "$2/$language/LC_MESSAGES"
        msgfmt --check-format -o "$2/$language/LC_MESSAGES/aether-tui.mo" "$catalogue"
        chmod 644 "$2/$language/LC_MESSAGES/aether-tui.mo"
    done
    ;;
merge)
    need msgmerge
    for catalogue in po/*.po; do
        msgmerge --quiet --update --backup=none --no-fuzzy-matching --no-wrap "$catalogue" po/aether-tui.pot
        # What no source says any more goes.
        msgattrib --no-obsolete --no-wrap -o "$catalogue" "$catalogue"
        say "$catalogue: $(msgattrib --untranslated "$catalogue" | grep -c '^msgid "." *\|^msgid "..' || :) sentences to be translated"
    done
    ;;
*) echo "usage: scripts/catalogue.sh compile FOLDER | merge" >&2; exit 64 ;;
esac
