package view

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"goated/internal/safetext"
	"goated/internal/sandbox"
	"goated/internal/sandbox/limit"
	"goated/internal/shellword"
)

// A permissionText holds the texts for one permission.
type permissionText struct {
	wants     func(server string) string // the question whether to give it to a server
	means     string                     // the consequences of allowing it
	permitted string                     // its name in the list of permissions
	label     string                     // the label of the button that allows it
	flag      string                     // the command-line flag that allows it; empty if there is none
	icon      string
}

// maxPath is the maximal length of a path, in characters. It is large enough that no path is cut.
const maxPath = 4096

// permissionTextOf returns the texts for p. It is the only source of texts about permissions.
func permissionTextOf(p sandbox.Permission) permissionText {
	switch p.Kind {
	case sandbox.ToRead, sandbox.ToWrite, sandbox.ToWriteFile:
		return pathPermissionText(p)
	case sandbox.ToHost:
		return hostPermissionText(p)
	case sandbox.ToNetwork:
		return permissionText{
			wants:     func(server string) string { return fmt.Sprintf("%s wants to use the network", server) },
			means:     "It could reach any computer and send it everything that it can read. It could also reach the services of this computer.",
			permitted: "Use the network",
			label:     "Allow network",
			flag:      "--allow-network",
			icon:      "shield",
		}
	case sandbox.ToDesktop:
		return permissionText{
			wants:     func(server string) string { return fmt.Sprintf("%s wants to talk to your other programs", server) },
			means:     "It could ask other programs to act for it, such as the sound server or the keyring.",
			permitted: "Talk to your other programs",
			label:     "Allow",
			icon:      "shield",
		}
	case sandbox.ToBrowser:
		return permissionText{
			wants:     func(server string) string { return fmt.Sprintf("%s wants to run a browser", server) },
			means:     "It could start an installed browser in its sandbox, without your profile. Pages come only from the hosts that you allow.",
			permitted: "Run a browser",
			label:     "Allow a browser",
			flag:      "--allow-browser",
			icon:      "shield",
		}
	case sandbox.ToLimit:
		amount := limit.Text(p.Limit, p.Amount)
		return permissionText{
			wants:     func(server string) string { return fmt.Sprintf("%s wants to use %s", server, amount) },
			means:     "It reached the limit of its sandbox. With more, it could slow your other programs down.",
			permitted: "Use " + amount,
			label:     "Allow " + amount,
			flag:      limitFlag(p),
			icon:      "shield",
		}
	case sandbox.ToInstall:
		return permissionText{
			wants:     func(server string) string { return fmt.Sprintf("%s wants to install packages", server) },
			means:     "It could download packages from your package registries into its own folder and run them in its sandbox. The rest of the network stays blocked.",
			permitted: "Install packages",
			label:     "Allow package installs",
			flag:      "--allow-install",
			icon:      "shield",
		}
	}
	return permissionText{
		wants: func(server string) string {
			return fmt.Sprintf("%s asks for a permission that this version of goated does not know", server)
		},
		permitted: "Unknown permission",
		label:     "Allow",
		icon:      "shield",
	}
}

// pathPermissionText returns the texts for a permission for a file or a folder.
func pathPermissionText(p sandbox.Permission) permissionText {
	shown := safetext.Cut(Tilde(p.Path), maxPath) // a server can ask for a path with any characters
	switch p.Kind {
	case sandbox.ToRead:
		return permissionText{
			wants:     func(server string) string { return fmt.Sprintf("%s wants to read %s", server, shown) },
			means:     readConsequence(p.Path),
			permitted: fmt.Sprintf("Read %s", shown),
			label:     "Allow reading",
			flag:      "--allow-read " + shellword.Quote(p.Path),
			icon:      "folder",
		}
	case sandbox.ToWrite:
		return permissionText{
			wants:     func(server string) string { return fmt.Sprintf("%s wants to read and write %s", server, shown) },
			means:     "It could read, change and delete everything there.",
			permitted: fmt.Sprintf("Read and write %s", shown),
			label:     "Allow writing",
			flag:      "--allow-write " + shellword.Quote(folderToCreate(p.Path)),
			icon:      "folder",
		}
	}
	return permissionText{
		wants: func(server string) string {
			return fmt.Sprintf("%s wants to read and write the file %s", server, shown)
		},
		means:     "It could read, change and delete this file, and those that belong to it, such as a journal.",
		permitted: fmt.Sprintf("Read and write the file %s", shown),
		label:     "Allow writing",
		flag:      "--allow-write " + shellword.Quote(p.Path),
		icon:      "file",
	}
}

// hostPermissionText returns the texts for a permission for a host.
func hostPermissionText(p sandbox.Permission) permissionText {
	out := permissionText{
		wants:     func(server string) string { return fmt.Sprintf("%s wants to reach %s", server, p.Host) },
		means:     "It could send that host everything it can read, and read the replies. The rest of the network stays blocked.",
		permitted: fmt.Sprintf("Reach %s", p.Host),
		label:     fmt.Sprintf("Allow %s", p.Host),
		flag:      "--allow-host " + shellword.Quote(p.Host),
		icon:      "chain",
	}
	if h, err := sandbox.ParseHost(p.Host); err == nil && h.Local() {
		out.means = "That is this computer or one in your network, not the Internet. The server could use and change any service there."
	}
	return out
}

// limitFlag returns the flag that raises a limit.
func limitFlag(p sandbox.Permission) string {
	switch p.Limit {
	case limit.Memory:
		return fmt.Sprintf("--allow-memory %dM", p.Amount>>20)
	case limit.Processes:
		return fmt.Sprintf("--allow-processes %d", p.Amount)
	}
	return fmt.Sprintf("--allow-files %d", p.Amount)
}

// readConsequence returns the consequences of permission to read a path.
func readConsequence(path string) string {
	if filepath.Base(path) == ".git" {
		return "The history of a git repository is there, also that of its worktrees. It could read each version of its files and the addresses of its remotes, and pass them on in its answers."
	}
	return "It could read everything there and pass it on in its answers."
}

// folderToCreate appends a slash to a missing path, so that the flag creates a folder.
func folderToCreate(path string) string {
	if _, err := os.Lstat(path); err != nil && !strings.HasSuffix(path, string(filepath.Separator)) {
		return path + string(filepath.Separator)
	}
	return path
}

// AllowQuestion returns the question whether to allow a permission.
func AllowQuestion(server string, p sandbox.Permission) string {
	return permissionTextOf(p).wants(server)
}

// ShortAllowQuestion is AllowQuestion for a line without room for a path. It names only the kind of path.
func ShortAllowQuestion(server string, p sandbox.Permission) string {
	if p.Path == "" {
		return AllowQuestion(server, p)
	}
	what, does := "a file", "read"
	if p.Kind != sandbox.ToRead {
		does = "read and write"
	}
	if f, err := os.Stat(p.Path); err == nil && f.IsDir() || err != nil && p.Kind == sandbox.ToWrite {
		what = "a folder"
	}
	return fmt.Sprintf("%s wants to %s %s", server, does, what)
}

// ConsequenceText returns the consequences of allowing a permission.
func ConsequenceText(p sandbox.Permission) string { return permissionTextOf(p).means }

// TerminalQuestion returns the question for a terminal, and the text before it: what a server wants, and the
// consequences. danger is a warning that replaces the consequences, or "" if there is none.
func TerminalQuestion(server string, p sandbox.Permission, danger string, guards bool) (about, question string) {
	about, question = AllowQuestion(server, p)+".\n", "Allow it until goated quits? [y/N] "
	if danger == "" {
		about += ConsequenceText(p)
	} else {
		about += danger
		question = "Allow it until goated quits? [yes/N] "
	}
	if kept := ProtectedText(p, guards); kept != "" {
		about += "\n" + kept
	}
	return about, question
}

// PermissionName returns the name of a permission in the list of permissions.
func PermissionName(p sandbox.Permission) string { return permissionTextOf(p).permitted }

// AllowLabel returns the label of the button that allows a permission.
func AllowLabel(p sandbox.Permission) string { return permissionTextOf(p).label }

// PermissionIcon returns the name of a permission's icon.
func PermissionIcon(p sandbox.Permission) string { return permissionTextOf(p).icon }

// AllowFlag returns the command-line flag that allows a permission, or "" if there is none.
func AllowFlag(p sandbox.Permission) string { return permissionTextOf(p).flag }

// HostOf parses a host that the user typed. The error is a text for the user.
func HostOf(text string) (string, error) {
	h, err := sandbox.ParseHost(text)
	switch {
	case err == nil:
		return h.String(), nil
	case errors.Is(err, sandbox.HostEmpty):
		return "", errors.New("enter a host, such as api.example.org")
	case errors.Is(err, sandbox.HostURL):
		return "", errors.New("enter only the host, such as api.example.org, without https:// and the path")
	case errors.Is(err, sandbox.HostPort):
		return "", errors.New("a port must be a number from 1 to 65535")
	case errors.Is(err, sandbox.HostWide):
		return "", errors.New("*. needs two or more parts after it, as in *.example.org. For more, allow the whole network")
	}
	return "", errors.New("that is not a host name or an address")
}

// RepeatText explains why a call may run a second time, and the consequences.
func RepeatText(server, tool string) string {
	server, tool = safetext.Name(server), safetext.Name(tool)
	return tool + " stopped when it asked you a question: " + server + " can ask only in an older version of MCP. goated restarts " + server + " with that version. " +
		tool + " may already have done a part of its work. If it runs again, it may do that part twice."
}
