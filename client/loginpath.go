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
	"time"

	"goated/internal/proc"
)

// loginLimit bounds what a login shell may take to start. Those of people with
// many plugins take a second or two.
const loginLimit = 5 * time.Second

// loginMark stands before what the shell is asked for, since the files that it
// reads may print what they like.
const loginMark = "\x02goated-path\x03"

// findLogin asks the login shell in the background, if it is to be asked.
func (h *Host) findLogin() {
	if !h.o.LoginPath || runtime.GOOS == "windows" {
		close(h.loginDone)
		return
	}
	h.wg.Go(func() {
		defer close(h.loginDone)
		h.login = LoginPath(h.ctx, h.o.Env)
	})
}

// path is where programs are looked for: the login shell's PATH before our own,
// where that is wanted.
func (h *Host) path(ctx context.Context) string {
	select {
	case <-h.loginDone:
	case <-ctx.Done():
		return h.ownPath()
	}
	h.mu.Lock()
	more := h.lookIn
	h.mu.Unlock()
	if h.login == "" && len(more) == 0 {
		return h.ownPath()
	}
	return proc.JoinPath(filepath.SplitList(h.login), filepath.SplitList(h.ownPath()), more)
}

// LookIn has programs be looked for in a folder, too, from the next start of a
// server on: where a [Diagnosis] found what was missing.
func (h *Host) LookIn(dir string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !slices.Contains(h.lookIn, dir) {
		h.lookIn = append(slices.Clone(h.lookIn), dir)
	}
}

// elsewhere is the folder of a program that is not on the search path: one that
// a version manager made, or that the login shell knows by now, which may be
// another than when goated began.
func (h *Host) elsewhere(ctx context.Context, program string) string {
	names := []string{program}
	if program == "python3" {
		names = append(names, "python")
	}
	for _, look := range []func() []string{
		func() []string { return known(proc.Getenv(h.o.Env, "HOME")) },
		func() []string { return filepath.SplitList(LoginPath(ctx, h.o.Env)) },
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

// ownPath is the PATH of the environment that the host was given.
func (h *Host) ownPath() string { return proc.Getenv(h.o.Env, "PATH") }

// LoginPath finds the PATH that the user has in a terminal: what the login shell
// says, and where version managers put their programs. env is of the form of
// os.Environ. It takes five seconds at most, and is never empty.
func LoginPath(ctx context.Context, env []string) string {
	ctx, cancel := context.WithTimeout(ctx, loginLimit)
	defer cancel()
	return proc.JoinPath(askShell(ctx, env), known(proc.Getenv(env, "HOME")))
}

// askShell starts the login shell as a terminal does, and has it print its PATH.
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
		return nil // other languages; known has the usual places
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
	// What the shell's files start in the background may hold the pipe open.
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

// known lists where programs are for people whose shell does not say so: those
// of Homebrew and of the version managers.
func known(home string) []string {
	dirs := []string{"/opt/homebrew/bin", "/home/linuxbrew/.linuxbrew/bin", "/usr/local/bin", "/usr/local/go/bin"}
	if home != "" {
		for _, in := range []string{
			".volta/bin", ".asdf/shims", ".pyenv/shims", ".local/share/mise/shims", ".local/share/fnm/aliases/default/bin",
			".local/bin", ".bun/bin", ".deno/bin", ".cargo/bin", "go/bin",
		} {
			dirs = append(dirs, filepath.Join(home, filepath.FromSlash(in)))
		}
		// Some have no folder for the version in use outside a shell: the newest.
		for _, of := range []string{
			".nvm/versions/node/v*", ".pyenv/versions/*", ".local/share/fnm/node-versions/v*/installation",
			".local/share/mise/installs/node/*", ".local/share/mise/installs/python/*", ".local/share/mise/installs/go/*",
			".asdf/installs/nodejs/*", ".asdf/installs/python/*",
		} {
			if all, _ := filepath.Glob(filepath.Join(home, filepath.FromSlash(of), "bin")); len(all) > 0 {
				dirs = append(dirs, slices.MaxFunc(all, compareVersions))
			}
		}
	}
	return slices.DeleteFunc(dirs, func(dir string) bool {
		info, err := os.Stat(dir)
		return err != nil || !info.IsDir()
	})
}

// compareVersions orders paths of the same form by the numbers in them.
func compareVersions(a, b string) int {
	numbers := func(s string) []string {
		return strings.FieldsFunc(s, func(r rune) bool { return r < '0' || r > '9' })
	}
	return slices.CompareFunc(numbers(a), numbers(b), func(x, y string) int {
		if len(x) != len(y) {
			return len(x) - len(y)
		}
		return strings.Compare(x, y)
	})
}
