#!/bin/sh
# Installs the tools of the tests into .tools, which git ignores: the official Python SDK
# in both major versions, the official TypeScript SDK, the reference servers and a recent
# Node.js. It installs each part once, and again when its list changes.
set -eu
sh internal/setup/packages.sh test
mkdir -p .tools

venv() { # folder, list
	cmp -s "$2" "$1/made-from" && return
	echo "Creating $1 from $2." >&2
	rm -rf "$1"
	python3 -m venv "$1"
	"$1/bin/pip" install --quiet --disable-pip-version-check -r "$2"
	cp "$2" "$1/made-from"
}
venv .tools/venv internal/setup/requirements.txt
venv .tools/venv-v1 internal/setup/requirements-v1.txt

if ! cmp -s internal/setup/package.json .tools/made-from; then
	echo 'Installing the npm packages of internal/setup/package.json.' >&2
	cp internal/setup/package.json .tools/package.json
	npm install --prefix .tools --no-audit --no-fund --no-package-lock --loglevel=error >&2
	cp internal/setup/package.json .tools/made-from
fi
