//go:build !linux || !(amd64 || arm64)

package sandbox

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
)

// Probe says what this system can enforce: nothing yet.
func Probe() Status { return Status{} }

// FindBubble finds none: bubblewrap is for Linux.
func FindBubble(context.Context, string) Bubble { return Bubble{} }

// Start starts cmd, which nothing confines here; the folders that p has written
// are made, and STATE_DIRECTORY and TMPDIR are set to its own.
func Start(cmd *exec.Cmd, p Policy, refused func(Permission)) (*Sandbox, error) {
	p.prepare()
	s := newSandbox(Status{}, refused)
	s.Env = p.environment()
	cmd.Env = append(cmd.Environ(), s.Env...)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return s, nil
}

// prepare makes what the process may write, and sweeps its temporary files. What
// can't be made can't be written either: that is no reason not to start.
func (p Policy) prepare() {
	for _, path := range p.created() {
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			_ = os.MkdirAll(path, 0o700)
		}
	}
	p.removeOldTemp()
}

// Stands reports whether a path leads where it says; where there are no rules,
// none is led astray.
func Stands(string) bool { return true }
