package gobuild

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"goated/internal/proc"
	"goated/internal/sandbox"
)

// A toolchain is the user's go command with the user's settings.
type toolchain struct {
	program string
	env     []string          // for builds, without flags
	set     map[string]string // the output of go env
	flags   string            // the flags of GOFLAGS that select what is built and run nothing
	own     []string          // the environment in which the user runs go
	keeper  []string          // see [proc.Command]
}

// These are the settings that builds take from go env: how to compile packages, and where modules
// come from. They exclude settings that name programs which go runs (-toolexec in GOFLAGS, GOAUTH,
// GOCACHEPROG).
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

// findToolchain asks go for its settings. go runs in goated's own folder, where no module changes
// them.
func findToolchain(ctx context.Context, r Request) (toolchain, error) {
	t := toolchain{program: r.Go, own: r.Env, keeper: r.Keeper}
	out, output, end, err := proc.Run(ctx, proc.Command{Program: r.Go,
		Args: append([]string{"env", "-json", "GOROOT", "GOVERSION", "GOCACHE", "GOFLAGS"}, settings...), Dir: r.Folder, Env: r.Env, Keeper: r.Keeper})
	switch {
	case ctx.Err() != nil:
		return t, ctx.Err()
	case err == nil && end != (proc.Exit{}):
		err = fmt.Errorf("%s: %s", end, strings.Join(output, "\n"))
	case err == nil:
		err = json.Unmarshal([]byte(out), &t.set)
	}
	if err != nil {
		return t, fmt.Errorf("go env: %w", err)
	}
	if real := filepath.Join(t.set["GOROOT"], "bin", "go"); executable(real) {
		t.program = real // the shim of a version manager would read the user's files
	}
	t.env = []string{"GOENV=off"}
	for _, kv := range r.Env {
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
		case "tags", "mod": // not trimpath, because it removes the folder from file names in a panic
			flags = append(flags, flag)
		}
	}
	t.flags = strings.Join(flags, " ")
	return t, nil
}

// reads returns the folders of the toolchain, of the downloaded modules and of the
// C compilers.
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
		out[i] = sandbox.ResolveLinks(path)
	}
	return out
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}
