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

// refusals match the errors that interpreters print for a path that they may not use. Python and
// Node quote the path, Go and the shell put it before a colon. The patterns are compiled once,
// because each change to a server checks what all servers lack.
var refusals = sync.OnceValue(func() []*regexp.Regexp {
	return []*regexp.Regexp{
		regexp.MustCompile(`(?:Permission denied|Operation not permitted): '([^']+)'`),
		regexp.MustCompile(`E(?:ACCES|PERM): [a-z ]+, (\w+) '([^']+)'`),
		regexp.MustCompile(`(open|mkdir|mkdirat|openat|unlinkat|rename|stat|chmod) (/[^:]+): (?:permission denied|operation not permitted)`),
	}
})

// Git is the operation in [Refusals] for a line about a missing repository.
const Git = "git"

// missed matches git's error both for a worktree's repository that it may not read and for a folder
// that is no repository. The errors are the same.
var missed = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`not a git repository: (/.+)`) })

// Refusals yields the absolute path that a line reports as refused, and the system call, such as
// "mkdir". The system call is empty if the line names none. For a worktree it yields the git folder of
// the worktree's repository with [Git], if there is a repository that contains the worktree.
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

// denied matches the words for a refusal in any line.
var denied = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\bEACCES\b|\bEPERM\b|\bEROFS\b|permission denied|not permitted|access (?:is )?denied|read-only|may not|not writable|(?:could ?n[o']t|cannot|can't|unable to|failed to) (?:be )?(?:create|write|open|make|access|read)`)
})

// Denied reports whether a text mentions a refusal.
func Denied(text string) bool { return denied().MatchString(text) }

// Names reports whether a text contains the path of a file or folder, or its base name.
func Names(text, path string) bool {
	name := filepath.Base(path)
	return path != "" && (strings.Contains(text, path) || len(name) >= 4 && strings.Contains(text, name))
}

// lookupErrors are errors of programs that resolve names themselves instead of using the proxy.
var lookupErrors = []string{
	"EAI_AGAIN", "Temporary failure in name resolution", "Name or service not known", "dial tcp: lookup ", "Could not resolve host", "getaddrinfo",
}

// offlineErrors are errors of programs without a network.
var offlineErrors = []string{
	"socket: permission denied", "connect EACCES", "connect EPERM", "listen EACCES", "listen EPERM", "bind EACCES", "bind EPERM",
}

// local matches the errors of Go and Node for a Unix socket in the file system, which connects
// programs on the same computer.
var local = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:dial unix ([^\s:]+): (?:socket|connect): (?:permission denied|operation not permitted)|connect E(?:ACCES|PERM) (/[^\s'"]+))`)
})

// Socket returns the path of the socket that a text reports as refused, or "" if there is none.
func Socket(text string) string {
	m := local().FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	return m[1] + m[2]
}

// Offline reports whether a line is an error of a program without a network. observed means that
// the sandbox reported a refusal. A line about a connection then refers to it. A socket in the file
// system is not part of the network.
func Offline(line string, observed bool) bool {
	if Socket(line) != "" {
		return false
	}
	has := func(s string) bool { return strings.Contains(line, s) }
	return slices.ContainsFunc(lookupErrors, has) || !observed && slices.ContainsFunc(offlineErrors, has)
}
