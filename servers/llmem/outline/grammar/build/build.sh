#!/bin/sh
# Builds the grammars: a WebAssembly module for each language, from tree-sitter's core, the
# grammar and shim.c. It needs python3 with venv, npm and zstd, and about a gigabyte in a
# temporary folder. "build.sh check" builds them and compares with what is here.
#
# Ordinary builds of goated need none of this: the modules are in the repository.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet ziglang==0.17.1
"$work/venv/bin/pip" download --quiet --no-deps --no-binary :all: tree-sitter==0.26.1 -d "$work"
mkdir "$work/core" "$work/out"
tar xzf "$work"/tree_sitter-0.26.1.tar.gz -C "$work/core" --strip-components=1
lib=$(dirname "$(dirname "$(find "$work/core" -name lib.c)")")
cp "$here/shim.c" "$work/shim.c"
while read -r language package version folder function; do
	case $language in \#*) continue ;; esac
	grammar="$work/grammar"
	rm -rf "$grammar" && mkdir "$grammar"
	(cd "$work" && tar xzf "$(npm pack --silent "$package@$version")" -C grammar --strip-components=1)
	scanner=
	[ ! -f "$grammar/$folder/scanner.c" ] || scanner="$grammar/$folder/scanner.c"
	# From its folder, so that no path of this machine is compiled in.
	(cd "$work" && venv/bin/python -m ziglang cc -target wasm32-wasi -mexec-model=reactor -Os -DNDEBUG -DGRAMMAR="$function" \
		-D_POSIX_C_SOURCE=200112L -D_DEFAULT_SOURCE -I"$lib/include" -I"$lib/src" -I"$grammar/$folder" \
		shim.c "$lib/src/lib.c" "$grammar/$folder/parser.c" $scanner -Wl,--strip-all -o "out/$language.wasm")
	zstd --quiet --ultra -22 --force "$work/out/$language.wasm" -o "$work/out/$language.wasm.zst"
done < "$here/grammars.txt"
cd "$work/out"
sha256sum ./*.wasm > sums
if [ "${1:-}" = check ]; then
	cmp sums "$here/sums.txt" && echo "The modules are what build.sh makes."
	exit
fi
cp sums "$here/sums.txt"
cp ./*.zst "$here/../wasm/"
