// Package searchpath finds the programs of servers: on the host's PATH, on the PATH of the user's
// login shell, and in the folders of version managers. It must not know servers.
package searchpath

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"goated/client/internal/environ"
	"goated/internal/proc"
	"goated/internal/programs"
)

// loginLimit bounds the start of a login shell. A shell with many plugins takes a second or two.
const loginLimit = 5 * time.Second

// loginMark precedes the PATH in the shell's output, because the shell's startup files can print
// anything before it.
const loginMark = "\x02goated-path\x03"

// A Path lists the folders with the programs of servers. It is safe for concurrent use.
type Path struct {
	env       []string      // the host's environment
	login     string        // the login shell's PATH; read after loginDone
	loginDone chan struct{} // closed when the login shell has answered, or if it is not asked

	mu    sync.Mutex
	extra []string // folders after the PATH
}

// New returns the search path of a host with an environment in the form of os.Environ. Call
// AskLogin once before any other method.
func New(env []string) *Path { return &Path{env: env, loginDone: make(chan struct{})} }

// AskLogin starts to ask the login shell in the background, if ask is set.
func (p *Path) AskLogin(ctx context.Context, wg *sync.WaitGroup, ask bool) {
	if !ask || runtime.GOOS == "windows" {
		close(p.loginDone)
		return
	}
	wg.Go(func() {
		defer close(p.loginDone)
		p.login = Login(ctx, p.env)
	})
}

// All returns the search path: an active Python environment, the login shell's PATH, the host's
// PATH, and the extra folders. It waits for the login shell until ctx ends.
func (p *Path) All(ctx context.Context) string {
	select {
	case <-p.loginDone:
	case <-ctx.Done():
	}
	return p.KnownSoFar()
}

// KnownSoFar returns the part of the path that is known so far. The login shell's PATH is missing until
// the shell has answered.
func (p *Path) KnownSoFar() string {
	login := ""
	select {
	case <-p.loginDone:
		login = p.login
	default:
	}
	p.mu.Lock()
	extra := p.extra
	p.mu.Unlock()
	if login == "" && len(extra) == 0 {
		return p.Inherited()
	}
	return proc.JoinPath(proc.Activated(p.env), filepath.SplitList(login), filepath.SplitList(p.Inherited()), extra)
}

// Add adds an extra folder.
func (p *Path) Add(dir string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !slices.Contains(p.extra, dir) {
		p.extra = append(slices.Clone(p.extra), dir)
	}
}

// FindOffPath returns the folder of a program that is not on the search path: the folder of a version
// manager, or one that was added to the login shell's PATH after goated started.
func (p *Path) FindOffPath(ctx context.Context, program string) string {
	names := []string{program}
	if program == "python3" {
		names = append(names, "python")
	}
	for _, look := range []func() []string{
		func() []string { return programs.Folders(proc.Getenv(p.env, "HOME")) },
		func() []string { return filepath.SplitList(Login(ctx, p.env)) },
	} {
		dirs := look()
		for _, name := range names {
			if found, err := proc.LookPath(name, strings.Join(dirs, string(os.PathListSeparator))); err == nil && filepath.IsAbs(found) {
				return filepath.Dir(found)
			}
		}
	}
	return ""
}

// Inherited returns the PATH of the host's environment.
func (p *Path) Inherited() string { return proc.Getenv(p.env, "PATH") }

// Login returns the PATH that the user has in a terminal: the login shell's PATH, and the usual
// folders of version managers. env has the form of os.Environ. Login takes at most five seconds.
func Login(ctx context.Context, env []string) string {
	ctx, cancel := context.WithTimeout(ctx, loginLimit)
	defer cancel()
	return proc.JoinPath(askShell(ctx, env), programs.Folders(proc.Getenv(env, "HOME")))
}

// askShell starts the login shell like a terminal does, and reads its PATH.
func askShell(ctx context.Context, env []string) []string {
	shell := proc.Getenv(env, "SHELL")
	if !filepath.IsAbs(shell) {
		return nil
	}
	args := []string{"-l", "-i", "-c", "printf '" + `\002goated-path\003%s\002` + "' \"$PATH\""}
	switch filepath.Base(shell) {
	case "fish": // whose PATH is a list
		args[3] = "printf '" + `\002goated-path\003%s\002` + "' (string join : $PATH)"
	case "nu", "nushell", "xonsh", "elvish", "pwsh":
		return nil // other languages; programs.Folders has the usual places
	}
	cmd := exec.Command(shell, args...)
	cmd.Env = environ.Inherited(env, "", []string{"TERM=dumb"})
	var out bytes.Buffer
	read, write, err := os.Pipe()
	if err != nil {
		return nil
	}
	defer read.Close()
	cmd.Stdout = write
	end, err := proc.StartTree(cmd)
	_ = write.Close()
	if err != nil {
		return nil
	}
	// Background programs that the shell's startup files start can hold the pipe open.
	stop := context.AfterFunc(ctx, func() { _ = read.SetReadDeadline(time.Now()) })
	defer stop()
	buffer := make([]byte, 4096)
	for !hasAnswer(out.Bytes()) && out.Len() < 1<<20 {
		n, err := read.Read(buffer)
		out.Write(buffer[:n])
		if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) || ctx.Err() != nil {
			break
		}
	}
	end()
	_, said, ok := strings.Cut(out.String(), loginMark)
	said, _, whole := strings.Cut(said, "\x02")
	if !ok || !whole {
		return nil
	}
	return filepath.SplitList(said)
}

func hasAnswer(out []byte) bool {
	_, said, ok := bytes.Cut(out, []byte(loginMark))
	return ok && bytes.IndexByte(said, 2) >= 0
}
