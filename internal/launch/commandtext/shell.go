package commandtext

import (
	"encoding/json"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"goated/internal/lazyregexp"
)

var (
	// setEnv matches an assignment in the syntax of a Windows shell or fish, alone on a line or before
	// a command.
	setEnv = lazyregexp.New(`(?i)^\s*(?:` +
		`set\s+"([a-z_]\w*)=([^"\n]*)"|set\s+([a-z_]\w*)\s*=\s*([^&\n]*?)|` +
		`\$env:([a-z_]\w*)\s*=\s*("[^"\n]*"|'[^'\n]*'|[^;\s]+)|` +
		`setx\s+([a-z_]\w*)\s+("[^"\n]*"|\S+)|` +
		`set\s+-\w*x\w*\s+([a-z_]\w*)\s+("[^"\n]*"|'[^'\n]*'|[^;\s]+)` +
		`)\s*(&&|&|;|$)`)
	// activate matches the Windows command that activates a virtual environment.
	activate = lazyregexp.New(`(?i)^\s*(?:&\s*)?(?:\.\\)?[\w.-]+\\Scripts\\activate(?:\.\w+)?\s*(?:#.*)?$`)
	// powerShellRef matches an environment variable in PowerShell.
	powerShellRef = lazyregexp.New(`(?i)\$env:([a-z_]\w*)`)
)

// posix translates a line in the syntax of a Windows shell or fish to bash.
func posix(line string) string {
	if activate.MatchString(line) {
		return "source activate"
	}
	var set strings.Builder
	for {
		m := setEnv.FindStringSubmatch(line)
		if m == nil {
			break
		}
		for i := 1; i < len(m)-1; i += 2 {
			if m[i] == "" {
				continue
			}
			value := m[i+1]
			if n := len(value); n > 1 && (value[0] == '"' || value[0] == '\'') && value[n-1] == value[0] {
				value = value[1 : n-1]
			}
			quoted, err := syntax.Quote(value, syntax.LangBash)
			if err != nil {
				return line
			}
			set.WriteString(m[i] + "=" + quoted + "; ")
		}
		line = line[len(m[0]):]
	}
	return set.String() + powerShellRef.ReplaceAllString(line, "$${$1}")
}

// BehindShell returns the command that a Windows shell starts, such as the words after cmd /c. ok is
// false for other programs.
func BehindShell(words []string) (rest []string, ok bool) {
	var last []string // the options that precede the command
	switch strings.ToLower(ProgramName(words[0])) {
	case "cmd":
		last = []string{"/c", "/k"}
	case "powershell", "pwsh":
		last = []string{"-command", "-c"}
	case "wsl":
		for i := 1; i < len(words); i++ {
			switch w := words[i]; {
			case w == "--" || w == "-e" || w == "--exec":
				return words[i+1:], i+1 < len(words)
			case slices.Contains([]string{"-d", "--distribution", "-u", "--user", "--cd", "--shell-type"}, w):
				i++
			case !strings.HasPrefix(w, "-"):
				return words[i:], true
			}
		}
		return nil, false
	}
	for i := 1; i < len(words); i++ {
		w := words[i]
		if slices.Contains(last, strings.ToLower(w)) {
			return words[i+1:], i+1 < len(words)
		}
		if i > 1 && !strings.HasPrefix(w, "/") && !strings.HasPrefix(w, "-") && strings.HasPrefix(words[i-1], "/") {
			break // a program follows options such as /s
		}
	}
	return nil, false
}

// QuoteJSON quotes the JSON in a command as a whole. After cmd /c, the JSON's own quotes are written as
// \", and the shell around the command has already unescaped them.
func QuoteJSON(line string) string {
	at := strings.IndexAny(line, "{")
	end := strings.LastIndexByte(line, '}') + 1
	if at < 1 || end <= at || line[at-1] != ' ' || !json.Valid([]byte(line[at:end])) {
		return line
	}
	quoted, err := syntax.Quote(line[at:end], syntax.LangBash)
	if err != nil {
		return line
	}
	return line[:at] + quoted + line[end:]
}

// drive matches the start of a Windows path with single backslashes.
var drive = lazyregexp.New(`^[A-Za-z]:\\[^\\]`)

// Unescape removes the backslashes of the shell from an unquoted part of a word. It keeps those of a
// Windows path with single backslashes.
func Unescape(text string) string {
	if drive.MatchString(text) {
		return text
	}
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) {
			i++
		}
		out.WriteByte(text[i])
	}
	return out.String()
}
