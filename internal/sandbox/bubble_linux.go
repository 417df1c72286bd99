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

// FindBubble looks for bubblewrap on a search path and tests it, which takes about ten
// milliseconds and at most five seconds.
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

// bubblewrap finds the program. It ignores relative folders of the path.
func bubblewrap(path string) (string, error) {
	for _, dir := range filepath.SplitList(path) {
		file := filepath.Join(dir, "bwrap")
		if info, err := os.Stat(file); filepath.IsAbs(dir) && err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return file, nil
		}
	}
	return "", errors.New("bwrap is not on the PATH")
}

// rootOwned returns the real path of a program if only root can change it, so that no
// server can. In a folder with the sticky bit, users can change only their own files.
func rootOwned(program string) (string, error) {
	program, err := filepath.EvalSymlinks(program)
	if err != nil {
		return "", fmt.Errorf("finding bubblewrap: %w", err)
	}
	for at := program; ; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		if err != nil {
			return "", fmt.Errorf("checking bubblewrap: %w", err)
		}
		stat, ok := info.Sys().(*syscall.Stat_t)
		open := info.Mode()&0o022 != 0 && info.Mode()&os.ModeSticky == 0
		if !ok || stat.Uid != 0 || open {
			return "", fmt.Errorf("users other than root can change %s, so goated does not use the bubblewrap there", at)
		}
		if at == filepath.Dir(at) {
			return program, nil
		}
	}
}

// try runs bubblewrap itself in a bubble.
func (b Bubble) try(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, bubbleLimit)
	defer cancel()
	argv := b.Command(Policy{Enclosure: Enclosure{Shm: hasShm()}}, []string{b.program, "--version"})
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env = []string{} // empty; nil would mean goated's own
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) } // see Command
	cmd.WaitDelay = 100 * time.Millisecond
	output, err := cmd.CombinedOutput()
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("testing bubblewrap: no answer after %v: %w", bubbleLimit, ctx.Err())
	case err != nil:
		first, _, _ := bytes.Cut(bytes.TrimSpace(output), []byte("\n"))
		return fmt.Errorf("testing bubblewrap: %w: %s", err, cmp.Or(strings.ToValidUTF8(string(first), "?"), "no output"))
	}
	return nil
}
