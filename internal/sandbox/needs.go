package sandbox

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// refusalPatterns are what interpreters say of a path that they may not use: Python's
// and node's in quotes, Go's and the shell's before a colon.
func refusalPatterns() []*regexp.Regexp {
	return []*regexp.Regexp{
		regexp.MustCompile(`(?:Permission denied|Operation not permitted): '([^']+)'`),
		regexp.MustCompile(`E(?:ACCES|PERM): [a-z ]+, (\w+) '([^']+)'`),
		regexp.MustCompile(`(open|mkdir|mkdirat|openat|unlinkat|rename|stat|chmod) (/[^:]+): (?:permission denied|operation not permitted)`),
	}
}

// lookupErrors are what they say where no name is found: they look for it themselves,
// and not through the proxy.
var lookupErrors = []string{
	"EAI_AGAIN", "Temporary failure in name resolution", "Name or service not known", "dial tcp: lookup ", "Could not resolve host", "getaddrinfo",
}

// offlineErrors are what they say where there is no network.
var offlineErrors = []string{
	"socket: permission denied", "connect EACCES", "connect EPERM", "listen EACCES", "listen EPERM", "bind EACCES", "bind EPERM",
}

// refusedSocket is what Python says where it gets no socket: of a file it would
// tell the path.
const refusedSocket = "[Errno 13] Permission denied"

func refusesSocket(line string) bool {
	_, after, found := strings.Cut(line, refusedSocket)
	return found && !strings.HasPrefix(after, ":")
}

// socketLine is a line of Python's traceback in which one is opened: the error
// below it names neither a path nor the network.
var socketLine = regexp.MustCompile(`\bsocket\b|\b(?:bind|listen|connect|create_server)\(`)

// pathlessRefusal is the refusal of what is no file.
var pathlessRefusal = regexp.MustCompile(`PermissionError: \[Errno 13?\] (?:Permission denied|Operation not permitted)$`)

// Needs are the permissions that a server under p lacks, for the user to be asked
// once: those that its [Sandbox] refused, and what can be guessed from what it
// last wrote to stderr. Nothing is to be allowed on its word alone: a server
// writes, and tries to reach, what it likes.
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
				continue // it is not the sandbox that refuses
			}
			need(Permission{Kind: kind, Path: filepath.Clean(path)})
			break
		}
		if p.Network == AnyNetwork {
			continue
		}
		has := func(s string) bool { return strings.Contains(line, s) }
		lookup := slices.ContainsFunc(lookupErrors, has)
		// Where the sandbox knows what it refused, that is what the line is about.
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
