#!/usr/bin/env bash
set -eu
source ./lib.sh

NAME=demo
readonly LIMIT=5
export PATH_OLD="$PATH"

# Says something.
say() {
  local text="$1"
  echo "$text"
}

function build {
  say build
  nested() { :; }
}

function deploy() (
  cd /tmp
)

if true; then
  conditional() { :; }
fi

alias ll='ls -l'
say "$NAME"
