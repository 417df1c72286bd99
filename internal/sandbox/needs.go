package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"goated/internal/paths"
	"goated/internal/sandbox/browser"
	"goated/internal/sandbox/limit"
	"goated/internal/sandbox/mistake"
	"goated/internal/sandbox/public"
	"goated/internal/sandbox/worktree"
)

// Evidence is the known information about a process that lacks permissions.
type Evidence struct {
	// Refused are the refusals of its sandbox, oldest first. Refused hosts always count.
	Refused []Permission
	// Blocked are the refusals that came with a failed start or call. Processes also fail to open
	// files without harm, for example a cache.
	Blocked []Permission
	// Text has the last lines of its stderr and of its failed calls. Said has only the lines of the
	// failed calls.
	Text, Said []string
	// Reached are limits that the system saw the process reach.
	Reached []limit.Kind
	// Fatal is the line that explains its exit, or "" if it is running.
	Fatal string
	// Arguments are absolute paths among the arguments of failed calls.
	Arguments []string
	// Config is the text of its command and settings, as the user entered them.
	Config string
}

// Needs returns the permissions that a server under p lacks. The caller must ask the user about
// each one, because the server controls what it writes and tries to reach. Observed refusals come
// first. Of the ones that came with a failure, Needs returns those that the text names, otherwise
// the last one. Without refusals, the text itself is evidence. A worktree needs its repository. A
// limit that the text names comes first.
func Needs(p Policy, e Evidence) (out []Permission) {
	for _, k := range slices.Concat(e.Reached, limit.Reached(e.Text)) {
		if n := p.Limits.More(k); n > 0 {
			if need := (Permission{Kind: ToLimit, Limit: k, Amount: n}); !slices.ContainsFunc(out, need.is) {
				out = append(out, need)
			}
		}
	}
	for _, n := range p.needs(e) {
		if n.Kind == ToRead || n.Kind == ToWrite {
			n.Path = worktree.Whole(n.Path, p.reads)
		}
		if !slices.ContainsFunc(out, n.is) {
			out = append(out, n)
		}
	}
	return out
}

func (p Policy) needs(e Evidence) []Permission {
	var out []Permission
	need := func(n Permission) { out = append(out, n) } // the result may contain duplicates
	text := strings.Join(e.Text, "\n")
	e.Blocked = slices.DeleteFunc(slices.Clone(e.Blocked), e.isOptionalLookup)
	for _, r := range e.Refused {
		if r.Kind == ToHost && (slices.Contains(p.Hosts, r.Host) || p.Browser && browser.IsService(r.Host) && !strings.Contains(text, r.Host)) {
			continue // allowed in the meantime, or part of the browser permission
		}
		if e.isOptionalLookup(r) {
			continue
		}
		if r.Kind == ToHost || r.Kind == ToInstall || r.Kind == ToBrowser {
			need(r)
		}
	}
	// If the error names a host or a file, ignore all other refusals. A log in the home folder, a
	// check for a newer version or an optional download did not end the program.
	if named := e.named(p, out); len(named) > 0 {
		return named
	}
	hosts := len(out)
	for _, r := range e.Blocked {
		if mistake.Names(text, r.Path) {
			need(r)
		}
	}
	if n := len(e.Blocked); n > 0 && len(out) == 0 && !mistake.In(text) {
		need(e.Blocked[n-1])
	}
	if len(out) > hosts {
		if e.Fatal != "" { // the first need is its diagnosis
			slices.SortStableFunc(out, func(a, b Permission) int { return rank(a, text) - rank(b, text) })
		}
		return out
	}
	for _, path := range e.Arguments {
		if !p.reads(path) {
			need(Permission{Kind: ToRead, Path: filepath.Clean(path)})
		}
	}
	home, _ := os.UserHomeDir()
	for _, r := range read(p, e.Text, len(e.Refused) > 0) {
		if browser.IsProfile(r.Path, home) { // the permission for a browser includes a profile
			continue
		}
		need(r)
	}
	return out
}

// isOptionalLookup reports whether a refused host was only a library's check for a cloud. The library
// continues without it.
func (e Evidence) isOptionalLookup(r Permission) bool {
	return r.Kind == ToHost && public.IsMetadata(r.Host) && !strings.Contains(e.Config, r.Host)
}

// named returns the refusals that the failure names, plus those without which no program starts. It
// returns none if the failure names none. asked holds the refusals without a path.
func (e Evidence) named(p Policy, asked []Permission) (out []Permission) {
	verdict := strings.Join(append(slices.Clone(e.Said), e.Fatal), "\n")
	some := false
	for _, r := range slices.Concat(asked, e.Blocked, e.saidArguments(p)) {
		named := r.Host != "" && strings.Contains(verdict, r.Host) || r.Path != "" && mistake.Denied(verdict) && mistake.Names(verdict, r.Path)
		if some = some || named; (named || r.Host == "" && r.Path == "") && !slices.ContainsFunc(out, r.is) {
			out = append(out, r)
		}
	}
	if !some && e.Fatal != "" {
		out = append(out, slices.DeleteFunc(read(p, []string{e.Fatal}, true), func(r Permission) bool { return r.Path == "" })...)
		some = len(out) > 0 && out[len(out)-1].Path != ""
	}
	if !some {
		return nil
	}
	return out
}

// saidArguments returns the files among the arguments of a failed call that the call's error names.
// If the program only checked whether the file exists, the sandbox reports no refusal.
func (e Evidence) saidArguments(p Policy) (out []Permission) {
	for _, path := range e.Arguments {
		if path = filepath.Clean(path); !p.reads(path) && strings.Contains(strings.Join(e.Said, "\n"), path) {
			out = append(out, Permission{Kind: ToRead, Path: path})
		}
	}
	return out
}

// read derives permissions from a server's output if the sandbox observed none. A plain "Permission
// denied" names neither a file nor a host. observed means that the sandbox reported a refusal. A
// line about a connection then refers to it.
func read(p Policy, lines []string, observed bool) []Permission {
	var out []Permission
	for _, line := range lines {
		for path, doing := range mistake.Refusals(line) {
			kind := ToRead
			if strings.HasPrefix(doing, "mk") || strings.HasPrefix(doing, "un") || strings.HasPrefix(doing, "rename") || p.reads(path) {
				kind = ToWrite
			}
			if kind == ToWrite && (p.writes(path) || doing == mistake.Git) {
				continue // the sandbox allows it
			}
			need := Permission{Kind: kind, Path: filepath.Clean(path)}
			if _, err := os.Lstat(path); err != nil && kind == ToWrite && !strings.HasPrefix(doing, "mk") { // a new file
				home, _ := os.UserHomeDir()
				need = newFile(need.Path, home)
			}
			out = append(out, need)
			break
		}
		if p.Network == AnyNetwork {
			continue
		}
		if mistake.Offline(line, observed) && !slices.ContainsFunc(strings.Fields(line), public.IsMetadata) {
			out = append(out, Permission{Kind: ToNetwork})
		}
	}
	return out
}

// rank orders refusals by how likely they made a server fail. Access that every program needs for
// its start comes first, then access that the text names.
func rank(r Permission, text string) int {
	switch {
	case r.Host == "" && r.Path == "":
		return 0
	case r.Path != "" || strings.Contains(text, r.Host):
		return 1
	}
	return 2
}

// MayRead reports whether p allows reading a path.
func (p Policy) MayRead(path string) bool { return p.reads(path) }

func (p Policy) reads(path string) bool {
	return slices.ContainsFunc(slices.Concat(p.Read, p.System, p.writable(), p.Files), func(dir string) bool { return paths.Within(path, dir) })
}

func (p Policy) writes(path string) bool {
	return slices.ContainsFunc(append(p.writable(), p.Files...), func(dir string) bool { return paths.Within(path, dir) })
}
