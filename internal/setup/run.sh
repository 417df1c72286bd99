#!/bin/sh
# Builds goated and starts it: the window if there is a display and the tools to build
# it, else the terminal chat, with the reason.
set -eu
. internal/setup/go.sh
sh internal/setup/keeper.sh

why=
case $(uname -s) in
Linux | *BSD) [ -n "${DISPLAY:-}" ] || why='There is no display (DISPLAY is not set)' ;;
esac
[ -n "$why" ] || sh internal/setup/packages.sh window || why='The window can not be built on this system'
[ -n "$why" ] || command -v "${CC:-cc}" >/dev/null 2>&1 || command -v gcc >/dev/null 2>&1 || why='There is no C compiler'
if [ -z "$why" ]; then
	[ -x bin/goated ] || echo 'Building the window. The first time, this takes some minutes.' >&2
	if CGO_ENABLED=1 go build -o bin/goated ./cmd/goated; then
		exec bin/goated "$@"
	fi
	why='The window could not be built'
fi
echo "$why, so goated starts the terminal chat." >&2
[ -x bin/goated-headless ] || echo 'Building the terminal chat. The first time, this takes some minutes.' >&2
CGO_ENABLED=0 go build -tags headless -o bin/goated-headless ./cmd/goated
exec bin/goated-headless chat "$@"
