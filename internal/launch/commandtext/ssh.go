package commandtext

import (
	"slices"
	"strings"
)

// sshValued are the one-letter options of ssh that take a value.
const sshValued = "BbcDEeFIiJLlmOoPpQRSWw"

// OverSSH splits the words of an ssh command. host is the computer that it connects to, and command are
// the words that run there. A session or a tunnel has no command. ok is false for other programs.
func OverSSH(words []string) (host string, command []string, ok bool) {
	if len(words) == 0 || ProgramName(words[0]) != "ssh" {
		return "", nil, false
	}
	for i := 1; i < len(words); i++ {
		w := words[i]
		switch {
		case w == "--" && host != "":
			return host, words[i+1:], true
		case w == "--":
		case strings.HasPrefix(w, "-"):
			if at := strings.IndexAny(w[1:], sshValued) + 1; at == len(w)-1 && at > 0 { // the value is the next word
				i++
			}
		case host == "":
			host = hostOf(w)
		default:
			return host, words[i:], true
		}
	}
	return host, nil, host != ""
}

// hostOf returns the host in [user@]host or ssh://[user@]host[:port].
func hostOf(destination string) string {
	host, uri := strings.CutPrefix(destination, "ssh://")
	host = host[strings.LastIndexByte(host, '@')+1:]
	if uri {
		host, _, _ = strings.Cut(host, ":")
	}
	return host
}

// LastCommand returns the words of the last command in the text that ssh passes to a shell, as in
// "cd /srv && uvx X".
func LastCommand(command []string) []string {
	words := strings.Fields(strings.NewReplacer("&&", " ; ", ";", " ; ").Replace(strings.Join(command, " ")))
	for i, w := range slices.Backward(words) {
		if w == ";" && i+1 < len(words) {
			words = words[i+1:]
			break
		}
	}
	for len(words) > 1 && (words[0] == "exec" || words[0] == "env" || IsAssignment(words[0])) {
		words = words[1:]
	}
	return words
}

// shellCommands are shell commands that start no server.
var shellCommands = strings.Fields("source . export set unset mkdir chmod clear ls cat touch cp mv which alias")

// IsOfShell reports whether a command is one of a shell or of its everyday tools, which starts no server.
func IsOfShell(command string) bool { return slices.Contains(shellCommands, command) }
