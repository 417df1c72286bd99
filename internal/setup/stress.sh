#!/bin/sh
# Runs a command RUNS times, 20 by default, beside one busy loop for each core, and stops
# at the first failure. The arguments are the command; NAME=value may come before it.
#
# Linux shares the processors among sessions before it shares them among processes (autogroup). Linux 6.18
# sometimes gives a new session next to no time while others are busy: an xterm got 4 ms in 5 s. Programs
# and servers have sessions of their own, so the script turns this off while it runs, if root starts it.
set -u
loops=
autogroup=/proc/sys/kernel/sched_autogroup_enabled
grouped=$(cat $autogroup 2>/dev/null)
stop() {
	kill $loops 2>/dev/null
	[ "$grouped" != 1 ] || echo 1 >$autogroup
}
if [ "$grouped" = 1 ] && ! { echo 0 >$autogroup; } 2>/dev/null; then
	grouped=
	echo "Linux shares the processors among sessions. If programs do not start in time, run this as root." >&2
fi
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
