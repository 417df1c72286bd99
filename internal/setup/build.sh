#!/bin/sh
# Builds the program $1 by the other arguments of go build. The file keeps its time if its
# content is the same: go build gives it a new one, and go test then repeats the tests that use it.
set -eu
. internal/setup/go.sh
program=$1
shift
was=$(cksum "$program" 2>/dev/null || true)
trap 'rm -f "$program.time"' EXIT
[ -z "$was" ] || touch -r "$program" "$program.time"
go build -o "$program" "$@"
if [ "$was" = "$(cksum "$program")" ]; then
	touch -r "$program.time" "$program"
fi
