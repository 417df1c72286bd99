package client

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// compile builds the Go source that l would have go run, and returns the
// program and how to run that. Go's compiler does not run what it compiles, and
// is not in the sandbox: it writes a cache that all of the user's builds believe.
// What it made is, and needs neither the compiler nor the cache any more.
func (s *server) compile(ctx context.Context, goTool, path string, l Launch) (string, Launch, error) {
	folder, err := s.folder()
	if err != nil {
		return "", l, err
	}
	bin := filepath.Join(folder, "bin") // read by the server, never written
	if err := os.MkdirAll(bin, 0o700); err != nil {
		return "", l, fmt.Errorf("making a folder for the program: %w", err)
	}
	source, rest := l.Args[1], l.Args[2:] // "run", "./x.go", the server's own
	out := filepath.Join(bin, strings.TrimSuffix(filepath.Base(source), ".go"))
	cmd := exec.Command(goTool, "build", "-o", out, source)
	cmd.Dir = l.Dir
	cmd.Env = withPath(Environ(s.host.o.Env, "go", s.config.Env), s.host.ownPath(), path)
	cmd.WaitDelay = time.Second
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	t, err := startTree(cmd, nil)
	if err != nil {
		return "", l, fmt.Errorf("go build: %w", err)
	}
	stop := context.AfterFunc(ctx, t.kill)
	end := t.wait()
	stop()
	switch {
	case ctx.Err() != nil:
		return "", l, ctx.Err()
	case end != (exit{}):
		lines := strings.Split(strings.TrimSpace(said.String()), "\n")
		why := lines[len(lines)-1]
		if why == "" {
			why = end.String()
		}
		return "", l, &Error{Kind: ErrStart, Subject: s.config.Path, Err: fmt.Errorf("go build: %s", why), Stderr: lines}
	}
	return out, Launch{Args: rest, Dir: l.Dir}, nil
}
