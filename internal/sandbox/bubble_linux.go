//go:build amd64 || arm64

package sandbox

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// FindBubble looks for bubblewrap on a search path, and tries it: that takes some
// ten milliseconds, and five seconds at most.
func FindBubble(ctx context.Context, path string) Bubble {
	program, err := bubblewrap(path)
	if err != nil {
		return Bubble{Wrap: WrapMissing, Err: err}
	}
	if program, err = rootOwned(program); err != nil {
		return Bubble{Wrap: WrapUntrusted, Err: err}
	}
	var masked []string
	for _, name := range maskedFiles {
		if f, err := os.Open(filepath.Join("/proc", name)); err == nil {
			_ = f.Close()
			masked = append(masked, name)
		}
	}
	b := Bubble{Wrap: Wrapped, program: program, options: bubbleOptions(masked)}
	if err := b.try(ctx); err != nil {
		return Bubble{Wrap: WrapFails, Err: err}
	}
	return b
}

// bubblewrap finds its program. What lies in the working directory is not meant.
func bubblewrap(path string) (string, error) {
	for _, dir := range filepath.SplitList(path) {
		file := filepath.Join(dir, "bwrap")
		if info, err := os.Stat(file); filepath.IsAbs(dir) && err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return file, nil
		}
	}
	return "", errors.New("there is no bwrap on the PATH")
}

// rootOwned is where a program really lies, if nobody but root can change it: no
// server then can, whatever it may write. In a folder with the sticky bit, others
// change what is theirs.
func rootOwned(program string) (string, error) {
	program, err := filepath.EvalSymlinks(program)
	if err != nil {
		return "", fmt.Errorf("finding bubblewrap: %w", err)
	}
	for at := program; ; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		if err != nil {
			return "", fmt.Errorf("looking at bubblewrap: %w", err)
		}
		stat, ok := info.Sys().(*syscall.Stat_t)
		open := info.Mode()&0o022 != 0 && info.Mode()&os.ModeSticky == 0
		if !ok || stat.Uid != 0 || open {
			return "", fmt.Errorf("%s is not root's alone, so that bubblewrap there is not used", at)
		}
		if at == filepath.Dir(at) {
			return program, nil
		}
	}
}

// try starts the least there is in a bubble: bubblewrap itself, once more.
func (b Bubble) try(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, bubbleLimit)
	defer cancel()
	argv := b.Command(Policy{Shm: hasShm()}, []string{b.program, "--version"})
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env = []string{} // none, where nil would be goated's
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) } // see Command
	cmd.WaitDelay = 100 * time.Millisecond
	said, err := cmd.CombinedOutput()
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("trying bubblewrap: nothing after %v: %w", bubbleLimit, ctx.Err())
	case err != nil:
		first, _, _ := bytes.Cut(bytes.TrimSpace(said), []byte("\n"))
		return fmt.Errorf("trying bubblewrap: %w: %s", err, cmp.Or(strings.ToValidUTF8(string(first), "?"), "it says nothing"))
	}
	return nil
}
