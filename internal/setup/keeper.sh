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
# go test repeats the tests that list a folder in which a file was made, so a keeper that is the
# same touches nothing here.
made=$(mktemp -d)
new=$program.$$
trap 'rm -rf "$made" "$new"' EXIT
CGO_ENABLED=0 go build -buildvcs=false -ldflags='-s -w' -o "$made/keeper" ./cmd/keeper
if ! cmp -s "$made/keeper" $program/keeper; then
	# A build of goated at the same time must not embed half of a file.
	cp "$made/keeper" "$new"
	mv -f "$new" $program/keeper
fi
from=$(git rev-parse HEAD 2>/dev/null || true)
[ "$from" = "$(cat $program/made-from 2>/dev/null)" ] && [ -f $program/made-from ] || echo "$from" >$program/made-from
