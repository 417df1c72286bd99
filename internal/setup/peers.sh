#!/bin/sh
# Installs the npm packages that "make bench" measures goated beside into .tools/peers,
# once, and again when their list changes.
set -eu
list=internal/bench/testdata/peers/package.json
cmp -s "$list" .tools/peers/made-from && exit
echo "Installing the npm packages of $list." >&2
mkdir -p .tools/peers
cp "$list" .tools/peers/package.json
npm install --prefix .tools/peers --no-audit --no-fund --no-package-lock --legacy-peer-deps --loglevel=error >&2
cp "$list" .tools/peers/made-from
