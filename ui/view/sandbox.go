package view

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"goated/client"
	"goated/internal/enumeration"
	"goated/internal/paths"
	"goated/internal/sandbox"
)

// A Shield is how far a server's process is confined.
type Shield int

// The states of a shield.
const (
	ShieldUnknown Shield = iota // no process is running
	ShieldWhole
	ShieldPart
	ShieldNone
	ShieldRemote // the server runs on another computer, or as another program
)

// ShieldOf returns how far a server's process is confined.
func ShieldOf(s client.Server) Shield {
	switch {
	case s.URL != "":
		return ShieldRemote
	case s.NoSandbox:
		return ShieldNone
	case s.Sandbox.Confined() && len(s.Sandbox.Missing()) == 0:
		return ShieldWhole
	case s.Sandbox.Confined():
		return ShieldPart
	case s.Status == client.Connected:
		return ShieldNone
	}
	return ShieldUnknown
}

// String returns the label of the shield.
func (s Shield) String() string {
	switch s {
	case ShieldWhole:
		return "Sandboxed"
	case ShieldPart:
		return "Partly sandboxed"
	case ShieldNone:
		return "Not sandboxed"
	case ShieldRemote:
		return "Remote"
	}
	return "Not running"
}

// ShieldNote explains a server's shield: what it protects from, or what it does not cover.
func ShieldNote(s client.Server) string {
	switch state := ShieldOf(s); {
	case state == ShieldRemote:
		return "goated does not control it. It receives only what goated sends it, and nothing else from this computer."
	case s.NoSandbox:
		return "You turned its sandbox off. It can do everything that you can: read and change all your files, use the network, and start and stop programs."
	case state == ShieldNone:
		return "This system can't sandbox it. It can do everything that you can: read and change all your files, use the network, and start and stop programs."
	case state == ShieldPart:
		return SandboxGaps(s.Sandbox) + wrapNote(s.Sandbox.Wrap)
	case state == ShieldWhole:
		return "It can do only what is listed here." + wrapNote(s.Sandbox.Wrap)
	case s.Status == client.Connecting:
		return "It is starting in its sandbox, with the permissions below."
	}
	return "It is not running. It starts in its sandbox, with the permissions below."
}

// wrapNote describes what bubblewrap adds to a sandbox, or why it adds nothing.
func wrapNote(w sandbox.Wrap) string {
	switch w {
	case sandbox.Wrapped:
		return " " + "It sees only its own processes."
	case sandbox.WrapMissing:
		return " " + "bubblewrap is not installed. With it, the server's processes could share memory and inspect themselves."
	case sandbox.WrapUntrusted:
		return " " + "goated does not use bubblewrap, because users other than root can change its program file."
	case sandbox.WrapFails:
		return " " + "bubblewrap is installed but does not work here. The log says why."
	}
	return ""
}

// SandboxGaps describes in one sentence what a sandbox does not prevent. It returns "" if the sandbox
// is complete.
func SandboxGaps(s sandbox.Status) string {
	if missing := s.Missing(); s.Confined() && len(missing) > 0 {
		return "This system sandboxes it only partly: " + strings.Join(missing, "; ") + "."
	}
	return ""
}

// ExpectedConfinement describes how far this system will confine a server that is not running yet.
func ExpectedConfinement(s sandbox.Status) string {
	switch {
	case !s.Confined():
		return "This system has no sandbox for it: it can do whatever you can. goated asks before it starts."
	case SandboxGaps(s) != "":
		return "It runs in the sandbox. " + SandboxGaps(s)
	}
	return "It runs in the sandbox."
}

// ExpectedStatus returns how far this system will confine the next server. probe is what the kernel
// supports. The running servers show which other limits are available, such as control groups.
func ExpectedStatus(probe sandbox.Status, running []client.Server) sandbox.Status {
	for _, s := range running {
		if s.Sandbox.Confined() {
			probe.Sums, probe.Signals = probe.Sums || s.Sandbox.Sums, probe.Signals || s.Sandbox.Signals
		}
	}
	return probe
}

// An AccessRow is one row of a card that lists what a server may do.
type AccessRow struct {
	Name, Value string
	Wide        bool // exceeds what a server may do by default
}

// AccessRows returns what a sandboxed server may read, write and connect to.
func AccessRows(s client.Server, g sandbox.Grant) []AccessRow {
	p := s.Policy
	out := []AccessRow{{"Reads", reads(p), len(g.Read) > 0}, {"Writes", writes(p), len(g.Write)+len(g.Present) > 0}}
	if p.Exposes() && !s.Bundled {
		out = append(out, AccessRow{"Private", "that includes goated's own folder with all conversations, the settings and other servers' data", true})
	}
	if slices.ContainsFunc(g.Write, paths.IsDir) {
		starts := "none of the files in there that your programs run by themselves, such as .git/hooks, .git/config, .envrc and the settings of editors. It can change what you run yourself, such as a Makefile"
		if !s.Sandbox.Guards {
			starts = "it can put files into what it writes that your other programs run, such as .envrc or .git/hooks. This system can't keep single files of an allowed folder from it"
		}
		out = append(out, AccessRow{"Starts", starts, true})
	}
	out = append(out, AccessRow{"Network", network(s), !p.Offline()})
	programs := AccessRow{"Programs", "none but those it starts itself", false}
	if p.Desktop {
		programs = AccessRow{"Programs", "can talk to your other programs", true}
	} else if p.ConnectsLocally() {
		programs = AccessRow{"Programs", "can talk to " + p.Programs() + ", and to no other program directly", true}
	}
	return append(out, programs, AccessRow{"Memory", memory(p, s.Sandbox), false})
}

// memory describes the limit of a server's memory and its gaps. Without a control group, the
// limit of a process does not count shared memory or files in memory (memfd_create).
func memory(p sandbox.Policy, s sandbox.Status) string {
	if p.Limits.Memory == 0 {
		return "no limit"
	}
	amount := fmt.Sprintf("%.3g GiB", float64(p.Limits.Memory)/(1<<30))
	if s.Sums {
		return amount + " for all its processes together, with the memory that they share"
	}
	out := amount + " for each process. "
	if p.Shm {
		return out + "Memory that processes share has no limit, except /dev/shm"
	}
	return out + "Memory that processes share has no limit"
}

// network describes which hosts a server may reach.
func network(s client.Server) string {
	switch p := s.Policy; {
	case p.Network == sandbox.AnyNetwork:
		return "all of it, including this computer's own services"
	case p.Offline():
		return "none"
	case !s.Sandbox.Hosts:
		return fmt.Sprintf("none: this system can't limit it to %s", strings.Join(p.Hosts, ", "))
	default:
		return fmt.Sprintf("%s, and nothing else", strings.Join(p.Hosts, ", "))
	}
}

func reads(p sandbox.Policy) string {
	if len(p.Read) == 0 {
		return "programs and libraries of this computer, none of your files"
	}
	return fmt.Sprintf("%s, and programs and libraries of this computer", joinPaths(p.Read))
}

func writes(p sandbox.Policy) string {
	switch paths := slices.Concat(p.Write, p.Present); {
	case len(paths) > 0 && p.State != "":
		return fmt.Sprintf("%s and its own data folder", joinPaths(paths))
	case len(paths) > 0:
		return joinPaths(paths)
	case p.State != "":
		return "its own data folder"
	}
	return "nothing"
}

// AccessLine returns the content of AccessRows on one line.
func AccessLine(s client.Server) string {
	p := s.Policy
	read, reached := "none of your files", "no network"
	if len(p.Read) > 0 {
		read = joinPaths(p.Read)
	}
	switch {
	case p.Network == sandbox.AnyNetwork:
		reached = "the whole network"
	case !p.Offline() && s.Sandbox.Hosts:
		reached = fmt.Sprintf("reaches %s", strings.Join(p.Hosts, ", "))
	}
	return fmt.Sprintf("Reads %s · writes %s · %s", read, writes(p), reached)
}

// ConfinementText describes in two sentences what a sandboxed server may do, and that it may do nothing
// else. For any other server, it explains the shield.
func ConfinementText(s client.Server) string {
	if state := ShieldOf(s); state != ShieldWhole && state != ShieldPart {
		return ShieldNote(s)
	}
	p := s.Policy
	var may, not []string
	write := slices.Concat(p.Write, p.Present)
	read := slices.DeleteFunc(slices.Clone(p.Read), func(path string) bool { return paths.WithinAny(path, write) })
	if len(write) > 0 {
		may = append(may, "read and change "+joinPaths(write))
	}
	if len(read) > 0 {
		may = append(may, "read "+joinPaths(read))
	}
	switch {
	case p.Network == sandbox.AnyNetwork:
		may = append(may, "use the whole network")
	case p.Offline() || !s.Sandbox.Hosts:
		not = append(not, "no network")
	default:
		may = append(may, "reach "+strings.Join(p.Hosts, ", "))
	}
	if p.Desktop {
		may = append(may, "talk to your other programs")
	} else if p.ConnectsLocally() {
		may = append(may, "talk to "+p.Programs())
	} else {
		not = append(not, "no other programs")
	}
	except := ""
	if missing := s.Sandbox.Missing(); len(missing) > 0 {
		except = " The exception: " + strings.Join(missing, "; ") + "."
	}
	if len(may) == 0 {
		return "It has a folder of its own. It can do nothing else: none of your files, " + strings.Join(not, ", ") + "." + except
	}
	out := "It can " + enumeration.And(may)
	if len(not) == 0 {
		return out + "." + except
	}
	return out + ". It can do nothing else: " + strings.Join(not, ", ") + "." + except
}

// joinPaths joins paths, with ~ for the home folder. It omits paths within another one.
func joinPaths(paths []string) string {
	var names []string
	for _, path := range paths {
		inside := slices.ContainsFunc(paths, func(dir string) bool {
			rel, err := filepath.Rel(dir, path)
			return err == nil && rel != "." && filepath.IsLocal(rel)
		})
		if name := Tilde(path); !inside && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// Tilde returns a path with ~ for the home folder.
func Tilde(path string) string {
	home, err := os.UserHomeDir()
	if err != nil || home == "/" || !filepath.IsAbs(path) {
		return path
	}
	rel, err := filepath.Rel(home, path)
	switch {
	case err != nil || !filepath.IsLocal(rel):
		return path
	case rel == ".":
		return "~"
	}
	return "~" + string(filepath.Separator) + rel
}

// AllowedAtText formats when a permission was allowed, in the time zone of now.
func AllowedAtText(at, now time.Time) string {
	if at.IsZero() {
		return ""
	}
	switch at = at.In(now.Location()); {
	case at.Year() != now.Year():
		return at.Format("2 Jan 2006")
	case at.YearDay() != now.YearDay():
		return at.Format("2 Jan")
	}
	return at.Format("15:04")
}
