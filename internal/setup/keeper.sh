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
mv -f "$new" $program/keeper
git rev-parse HEAD >$program/made-from 2>/dev/null || : >$program/made-from
