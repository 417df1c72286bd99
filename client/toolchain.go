package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// A toolchain is the user's go, and how he has set it.
type toolchain struct {
	program string
	env     []string          // of all that it is run for, without flags
	set     map[string]string // what go env says
	flags   string            // those of GOFLAGS that say what is built, and run nothing
	own     []string          // the environment in which the user runs it
}

// settings are what a build is told of go env. What names programs that go is to
// run (GOFLAGS's -toolexec, GOAUTH, GOCACHEPROG) is not among it.
var settings = []string{
	"CGO_ENABLED", "CC", "CXX", "CGO_CFLAGS", "CGO_CPPFLAGS", "CGO_CXXFLAGS", "CGO_LDFLAGS",
	"GOPROXY", "GOSUMDB", "GONOSUMDB", "GONOPROXY", "GOPRIVATE", "GOINSECURE", "GOVCS",
	"GOPATH", "GOMODCACHE", "GOTOOLCHAIN", "GOEXPERIMENT", "GOAMD64", "GOARM64",
}

// toolchain asks go for its settings: in goated's own folder, where no module
// has a say.
func (s *server) toolchain(ctx context.Context, goTool, path, folder string) (toolchain, error) {
	own := withPath(Environ(s.host.o.Env, "go", s.config.Env), s.host.ownPath(), path)
	cmd := exec.Command(goTool, append([]string{"env", "-json", "GOROOT", "GOCACHE", "GOFLAGS"}, settings...)...)
	cmd.Dir, cmd.Env = folder, own
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	t := toolchain{program: goTool, own: own}
	end, err := finish(ctx, cmd, nil)
	switch {
	case ctx.Err() != nil:
		return t, ctx.Err()
	case err == nil && end != (exit{}):
		err = fmt.Errorf("%s: %s", end, strings.TrimSpace(said.String()))
	case err == nil:
		err = json.Unmarshal(out.Bytes(), &t.set)
	}
	if err != nil {
		return t, fmt.Errorf("go env: %w", err)
	}
	if real := filepath.Join(t.set["GOROOT"], "bin", "go"); executable(real) {
		t.program = real // and no shim before it, which would read the user's files
	}
	t.env = []string{"GOENV=off"}
	for _, kv := range own {
		switch name, _, _ := strings.Cut(kv, "="); {
		case strings.HasPrefix(name, "LC_"), slices.Contains([]string{"PATH", "LANG", "LANGUAGE", "TZ", "USER", "LOGNAME", "SSL_CERT_FILE", "SSL_CERT_DIR"}, name):
			t.env = append(t.env, kv)
		}
	}
	for _, name := range settings {
		if value := t.set[name]; value != "" {
			t.env = append(t.env, name+"="+value)
		}
	}
	var flags []string
	for flag := range strings.FieldsSeq(t.set["GOFLAGS"]) {
		switch name, _, _ := strings.Cut(strings.TrimLeft(flag, "-"), "="); name {
		case "tags", "mod", "trimpath":
			flags = append(flags, flag)
		}
	}
	t.flags = strings.Join(flags, " ")
	return t, nil
}

// reads are the files of the toolchain, the modules that were downloaded, and
// the C compilers.
func (t toolchain) reads() []string {
	out := []string{t.set["GOROOT"], t.set["GOMODCACHE"]}
	for _, name := range []string{"CC", "CXX"} {
		words := strings.Fields(t.set[name])
		if len(words) == 0 {
			continue
		}
		if file, err := lookPath(words[0], variable(t.env, "PATH")); err == nil {
			if file, err = filepath.EvalSymlinks(file); err == nil && filepath.Base(filepath.Dir(file)) == "bin" {
				if prefix := filepath.Dir(filepath.Dir(file)); prefix != "/" && prefix != variable(t.own, "HOME") {
					out = append(out, prefix)
				}
			}
		}
	}
	return slices.DeleteFunc(out, func(path string) bool { return !filepath.IsAbs(path) })
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

// modules are the go.mod files of the modules that a folder is compiled from, each
// of which lies in what is read whole, and the files to read besides: those of a
// workspace above, whose other modules are followed only if they lie in it. None
// of them is a link, which could lead anywhere.
func modules(dir string) (roots, files []string) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, nil
	}
	add := func(to *[]string, path string) bool {
		info, err := os.Lstat(path)
		ok := err == nil && info.Mode().IsRegular()
		if ok {
			*to = append(*to, path)
		}
		return ok
	}
	if root := above(dir, "go.mod"); root != "" {
		add(&roots, filepath.Join(root, "go.mod"))
		add(&files, filepath.Join(root, "go.sum"))
	}
	work := above(dir, "go.work")
	if work == "" || !add(&files, filepath.Join(work, "go.work")) {
		return roots, files
	}
	add(&files, filepath.Join(work, "go.work.sum"))
	text, err := os.ReadFile(filepath.Join(work, "go.work"))
	whole, werr := filepath.EvalSymlinks(work)
	if err != nil || werr != nil {
		return roots, files
	}
	for _, used := range uses(string(text)) {
		in, err := filepath.EvalSymlinks(filepath.Join(work, used))
		if rel, rerr := filepath.Rel(whole, in); err == nil && rerr == nil && filepath.IsLocal(rel) {
			add(&roots, filepath.Join(in, "go.mod"))
		}
	}
	return roots, files
}

// uses are the folders that a go.work names by its use.
func uses(text string) []string {
	var out []string
	block := false
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "//")
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
		case words[0] == ")":
			block = false
		case block:
			out = append(out, strings.Trim(words[0], "\"`"))
		case words[0] == "use" && len(words) > 1:
			if block = words[1] == "("; !block {
				out = append(out, strings.Trim(words[1], "\"`"))
			}
		}
	}
	return out
}

// above is the next folder upwards that has a file of that name.
func above(dir, name string) string {
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

// A library is which outputs of the user's own cache are the standard library's.
type library struct {
	once    sync.Once
	outputs map[string]bool // paths in the cache
}

// standard lists what the user's cache has of the standard library, and has go
// compile it there if need be: that is no server's source. All else in that
// cache may be what an editor had compiled of this very server, outside of any
// sandbox, with a secret in it.
func (h *Host) standard(ctx context.Context, t toolchain, folder string) map[string]bool {
	var flags []string
	for flag := range strings.FieldsSeq(t.flags) {
		if !strings.HasPrefix(strings.TrimLeft(flag, "-"), "mod") { // there is no module here
			flags = append(flags, flag)
		}
	}
	env := append(t.own[:len(t.own):len(t.own)], "GOENV=off", "GOTOOLCHAIN=local", "GOFLAGS="+strings.Join(flags, " "), "GOCACHE="+t.set["GOCACHE"])
	for _, name := range settings[:7] {
		env = append(env, name+"="+t.set[name])
	}
	key := t.program + "\x00" + strings.Join(env, "\x00")
	h.mu.Lock()
	l := h.libraries[key]
	if l == nil {
		l = new(library)
		h.libraries[key] = l
	}
	h.mu.Unlock()
	l.once.Do(func() {
		cmd := exec.Command(t.program, "list", "-export", "-f", "{{.Export}}", "std")
		cmd.Dir, cmd.Env = folder, env
		var out bytes.Buffer
		cmd.Stdout = &out
		if end, err := finish(ctx, cmd, nil); err != nil || end != (exit{}) {
			h.mu.Lock()
			delete(h.libraries, key) // the next build asks again; this one compiles for itself
			h.mu.Unlock()
			return
		}
		l.outputs = make(map[string]bool)
		for line := range strings.Lines(out.String()) {
			l.outputs[strings.TrimSpace(line)] = true
		}
	})
	return l.outputs
}
