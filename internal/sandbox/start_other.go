//go:build !linux || !(amd64 || arm64)

package sandbox

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
)

// Probe returns what this system can enforce: nothing.
func Probe() Status { return Status{} }

// FindBubble finds nothing: bubblewrap needs Linux.
func FindBubble(context.Context, string) Bubble { return Bubble{} }

// Start starts cmd without confining it. It creates the writable folders of p and sets
// STATE_DIRECTORY and TMPDIR.
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

// prepare creates the writable folders and removes old temporary files. The process starts even if
// that fails.
func (p Policy) prepare() {
	for _, path := range p.created() {
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			_ = os.MkdirAll(path, 0o700)
		}
	}
	p.removeOldTemp()
}
