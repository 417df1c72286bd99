package sandbox

import (
	"os"
	"path/filepath"
	"strings"

	"goated/internal/sandbox/socket"
)

// Programs enumerates the other programs that the process may connect to.
func (p Policy) Programs() string {
	out := socket.Programs(p.Sockets)
	if len(p.Buses) > 0 {
		out = append(out, "accessibility", "the portals of your session")
	}
	return enumerate(out)
}

func enumerate(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// displayPath returns a path relative to the home folder, if it is in there.
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
