#!/bin/sh
# Installs uv, which make reach needs for uvx, into .tools/reach, and runs a command.
set -eu
if [ ! -x .tools/reach/bin/uvx ]; then
	echo 'Installing uv into .tools/reach.' >&2
	python3 -m venv .tools/reach
	.tools/reach/bin/pip install --quiet --disable-pip-version-check uv
fi
exec env "$@"
