package client

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"goated/internal/proc"
)

// A toolchain is the user's go, and how he has set it.
type toolchain struct {
	program string
	env     []string          // of all that it is run for, without flags
	set     map[string]string // what go env says
	flags   string            // those of GOFLAGS that say what is built, and run nothing
	own     []string          // the environment in which the user runs it
	keeper  []string          // see [Options.Keeper]
}

// What a build is told of go env: how packages are compiled, the standard library's
// too, and where modules come from. What names programs that go is to run (GOFLAGS's
// -toolexec, GOAUTH, GOCACHEPROG) is not among it.
var (
	compilation = []string{
		"CGO_ENABLED", "CC", "CXX", "CGO_CFLAGS", "CGO_CPPFLAGS", "CGO_CXXFLAGS", "CGO_LDFLAGS",
		"GOEXPERIMENT", "GOAMD64", "GOARM64",
	}
	settings = append([]string{
		"GOPROXY", "GOSUMDB", "GONOSUMDB", "GONOPROXY", "GOPRIVATE", "GOINSECURE", "GOVCS",
		"GOPATH", "GOMODCACHE", "GOTOOLCHAIN",
	}, compilation...)
)

// toolchain asks go for its settings: in goated's own folder, where no module
// has a say.
func (s *server) toolchain(ctx context.Context, goTool, path, folder string) (toolchain, error) {
	own := withPath(Environ(s.host.o.Env, "go", s.config.Env), s.host.ownPath(), path)
	t := toolchain{program: goTool, own: own, keeper: s.host.o.Keeper}
	out, said, end, err := proc.Run(ctx, proc.Command{Program: goTool,
		Args: append([]string{"env", "-json", "GOROOT", "GOCACHE", "GOFLAGS"}, settings...), Dir: folder, Env: own, Keeper: t.keeper})
	switch {
	case ctx.Err() != nil:
		return t, ctx.Err()
	case err == nil && end != (proc.Exit{}):
		err = fmt.Errorf("%s: %s", end, strings.Join(said, "\n"))
	case err == nil:
		err = json.Unmarshal([]byte(out), &t.set)
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
		if file, err := proc.LookPath(words[0], proc.Getenv(t.env, "PATH")); err == nil {
			if file, err = filepath.EvalSymlinks(file); err == nil && filepath.Base(filepath.Dir(file)) == "bin" {
				if prefix := filepath.Dir(filepath.Dir(file)); prefix != "/" && prefix != proc.Getenv(t.own, "HOME") {
					out = append(out, prefix)
				}
			}
		}
	}
	out = slices.DeleteFunc(out, func(path string) bool { return !filepath.IsAbs(path) })
	for i, path := range out {
		out[i] = unlinked(path)
	}
	return out
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}
