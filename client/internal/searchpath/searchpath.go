package client

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

	"goated/internal/proc"
	"goated/internal/programs"
)

// loginLimit bounds the start of a login shell. A shell with many plugins takes a
// second or two.
const loginLimit = 5 * time.Second

// loginMark precedes the PATH in the shell's output: the shell's startup files can
// print anything before it.
const loginMark = "\x02goated-path\x03"

// A searchPath is where the programs of servers are. It is safe for concurrent use.
type searchPath struct {
	env       []string      // of the host
	login     string        // the login shell's PATH; read after loginDone
	loginDone chan struct{} // closed when the login shell has answered, or if it is not asked

	mu    sync.Mutex
	extra []string // folders after the PATH
}

// askLogin asks the login shell in the background, if ask is set.
func (p *searchPath) askLogin(ctx context.Context, wg *sync.WaitGroup, ask bool) {
	if !ask || runtime.GOOS == "windows" {
		close(p.loginDone)
		return
	}
	wg.Go(func() {
		defer close(p.loginDone)
		p.login = LoginPath(ctx, p.env)
	})
}

// path returns the search path: an active environment of Python, the login shell's PATH, the
// host's, and the extra folders. It waits for the login shell until ctx ends.
func (p *searchPath) path(ctx context.Context) string {
	select {
	case <-p.loginDone:
	case <-ctx.Done():
	}
	return p.now()
}

// now returns the known part of the path. The login shell's PATH is missing until the shell has
// answered.
func (p *searchPath) now() string {
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
		return p.own()
	}
	return proc.JoinPath(proc.Activated(p.env), filepath.SplitList(login), filepath.SplitList(p.own()), extra)
}

// add adds an extra folder.
func (p *searchPath) add(dir string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !slices.Contains(p.extra, dir) {
		p.extra = append(slices.Clone(p.extra), dir)
	}
}

// elsewhere returns the folder of a program that is not on the search path: a version
// manager's, or one that the login shell's PATH has had since the start of goated.
func (p *searchPath) elsewhere(ctx context.Context, program string) string {
	names := []string{program}
	if program == "python3" {
		names = append(names, "python")
	}
	for _, look := range []func() []string{
		func() []string { return programs.Folders(proc.Getenv(p.env, "HOME")) },
		func() []string { return filepath.SplitList(LoginPath(ctx, p.env)) },
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

// own returns the PATH of the host's environment.
func (p *searchPath) own() string { return proc.Getenv(p.env, "PATH") }

// LoginPath returns the PATH that the user has in a terminal: the login shell's, and
// the usual folders of version managers. env has the form of os.Environ. It takes
// five seconds at most.
func LoginPath(ctx context.Context, env []string) string {
	ctx, cancel := context.WithTimeout(ctx, loginLimit)
	defer cancel()
	return proc.JoinPath(askShell(ctx, env), programs.Folders(proc.Getenv(env, "HOME")))
}

// askShell starts the login shell as a terminal does, and reads its PATH.
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
	cmd.Env = Environ(env, "", []string{"TERM=dumb"})
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
	// Background programs of the shell's startup files can hold the pipe open.
	stop := context.AfterFunc(ctx, func() { _ = read.SetReadDeadline(time.Now()) })
	defer stop()
	buffer := make([]byte, 4096)
	for !ended(out.Bytes()) && out.Len() < 1<<20 {
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

func ended(out []byte) bool {
	_, said, ok := bytes.Cut(out, []byte(loginMark))
	return ok && bytes.IndexByte(said, 2) >= 0
}
