package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// stale is the age at which a temporary file is swept up.
const stale = 24 * time.Hour

// writable are all paths that the process may write.
func (p Policy) writable() []string {
	out := p.Write[:len(p.Write):len(p.Write)]
	for _, own := range []string{p.State, p.Temp} {
		if own != "" {
			out = append(out, own)
		}
	}
	return out
}

// variables tell the process where it may write.
func (p Policy) variables() []string {
	var out []string
	if p.State != "" {
		out = append(out, "STATE_DIRECTORY="+p.State)
	}
	if p.Temp != "" {
		out = append(out, "TMPDIR="+p.Temp)
	}
	return out
}

// prepare makes what the process may write, and sweeps its temporary files.
func (p Policy) prepare() error {
	for _, path := range p.writable() {
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err := os.MkdirAll(path, 0o700); err != nil {
			return fmt.Errorf("making what the server writes: %w", err)
		}
	}
	if p.Temp == "" {
		return nil
	}
	entries, err := os.ReadDir(p.Temp)
	if err != nil {
		return nil // there is nothing to sweep, then
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > stale {
			_ = os.RemoveAll(filepath.Join(p.Temp, e.Name())) // the next start tries again
		}
	}
	return nil
}
