package installs

import (
	"fmt"
	"os"
	"path/filepath"
)

// Mark is the file beside a store that says that its server has connected: its packages are
// there.
const Mark = "installed"

// older is the file in a store that holds what uvx installs to a version. See [Repair].
const older = "constraints.txt"

// A Fault says why what was installed below a store does not start.
type Fault int

// The faults that [Repair] repairs.
const (
	NoFault    Fault = iota
	Incomplete       // npx ended while it installed
	Newer            // uvx took version 2 of the Python SDK for a server of version 1 that does not say so
	Script           // an install script failed, such as one that installs packages of the system
)

// Repair changes a store after a failed start, so that the next one installs what the
// server needs.
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

// choose writes a file in a store that changes what is installed there.
func choose(store, name, text string) error {
	if err := os.WriteFile(filepath.Join(store, name), []byte(text), 0o600); err != nil {
		return fmt.Errorf("choosing what to install: %w", err)
	}
	if err := os.Remove(filepath.Join(filepath.Dir(store), Mark)); err != nil && !os.IsNotExist(err) {
		return fmt.Errorf("choosing what to install: %w", err)
	}
	return nil
}

// discard removes what npx installed below a store, and the mark beside it, so that the next
// start installs it again. npx takes a package for installed whose files it was still
// writing when it ended. What it downloaded stays.
func discard(store string) error {
	for _, path := range []string{filepath.Join(store, "npm", "_npx"), filepath.Join(filepath.Dir(store), Mark)} {
		if err := os.RemoveAll(path); err != nil {
			return fmt.Errorf("removing an incomplete installation: %w", err)
		}
	}
	return nil
}
