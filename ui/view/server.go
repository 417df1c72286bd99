package view

import (
	"errors"
	"strconv"
	"strings"
	"unicode"

	"goated/client"
	"goated/internal/launch"
	"goated/internal/shellword"
	"goated/ui/view/format"
)

// ToolCount formats a number of tools, for example "3 tools" or "1 tool".
func ToolCount(n int) string { return format.Plural(n, "%[2]s tool", "%[2]s tools", format.Count(n)) }

// ServerCount formats a number of servers, for example "3 servers" or "1 server".
func ServerCount(n int) string {
	return format.Plural(n, "%[2]s server", "%[2]s servers", format.Count(n))
}

// ServerLabel returns a server's name and the exact number of its tools that can be called (seed
// 003, property 5).
func ServerLabel(s client.Server) string { return s.Name + " · " + ToolCount(len(s.Tools)) }

// NeverStarted reports whether a server has never listed tools, neither now nor at an earlier
// start.
func NeverStarted(s client.Server) bool { return len(s.Tools) == 0 && len(s.Last) == 0 }

// ServerStatus returns a word for a server's status.
func ServerStatus(s client.Server) string {
	switch s.Status {
	case client.Connecting:
		return "Connecting…"
	case client.Connected:
		return "Connected"
	case client.Disconnected:
		return "Disconnected"
	case client.Failed:
		if !s.RetryAt.IsZero() {
			return "Restarting…"
		}
		return "Failed"
	}
	return s.Status.String()
}

// ServerCommand returns a server's script and arguments on one line, with ~ for the home folder.
// For a bundled server it returns a note instead.
func ServerCommand(s client.Server) string {
	if s.Bundled {
		return "comes with goated"
	}
	words := make([]string, 0, 1+len(s.Args))
	for _, w := range append([]string{s.Path}, s.Args...) {
		w = Tilde(launch.ShownFolders(w))
		if w == "" || strings.ContainsFunc(w, func(r rune) bool { return unicode.IsSpace(r) || r == '"' }) {
			w = strconv.Quote(w)
		}
		words = append(words, w)
	}
	return strings.Join(words, " ")
}

// ServerArgument returns the text that identifies a server for --server: its saved name, or its command
// line.
func ServerArgument(s client.Server) string {
	if s.Saved {
		return s.Name
	}
	words := append([]string{s.Path}, s.Args...)
	for i, w := range words {
		words[i] = shellword.Quote(w)
	}
	if len(words) == 1 {
		return s.Path
	}
	return strings.Join(words, " ")
}

// UncallableReasons returns the reasons why some of a server's tools cannot be called, without
// duplicates.
func UncallableReasons(s client.Server) []string {
	var reasons []string
	count := make(map[string]int)
	for _, p := range s.Uncallable {
		if count[p.Reason]++; count[p.Reason] == 1 {
			reasons = append(reasons, p.Reason)
		}
	}
	return reasons
}

// Stderr returns the last lines that a server wrote to stderr before err, newest last.
func Stderr(err error) []string {
	var e *client.Error
	if errors.As(err, &e) {
		return e.Stderr
	}
	return nil
}
