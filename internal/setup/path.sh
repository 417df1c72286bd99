#!/bin/sh
# Prints the PATH for the tests. The Python of the tools comes first. It has no modules of the
# user, some of which Python may load at each start, and it is no shim of a version manager, which
# runs a dozen programs before Python starts: with either, a server took several times the
# processor time.
set -eu
tools=$(cd "$(dirname "$0")/../.." && pwd)/.tools/venv/bin
if [ -x "$tools/python3" ]; then
	PATH=$tools:$PATH
fi
echo "$PATH"
