// Package keeper holds the small program that supervises the processes of one server, and
// makes it ready to run.
//
// "make build" puts the program into the folder program, and goated embeds it. A goated from plain
// "go build" has no such program and is its own keeper. That works, but costs the start time and
// the memory of a whole goated for each server. The package must not know the work of a keeper.
package keeper

import (
	"embed"
	"io/fs"
	"runtime/debug"
	"strings"
)

// program holds the keeper and made-from, the commit that it was made from.
//
//go:embed program
var program embed.FS

// Command returns the command line of a keeper, for [goated/internal/proc.Command]. It is the
// embedded program, as an open file of this process that stays open, or own, if there is no
// program, if it is known to be of another commit, or if this system does not run it.
// The first call takes some milliseconds; call it once.
func Command(own ...string) []string { return choose(program, commit(), own) }

// choose is Command with the files of a program, for a process of a commit.
func choose(files fs.ReadFileFS, commit string, own []string) []string {
	image, err := files.ReadFile("program/keeper")
	if err != nil {
		return own
	}
	from, err := files.ReadFile("program/made-from")
	if err != nil || commit != "" && strings.TrimSpace(string(from)) != commit {
		return own
	}
	if path := load(image); path != "" {
		return []string{path}
	}
	return own
}

// commit returns the commit that this process was built from. It is empty if go does not know
// it: outside of a repository, and in a worktree of one.
func commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return s.Value
		}
	}
	return ""
}
