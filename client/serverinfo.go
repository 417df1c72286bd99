package client

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/launch"
)

// Bounds of what a server says about itself, in characters.
const (
	maxName         = 40
	maxInstructions = 16 << 10
)

// setServerInfo stores what a server says about itself. It keeps the id, which is part of the names of
// the server's tools. The caller holds the list's mu.
func setServerInfo(s *server, r *mcp.InitializeResult) {
	if r == nil {
		return
	}
	s.view.Undeclared = r.Capabilities != nil && r.Capabilities.Tools == nil
	s.view.Instructions = truncated(strings.TrimSpace(r.Instructions), maxInstructions)
	if r.ServerInfo == nil {
		return
	}
	s.view.Version = oneLine(r.ServerInfo.Version, maxName)
	if s.config.Name != "" || s.config.Bundled {
		return
	}
	name := oneLine(r.ServerInfo.Title, maxName)
	if name == "" && !launch.IsSpecificName(s.view.Name) { // else the user knows it by the name that the field showed
		name = oneLine(r.ServerInfo.Name, maxName)
	}
	if name != "" && launch.IsSpecificName(name) && !s.host.list.named(name, s) {
		s.view.Name = name
	}
}

// named reports whether another server has this name, ignoring case. The caller holds mu.
func (l *serverList) named(name string, except *server) bool {
	return strings.EqualFold(name, "goated") || slices.ContainsFunc(l.servers, func(o *server) bool {
		return o != except && (strings.EqualFold(o.view.Name, name) || strings.EqualFold(o.view.ID, name))
	})
}

// oneLine returns a text on one line, without invisible characters.
func oneLine(text string, most int) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r), r == utf8.RuneError:
			return -1
		}
		return r
	}, text)
	return truncated(strings.Join(strings.Fields(text), " "), most)
}

// truncated cuts a text to a number of characters.
func truncated(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most-1]) + "…"
}
