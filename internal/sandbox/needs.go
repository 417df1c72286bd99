package sandbox

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"goated/internal/sandbox/browser"
	"goated/internal/sandbox/mistake"
)

// Evidence is what is known of a process that lacks permissions.
type Evidence struct {
	// Refused are the refusals of its sandbox, oldest first. Those of hosts count always.
	Refused []Permission
	// Blocked are the refusals that came with a failure: of a start, or of a call. A
	// process also tries files in vain without harm, such as a cache.
	Blocked []Permission
	// Text is the last lines of its stderr and of its failed calls, and Said those of the
	// failed calls alone.
	Text, Said []string
	// Arguments are absolute paths among the arguments of failed calls.
	Arguments []string
}

// Needs returns the permissions that a server under p lacks. Ask the user about each: a
// server writes, and tries to reach, whatever it wants. Observed refusals come first:
// of those that came with a failure, the ones that the text names, or else the last one.
// Without any, the text itself is evidence.
func Needs(p Policy, e Evidence) []Permission {
	var out []Permission
	need := func(n Permission) {
		if !slices.ContainsFunc(out, n.is) {
			out = append(out, n)
		}
	}
	text := strings.Join(e.Text, "\n")
	for _, r := range e.Refused {
		if p.Browser && r.Kind == ToHost && browser.IsService(r.Host) && !strings.Contains(text, r.Host) {
			continue
		}
		if r.Kind == ToHost || r.Kind == ToInstall || r.Kind == ToBrowser {
			need(r)
		}
	}
	// A call that says which host it lacks fails for that alone: a file in stderr, such as a log
	// in the home folder, is another matter.
	said := strings.Join(e.Said, "\n")
	if slices.ContainsFunc(out, func(r Permission) bool { return r.Kind == ToHost && strings.Contains(said, r.Host) }) {
		return out
	}
	hosts := len(out)
	for _, r := range e.Blocked {
		if r.Path != "" && (strings.Contains(text, r.Path) || r.names(text)) {
			need(r)
		}
	}
	if n := len(e.Blocked); n > 0 && len(out) == 0 && !mistake.In(text) {
		need(e.Blocked[n-1])
	}
	if len(out) > hosts {
		return out
	}
	for _, path := range e.Arguments {
		if !p.reads(path) {
			need(Permission{Kind: ToRead, Path: filepath.Clean(path)})
		}
	}
	home, _ := os.UserHomeDir()
	for _, r := range read(p, e.Text, len(e.Refused) > 0) {
		if browser.IsProfile(r.Path, home) { // the permission for a browser brings one
			continue
		}
		need(r)
	}
	return out
}

// names reports whether a text names the file or folder without its folder.
func (p Permission) names(text string) bool {
	name := filepath.Base(p.Path)
	return len(name) >= 4 && strings.Contains(text, name)
}

// refusalPatterns match the errors of interpreters for a path that they may not use:
// Python and node quote it, Go and the shell put it before a colon. They are compiled once:
// each change of any server asks what all servers lack.
var refusalPatterns = sync.OnceValue(func() []*regexp.Regexp {
	return []*regexp.Regexp{
		regexp.MustCompile(`(?:Permission denied|Operation not permitted): '([^']+)'`),
		regexp.MustCompile(`E(?:ACCES|PERM): [a-z ]+, (\w+) '([^']+)'`),
		regexp.MustCompile(`(open|mkdir|mkdirat|openat|unlinkat|rename|stat|chmod) (/[^:]+): (?:permission denied|operation not permitted)`),
	}
})

// lookupErrors are the errors of programs that resolve names themselves, without the
// proxy.
var lookupErrors = []string{
	"EAI_AGAIN", "Temporary failure in name resolution", "Name or service not known", "dial tcp: lookup ", "Could not resolve host", "getaddrinfo",
}

// offlineErrors are the errors of programs without a network.
var offlineErrors = []string{
	"socket: permission denied", "connect EACCES", "connect EPERM", "listen EACCES", "listen EPERM", "bind EACCES", "bind EPERM",
}

// read finds permissions in the words of a server, where nothing was observed. A bare
// "Permission denied" is about no file and no host. observed says that the sandbox
// reported a refusal, which a line about a connection is then about.
func read(p Policy, lines []string, observed bool) []Permission {
	var out []Permission
	patterns := refusalPatterns()
	for _, line := range lines {
		for _, pattern := range patterns {
			m := pattern.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			path, doing := m[len(m)-1], ""
			if len(m) > 2 {
				doing = m[1]
			}
			if !filepath.IsAbs(path) {
				continue
			}
			kind := ToRead
			if strings.HasPrefix(doing, "mk") || strings.HasPrefix(doing, "un") || strings.HasPrefix(doing, "rename") || p.reads(path) {
				kind = ToWrite
			}
			if kind == ToWrite && p.writes(path) {
				continue // the sandbox does not refuse it
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
		has := func(s string) bool { return strings.Contains(line, s) }
		if slices.ContainsFunc(lookupErrors, has) || !observed && slices.ContainsFunc(offlineErrors, has) {
			out = append(out, Permission{Kind: ToNetwork})
		}
	}
	return out
}

func (p Policy) reads(path string) bool {
	return slices.ContainsFunc(slices.Concat(p.Read, p.System, p.writable(), p.Files), func(dir string) bool { return within(path, dir) })
}

func (p Policy) writes(path string) bool {
	return slices.ContainsFunc(append(p.writable(), p.Files...), func(dir string) bool { return within(path, dir) })
}
