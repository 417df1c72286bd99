package installs

import (
	"fmt"
	"os"
	"path/filepath"
)

// Mark is the name of a file beside a store. It exists once the store's server has connected, which
// shows that its packages are installed.
const Mark = "installed"

// older is the name of a file in a store that pins the versions of packages that uvx installs. See
// [Repair].
const older = "constraints.txt"

// A Fault is the reason why the packages in a store do not start.
type Fault int

// [Repair] repairs these faults.
const (
	NoFault    Fault = iota
	Incomplete       // npx was stopped during the installation
	Newer            // uvx installed Python SDK 2, because the server does not declare that it needs SDK 1
	Script           // an install script failed, for example because it installs system packages
)

// Repair changes a store after a failed start, so that the next start installs the right packages.
func Repair(store string, f Fault) error {
	switch f {
	case Incomplete:
		return discard(store)
	case Script:
		if err := discard(store); err != nil {
			return err
		}
		return choose(store, scriptless, "")
	case Newer:
		return choose(store, older, "mcp<2\n")
	}
	return nil
}

// choose writes a file into a store that affects what is installed there.
func choose(store, name, text string) error {
	if err := os.WriteFile(filepath.Join(store, name), []byte(text), 0o600); err != nil {
		return fmt.Errorf("choosing what to install: %w", err)
	}
	if err := os.Remove(filepath.Join(filepath.Dir(store), Mark)); err != nil && !os.IsNotExist(err) {
		return fmt.Errorf("choosing what to install: %w", err)
	}
	return nil
}

// discard removes the packages that npx installed in a store, and the mark beside it, so that the
// next start installs them again. Otherwise npx would consider a package installed even if it was
// stopped while it wrote the package's files. npx's downloads stay.
func discard(store string) error {
	for _, path := range []string{filepath.Join(store, "npm", "_npx"), filepath.Join(filepath.Dir(store), Mark)} {
		if err := os.RemoveAll(path); err != nil {
			return fmt.Errorf("removing an incomplete installation: %w", err)
		}
	}
	return nil
}
