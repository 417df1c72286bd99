package launch

import (
	"slices"
	"strings"
	"unicode"

	"goated/internal/launch/configtext"
)

// sequence reads a text that consists of several JSON objects, as people paste one configuration after
// the other. ok is false for other texts.
func (s configs) sequence(text string) (r Reading, ok bool) {
	if !strings.HasPrefix(text, "{") || !strings.HasSuffix(text, "}") {
		return Reading{}, false
	}
	parts := configtext.Objects(text, maxParts)
	between := text
	for _, part := range parts {
		between = strings.Replace(between, part, "", 1)
	}
	if strings.Trim(between, ", \t\n") != "" {
		return Reading{}, false
	}
	return s.all(parts)
}

// all returns the servers of several configurations without prose around them. The first of several
// servers with the same name counts. ok is false unless each part is a configuration, and there are
// several servers.
func (s configs) all(parts []string) (r Reading, ok bool) {
	r.Form = File
	for _, part := range parts {
		one, err := code(cleaned(part), s.System)
		if err != nil || one.Form != File {
			return Reading{}, false
		}
		for _, in := range one.Inputs {
			r.addInput(in)
		}
		for _, server := range one.Servers {
			if !slices.ContainsFunc(r.Servers, func(have Server) bool { return have.Name == server.Name }) {
				r.Servers = append(r.Servers, server)
			}
		}
	}
	return r, len(parts) > 1 && len(r.Servers) > 1
}

// firstWord returns the first word of a name that is specific to a server: "acme" for mcp-acme-local. A
// README calls the ways to start a server acme-local, acme-remote and so on.
func firstWord(name string) string {
	for w := range strings.FieldsFuncSeq(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if IsSpecificName(w) {
			return w
		}
	}
	return name
}

// maxOthers limits how many other servers a note names.
const maxOthers = 6

// mention adds a note to a reading about the servers of the other configurations in the same text. Those
// that only start the same server in another way do not count.
func (r Reading) mention(others []Server) Reading {
	same := func(a, b Server) bool {
		one, other := strings.ToLower(a.Name), strings.ToLower(b.Name)
		return strings.Contains(one, other) || strings.Contains(other, one) || firstWord(one) == firstWord(other) ||
			a.Origin.Source == b.Origin.Source && a.Origin.Package == b.Origin.Package
	}
	var left []Server
	for _, s := range others {
		if IsSpecificName(s.Name) && !slices.ContainsFunc(slices.Concat(r.Servers, left), func(have Server) bool { return same(have, s) }) {
			left = append(left, s)
		}
	}
	if len(left) == 0 {
		return r
	}
	var names []string
	for _, s := range left[:min(len(left), maxOthers)] {
		names = append(names, s.Name)
	}
	if len(left) > maxOthers {
		names = append(names, "…")
	}
	r.Servers[0].Notes = append(r.Servers[0].Notes, Note{Others, strings.Join(names, ", ")})
	return r
}
