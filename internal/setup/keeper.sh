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
CGO_ENABLED=0 go build -buildvcs=false -ldflags='-s -w' -o $program/keeper ./cmd/keeper
git rev-parse HEAD >$program/made-from 2>/dev/null || : >$program/made-from
