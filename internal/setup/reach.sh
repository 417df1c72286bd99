#!/bin/sh
# Installs uv, which make reach needs for uvx, into .tools/reach, and runs a command. Servers
# run with the Node of the tests: before version 22, Node's fetch knows no proxy, and the
# stand-ins of public services are behind one.
set -eu
if [ ! -x .tools/reach/bin/uvx ]; then
	echo 'Installing uv into .tools/reach.' >&2
	python3 -m venv .tools/reach
	.tools/reach/bin/pip install --quiet --disable-pip-version-check uv
fi
ln -sf ../../node_modules/.bin/node .tools/reach/bin/node
exec env "$@"
