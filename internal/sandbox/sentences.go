package sandbox

import (
	"os"
	"path/filepath"

	"goated/internal/enumeration"
	"goated/internal/sandbox/socket"
)

// Programs enumerates the other programs that the process may connect to.
func (p Policy) Programs() string {
	out := socket.Programs(p.Sockets)
	if len(p.Buses) > 0 {
		out = append(out, "accessibility", "the portals of your session")
	}
	return enumeration.And(out)
}

// displayPath returns a path relative to the home folder, if it is below it.
func displayPath(path string) string {
	home, err := os.UserHomeDir()
	if err != nil || home == "/" {
		return path
	}
	switch rel, err := filepath.Rel(home, path); {
	case err != nil || !filepath.IsLocal(rel):
		return path
	case rel == ".":
		return "your home folder"
	default:
		return "~" + string(filepath.Separator) + rel
	}
}
