#!/bin/sh
# Prints the PATH for the tests. If python3 is a shim of a version manager, the folder of the
# interpreter comes first. A shim of pyenv runs a dozen programs before Python starts: with
# them, a server took twice the processor time.
set -eu
case $(command -v python3) in
*/shims/python3) PATH=$(python3 -c 'import os, sys; print(os.path.dirname(sys.executable))'):$PATH ;;
esac
echo "$PATH"
