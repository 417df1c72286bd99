#!/bin/sh
# Builds the keeper that goated embeds, for the same system as goated. Without it, goated is
# its own keeper.
set -eu
. internal/setup/go.sh
program=internal/keeper/program
if [ "$(go env GOOS)" != linux ]; then
	rm -f $program/keeper $program/made-from
	exit 0
fi
# A build of goated at the same time must not embed half of a file.
new=$program.$$
trap 'rm -f "$new"' EXIT
CGO_ENABLED=0 go build -buildvcs=false -ldflags='-s -w' -o "$new" ./cmd/keeper
from=$(git rev-parse HEAD 2>/dev/null || true)
# go test repeats the tests that open a file with another time.
cmp -s "$new" $program/keeper || mv -f "$new" $program/keeper
[ "$from" = "$(cat $program/made-from 2>/dev/null)" ] && [ -f $program/made-from ] || echo "$from" >$program/made-from
