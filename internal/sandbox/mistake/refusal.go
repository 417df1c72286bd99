package mistake

import (
	"iter"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"goated/internal/sandbox/worktree"
)

// refusals match the errors of interpreters for a path that they may not use:
// Python and Node quote it, Go and the shell put it before a colon. They are compiled once:
// each change of any server asks what all servers lack.
var refusals = sync.OnceValue(func() []*regexp.Regexp {
	return []*regexp.Regexp{
		regexp.MustCompile(`(?:Permission denied|Operation not permitted): '([^']+)'`),
		regexp.MustCompile(`E(?:ACCES|PERM): [a-z ]+, (\w+) '([^']+)'`),
		regexp.MustCompile(`(open|mkdir|mkdirat|openat|unlinkat|rename|stat|chmod) (/[^:]+): (?:permission denied|operation not permitted)`),
	}
})

// Git is what a line is about that misses a repository.
const Git = "git"

// missed matches what git says of a repository of a worktree that it may not read, and of one
// that is none. Git does not say which.
var missed = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`not a git repository: (/.+)`) })

// Refusals yields the absolute path that a line says may not be used, and the system call, such as
// "mkdir", or what follows from it; empty if it is not said. Of a worktree it yields the git
// folder of its repository, if there is one that knows the worktree, with [Git].
func Refusals(line string) iter.Seq2[string, string] {
	return func(yield func(path, doing string) bool) {
		for _, pattern := range refusals() {
			m := pattern.FindStringSubmatch(line)
			if m == nil || !filepath.IsAbs(m[len(m)-1]) {
				continue
			}
			doing := ""
			if len(m) > 2 {
				doing = m[1]
			}
			if !yield(m[len(m)-1], doing) {
				return
			}
		}
		if m := missed().FindStringSubmatch(line); m != nil {
			if git := worktree.Git(strings.TrimRight(m[1], " '\")")); git != "" {
				yield(git, Git)
			}
		}
	}
}

// denied matches the words of a refusal in any line.
var denied = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\bEACCES\b|\bEPERM\b|\bEROFS\b|permission denied|not permitted|access (?:is )?denied|read-only|may not|not writable|(?:could ?n[o']t|cannot|can't|unable to|failed to) (?:be )?(?:create|write|open|make|access|read)`)
})

// Denied reports whether a text says that something was refused.
func Denied(text string) bool { return denied().MatchString(text) }

// Names reports whether a text names a file or folder, or its name without its folder.
func Names(text, path string) bool {
	name := filepath.Base(path)
	return path != "" && (strings.Contains(text, path) || len(name) >= 4 && strings.Contains(text, name))
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

// local matches the errors of Go and Node for a socket in the file system, through which one
// program reaches another on the same computer.
var local = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:dial unix ([^\s:]+): (?:socket|connect): (?:permission denied|operation not permitted)|connect E(?:ACCES|PERM) (/[^\s'"]+))`)
})

// Socket returns the path of the socket that a text says may not be used; empty if it names none.
func Socket(text string) string {
	m := local().FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	return m[1] + m[2]
}

// Offline reports whether a line is the error of a program without a network. observed says
// that the sandbox reported a refusal, which a line about a connection is then about. A socket
// in the file system is not part of the network.
func Offline(line string, observed bool) bool {
	if Socket(line) != "" {
		return false
	}
	has := func(s string) bool { return strings.Contains(line, s) }
	return slices.ContainsFunc(lookupErrors, has) || !observed && slices.ContainsFunc(offlineErrors, has)
}
