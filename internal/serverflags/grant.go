package serverflags

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"goated/internal/sandbox"
	"goated/internal/sandbox/trusted"
	"goated/ui/view"
)

// Grant returns the permissions that the flags give a server.
func (t *Target) Grant() (sandbox.Permissions, error) {
	var ps sandbox.Permissions
	if t.network {
		ps = ps.With(sandbox.Permission{Kind: sandbox.ToNetwork})
	}
	if t.browser {
		ps = ps.With(sandbox.Permission{Kind: sandbox.ToBrowser})
	}
	if t.install {
		ps = ps.With(sandbox.Permission{Kind: sandbox.ToInstall})
	}
	for _, p := range t.limits {
		ps = ps.With(p)
	}
	for _, text := range t.hosts {
		host, err := view.HostOf(text)
		if err != nil {
			return nil, fmt.Errorf("--allow-host %s: %w", text, err)
		}
		ps = ps.With(sandbox.Permission{Kind: sandbox.ToHost, Host: host})
	}
	for _, list := range []struct {
		flag  string
		kind  sandbox.Kind
		paths []string
	}{{"--allow-read", sandbox.ToRead, t.reads}, {"--allow-write", sandbox.ToWrite, t.writes}} {
		for _, path := range list.paths {
			abs, err := filepath.Abs(path)
			if err != nil {
				return nil, fmt.Errorf("%s %s: %w", list.flag, path, err)
			}
			real, err := filepath.EvalSymlinks(abs)
			if errors.Is(err, fs.ErrNotExist) && list.kind == sandbox.ToWrite {
				p, err := toCreate(path, abs)
				if err != nil {
					return nil, fmt.Errorf("%s %s: %w", list.flag, path, err)
				}
				ps = ps.With(p)
				continue
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", list.flag, err)
			}
			if !trusted.Path(abs) {
				return nil, fmt.Errorf("%[1]s %[2]s: this path contains a link that a server may have made. If you mean its target, use %[1]s %[3]s", list.flag, path, real)
			}
			ps = ps.With(sandbox.Permission{Kind: list.kind, Path: abs})
		}
	}
	return ps, nil
}

// toCreate returns the permission to create a missing path: a folder if the text ends with a slash,
// and otherwise a file.
func toCreate(text, abs string) (sandbox.Permission, error) {
	if strings.HasSuffix(text, "/") || strings.HasSuffix(text, string(filepath.Separator)) {
		return sandbox.Permission{Kind: sandbox.ToWrite, Path: abs}, nil
	}
	if _, err := os.Stat(filepath.Dir(abs)); err != nil {
		return sandbox.Permission{}, fmt.Errorf("%w. To let the server create a folder of that name, end it with a slash", err)
	}
	return sandbox.Permission{Kind: sandbox.ToWriteFile, Path: abs}, nil
}
