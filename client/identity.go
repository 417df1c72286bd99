package client

import (
	"crypto/sha256"
	"fmt"
	"os"

	"goated/internal/proc"
)

// identity returns the key of a server in the cache. It changes with the program and the
// script (path, size and time), the arguments, and the server's own environment.
func (c Config) identity(run proc.Command) string {
	h := sha256.New()
	for _, path := range []string{run.Program, c.Path} {
		if info, err := os.Stat(path); err == nil {
			fmt.Fprintf(h, "%q %d %d\n", path, info.Size(), info.ModTime().UnixNano())
		}
	}
	fmt.Fprintf(h, "%q %q %q %q\n", run.Dir, run.Args, c.Env, c.URL)
	return fmt.Sprintf("%x", h.Sum(nil)[:16])
}

// stableKey returns a cache key of a server that does not change with its code: a server that asks the
// user in the older protocol still does so after an edit.
func (c Config) stableKey(run proc.Command) string {
	h := sha256.New()
	fmt.Fprintf(h, "asks %q %q %q %q %q\n", run.Program, c.Path, run.Dir, run.Args, c.URL)
	return fmt.Sprintf("%x", h.Sum(nil)[:16])
}
