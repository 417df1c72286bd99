package sandbox

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// refusalPatterns match the errors of interpreters for a path that they may not use:
// Python and node quote it, Go and the shell put it before a colon.
func refusalPatterns() []*regexp.Regexp {
	return []*regexp.Regexp{
		regexp.MustCompile(`(?:Permission denied|Operation not permitted): '([^']+)'`),
		regexp.MustCompile(`E(?:ACCES|PERM): [a-z ]+, (\w+) '([^']+)'`),
		regexp.MustCompile(`(open|mkdir|mkdirat|openat|unlinkat|rename|stat|chmod) (/[^:]+): (?:permission denied|operation not permitted)`),
	}
}

// lookupErrors are the errors of programs that resolve names themselves, without the
// proxy.
var lookupErrors = []string{
	"EAI_AGAIN", "Temporary failure in name resolution", "Name or service not known", "dial tcp: lookup ", "Could not resolve host", "getaddrinfo",
}

// offlineErrors are the errors of programs without a network.
var offlineErrors = []string{
	"socket: permission denied", "connect EACCES", "connect EPERM", "listen EACCES", "listen EPERM", "bind EACCES", "bind EPERM",
}

// refusedSocket is Python's error for a refused socket; for a file, the path follows.
const refusedSocket = "[Errno 13] Permission denied"

func refusesSocket(line string) bool {
	_, after, found := strings.Cut(line, refusedSocket)
	return found && !strings.HasPrefix(after, ":")
}

// socketLine matches a line of Python's traceback that opens a socket. The error below
// it names neither a path nor the network.
var socketLine = regexp.MustCompile(`\bsocket\b|\b(?:bind|listen|connect|create_server)\(`)

// pathlessRefusal matches a refusal without a path.
var pathlessRefusal = regexp.MustCompile(`PermissionError: \[Errno 13?\] (?:Permission denied|Operation not permitted)$`)

// Needs returns the permissions that a server under p lacks: those that its [Sandbox]
// refused, and guesses from the last lines of its stderr. Ask the user about each: a
// server writes, and tries to reach, whatever it wants.
func Needs(p Policy, refused []Permission, stderr []string) []Permission {
	out := slices.Clone(refused)
	need := func(n Permission) {
		if !slices.ContainsFunc(out, n.is) {
			out = append(out, n)
		}
	}
	patterns := refusalPatterns()
	opened := false
	for _, line := range stderr {
		opened = opened || socketLine.MatchString(line)
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
			need(Permission{Kind: kind, Path: filepath.Clean(path)})
			break
		}
		if p.Network == AnyNetwork {
			continue
		}
		has := func(s string) bool { return strings.Contains(line, s) }
		lookup := slices.ContainsFunc(lookupErrors, has)
		// If the sandbox reported a refusal, the line is about that one.
		socket := len(refused) == 0 && (slices.ContainsFunc(offlineErrors, has) || refusesSocket(line) || opened && pathlessRefusal.MatchString(line))
		if lookup || socket {
			need(Permission{Kind: ToNetwork})
		}
	}
	return out
}

func (p Policy) reads(path string) bool {
	return slices.ContainsFunc(slices.Concat(p.Read, p.System, p.writable()), func(dir string) bool { return within(path, dir) })
}

func (p Policy) writes(path string) bool {
	return slices.ContainsFunc(p.writable(), func(dir string) bool { return within(path, dir) })
}
