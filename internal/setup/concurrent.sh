#!/bin/sh
# Prints the packages with tests in which the race detector can find something: their files
# start goroutines, programs or servers, use locks, atomics or channels, or run in parallel.
set -eu
grep -rlE --include='*.go' --exclude-dir=testdata \
	'^[[:space:]]*go [a-zA-Z(]|[^a-z]chan |"sync"|"sync/atomic"|errgroup|AfterFunc|\.Parallel\(\)|"os/exec"|"net/http"|"net"' \
	agent client cmd internal properties_test registry servers ui |
	sed 's|/[^/]*$||' | sort -u | while read -r package; do
	for test in "$package"/*_test.go; do
		[ ! -e "$test" ] || echo "./$package"
		break
	done
done
