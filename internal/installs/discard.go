package installs

import (
	"fmt"
	"os"
	"path/filepath"
)

// Mark is the file beside a store that says that its server has connected: its packages are
// there.
const Mark = "installed"

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
