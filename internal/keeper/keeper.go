// Package keeper contains the small program that supervises the processes of one server, and makes
// it ready to run.
//
// "make build" puts the program into the folder program, and goated embeds it. If goated was built
// with plain "go build", it has no such program and acts as its own keeper. That works, but costs
// the start time and the memory of a whole goated for each server. The package must not know what a
// keeper does.
package keeper

import (
	"embed"
	"io/fs"
	"runtime/debug"
	"strings"
)

// program contains the keeper and made-from, which is the commit that it was built from.
//
//go:embed program
var program embed.FS

// Command returns the command line of a keeper, for [goated/internal/proc.Command]. Normally that
// is the embedded program, which stays open as a file of this process. It is own if there is no
// program, if the program is known to be from another commit, or if this system cannot run it. A
// call takes some milliseconds, so call Command only once.
func Command(own ...string) []string { return choose(program, commit(), own) }

// choose is Command for the files of a program, and for a process built from a commit.
func choose(files fs.ReadFileFS, commit string, own []string) []string {
	image, err := files.Open("program/keeper")
	if err != nil {
		return own
	}
	defer image.Close()
	from, err := files.ReadFile("program/made-from")
	if err != nil || commit != "" && strings.TrimSpace(string(from)) != commit {
		return own
	}
	if path := load(image); path != "" {
		return []string{path}
	}
	return own
}

// commit returns the commit that this process was built from. It is empty if go does not know the
// commit: outside a repository, and in a worktree.
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
