#!/bin/sh
# Runs a command RUNS times, 20 by default, beside one busy loop for each core, and stops
# at the first failure. The arguments are the command; NAME=value may come before it.
set -u
loops=
stop() { kill $loops 2>/dev/null; }
trap stop EXIT
trap 'exit 130' INT TERM
i=0
while [ "$i" -lt "$(nproc)" ]; do
	sh -c 'while kill -0 "$1" 2>/dev/null; do j=0; while [ $j -lt 100000 ]; do j=$((j + 1)); done; done' busy $$ &
	loops="$loops $!"
	i=$((i + 1))
done
run=1
while [ "$run" -le "${RUNS:-20}" ]; do
	start=$(date +%s)
	env "$@" || { echo "Run $run of ${RUNS:-20} failed." >&2; exit 1; }
	echo "Run $run of ${RUNS:-20} passed after $(($(date +%s) - start)) s." >&2
	run=$((run + 1))
done
