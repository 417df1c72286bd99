#!/bin/sh
# Links the test programs of packages once and runs them many times. "go test" links them again
# for each run, which is a sixth of the work of a run.
#
#	prebuilt.sh build DIR FLAGS...   go test with these flags and packages, without running a test
#	prebuilt.sh run DIR FLAGS...     runs all programs in DIR, four at a time, in the order of the packages
#
# A flag of run is one of a test program, such as -test.v, and has no spaces.
set -eu
case $1 in
build)
	mkdir -p "$2"
	dir=$(cd "$2" && pwd) script=$(cd "$(dirname "$0")" && pwd)/prebuilt.sh
	shift 2
	: >"$dir/folders"
	go test -exec "sh $script keep $dir" -count=1 -run '^$' "$@" >"$dir/log" 2>&1 || { cat "$dir/log" >&2; exit 1; }
	;;
keep) # "go test" calls this in the folder of the package, and removes the program at its end
	program=$2/$(pwd | tr / .)
	ln -f "$3" "$program" 2>/dev/null || cp -f "$3" "$program"
	pwd >>"$2/folders"
	;;
run)
	dir=$(cd "$2" && pwd)
	shift 2
	xargs -P 4 -I FOLDER sh "$0" one FOLDER "$dir" "$@" <"$dir/folders"
	;;
one)
	folder=$2 program=$3/$(echo "$2" | tr / .)
	shift 3
	cd "$folder"
	"$program" -test.paniconexit0 "$@" >"$program.log" 2>&1 || { cat "$program.log"; echo "FAIL $folder"; exit 1; }
	echo "ok $folder"
	;;
esac
