package sandbox

import (
	"os"
	"path/filepath"
	"strings"

	"goated/internal/sandbox/socket"
)

// Sentences describes p to the user: what a process reads, writes and reaches.
func (p Policy) Sentences() []string {
	reads := "It reads the programs and libraries of this computer, and none of your files."
	if len(p.Read) > 0 {
		reads = "It reads " + enumeratePaths(p.Read) + ", and the programs and libraries of this computer."
	}
	out := []string{reads}

	switch write := union(union(p.Write, p.Present), p.Files); {
	case len(write) > 0 && p.State != "":
		out = append(out, "It reads and writes "+enumeratePaths(write)+", and its own folder "+displayPath(p.State)+".")
	case len(write) > 0:
		out = append(out, "It reads and writes "+enumeratePaths(write)+".")
	case p.State != "":
		out = append(out, "It writes only its own folder "+displayPath(p.State)+".")
	default:
		out = append(out, "It writes nothing.")
	}

	if p.Exposes() {
		out = append(out, "Among that is goated's own folder: all conversations and settings, and what other servers keep.")
	}

	switch {
	case p.Offline():
		out = append(out, "It has no network.")
	case p.Network == NamedHosts && p.Packages.Install:
		out = append(out, "It may install packages from "+enumerate(p.Packages.Registries)+reaches(p.Hosts)+", and nothing else of the network.")
	case p.Network == NamedHosts:
		out = append(out, "It may reach "+enumerate(p.Hosts)+", and nothing else of the network.")
	default:
		out = append(out, "It may use the whole network.")
	}
	if p.Browser {
		out = append(out, "It may run a browser, whose pages have the same network.")
	}
	switch {
	case p.Desktop:
		out = append(out, "It may talk to your other programs.")
	case p.ConnectsLocally():
		out = append(out, "It may talk to "+p.Programs()+", and to no other program directly.")
	default:
		out = append(out, "It cannot reach your other programs.")
	}
	return out
}

// Programs enumerates the other programs that the process may connect to.
func (p Policy) Programs() string {
	out := socket.Programs(p.Sockets)
	if len(p.Buses) > 0 {
		out = append(out, "accessibility", "the portals of your session")
	}
	return enumerate(out)
}

// reaches continues a sentence with hosts.
func reaches(hosts []string) string {
	if len(hosts) == 0 {
		return ""
	}
	return ", reach " + enumerate(hosts)
}

func enumeratePaths(paths []string) string {
	names := make([]string, len(paths))
	for i, path := range paths {
		names[i] = displayPath(path)
	}
	return enumerate(names)
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
