package installs

import (
	"fmt"
	"os"
	"path/filepath"
)

// Mark is the file beside a store that says that its server has connected: its packages are
// there.
const Mark = "installed"

// Older is the file in a store that holds what uvx installs to a version. See [Repair].
const Older = "constraints.txt"

// Repair changes a store after a failed start, so that the next one installs what the
// server needs: all of an incomplete installation, or version 1 of the Python SDK for a
// server that is written for it and does not say so.
func Repair(store string, incomplete, older bool) error {
	switch {
	case incomplete:
		return Discard(store)
	case older:
		if err := os.WriteFile(filepath.Join(store, Older), []byte("mcp<2\n"), 0o600); err != nil {
			return fmt.Errorf("choosing an older version: %w", err)
		}
		if err := os.Remove(filepath.Join(filepath.Dir(store), Mark)); err != nil && !os.IsNotExist(err) {
			return fmt.Errorf("choosing an older version: %w", err)
		}
	}
	return nil
}

// Discard removes what npx installed below a store, and the mark beside it, so that the next
// start installs it again. npx takes a package for installed whose files it was still
// writing when it ended. What it downloaded stays.
func Discard(store string) error {
	for _, path := range []string{filepath.Join(store, "npm", "_npx"), filepath.Join(filepath.Dir(store), Mark)} {
		if err := os.RemoveAll(path); err != nil {
			return fmt.Errorf("removing an incomplete installation: %w", err)
		}
	}
	return nil
}
