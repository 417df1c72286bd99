package launch

import (
	"slices"
	"strings"
	"unicode"

	"goated/internal/exact"
	"goated/internal/launch/commandtext"
	"goated/internal/lazyregexp"
)

// fieldLine matches a field of a form. READMEs list these for a client's window: "Command: npx", "-
// **Arguments**: `-y fs-mcp`".
var fieldLine = lazyregexp.New("^\\s*(?:(?:[-*•+]|\\d{1,2}[.)])\\s+)?[*_`]*([A-Za-z][A-Za-z /-]{0,30}?)[*_`]*\\s*:[*_]*(?:\\s+(.*?))?\\s*$")

// fieldKeys maps the name of a field to its key in a configuration.
var fieldKeys = map[string]string{
	"command": "command", "cmd": "command", "program": "command", "executable": "command", "command to run": "command",
	"args": "args", "arguments": "args", "argument": "args", "parameters": "args",
	"name": "name", "server name": "name", "type": "type", "transport": "type", "transport type": "type",
	"url": "url", "server url": "url", "endpoint": "url", "mcp url": "url",
	"env": "env", "environment": "env", "environment variables": "env", "env vars": "env", "environment variable": "env",
	"working directory": "cwd", "cwd": "cwd",
}

// A form holds the fields of one server.
type form struct {
	fields map[string]any
	env    map[string]any
	args   []any
}

// complete reports whether the fields describe a server. A single field may be a sentence.
func (f form) complete(sys System) bool {
	if command, _ := f.fields["command"].(string); sys.describes(command) {
		return false
	}
	return len(f.fields) > 1 && (f.fields["command"] != nil || f.fields["url"] != nil) || f.fields["command"] != nil && len(f.args)+len(f.env) > 0
}

// describes reports whether a text describes a command instead of being one: it has several words, and
// no option or path. The path of a file may contain letters of any language.
func (s System) describes(command string) bool {
	words := strings.Fields(command)
	foreign := slices.ContainsFunc(words, func(w string) bool {
		return !strings.ContainsAny(w, `/\`) && strings.ContainsFunc(w, func(r rune) bool { return r > unicode.MaxASCII && unicode.IsLetter(r) })
	})
	return len(words) > 1 && foreign || len(words) > 3 && !commandtext.Familiar(words[0]) && !s.installed(words[0]) && !isPath(words[0]) && !strings.Contains(command, " -")
}

// labelled reads labelled fields, one per line. Lines without a label belong to the arguments or the
// variables above them. Other lines are prose.
func (s configs) labelled(text string) (Reading, bool) {
	r := Reading{Form: File}
	f, key, title := form{}, "", ""
	done := func() {
		if f.complete(s.System) {
			m := f.fields
			if len(f.args) > 0 {
				m["args"] = f.args
			}
			if len(f.env) > 0 {
				m["env"] = f.env
			}
			if m["name"] != nil {
				title = ""
			}
			if server, err := s.entry(m, title); err == nil {
				r.Servers = append(r.Servers, server)
			}
			title = ""
		}
		f, key = form{fields: make(map[string]any), env: make(map[string]any)}, ""
	}
	done()
	for line := range strings.SplitSeq(text, "\n") {
		m := fieldLine.FindStringSubmatch(line)
		next, value := "", strings.TrimSpace(line)
		if m != nil {
			next, value = fieldKeys[strings.ToLower(m[1])], m[2]
		}
		switch {
		case next != "":
			if f.fields[next] != nil || next == "name" && f.complete(s.System) { // another server starts
				done()
			}
			key = next
			f.field(key, value)
		case m != nil && m[2] == "" && len(r.Servers)+len(f.fields) == 0 && strings.Count(m[1], " ") < 2: // not a sentence such as "Fill out the form"
			title = m[1]
		case value == "" && len(f.args)+len(f.env) > 0:
			key = "" // prose follows
		case (key == "args" || key == "env") && (listItem.MatchString(value) || len(strings.Fields(value)) < 4 || strings.HasPrefix(value, "-")):
			f.field(key, listItem.ReplaceAllString(value, ""))
		}
	}
	done()
	return r, len(r.Servers) > 0
}

// variables matches the separator of variables on one line.
var variables = lazyregexp.New(`,\s*([A-Z_][A-Z0-9_]*=)`)

// listItem matches the bullet of a list item.
var listItem = lazyregexp.New(`^[-*•+]\s+`)

// field sets a field to the value from a line.
func (f *form) field(key, value string) {
	if spans := span.FindAllStringSubmatch(value, -1); len(spans) > 0 { // the words around code only explain it
		var words []string
		for _, m := range spans {
			words = append(words, m[1])
		}
		value = strings.Join(words, " ")
	}
	switch {
	case value == "":
	case key == "env" && variables.MatchString(value): // several
		for _, part := range strings.Split(variables.ReplaceAllString(value, "\n$1"), "\n") {
			f.field(key, part)
		}
	case key == "env":
		name, given, ok := strings.Cut(value, "=")
		if !ok {
			name, given, _ = strings.Cut(value, ":")
		}
		if name = strings.TrimSpace(name); commandtext.IsAssignment(name + "=") {
			f.env[name] = strings.TrimSpace(given)
		}
	case key == "args":
		var list []any
		if exact.Decode([]byte(value), &list) != nil {
			for w := range strings.FieldsSeq(strings.ReplaceAll(value, ", ", " ")) {
				list = append(list, strings.Trim(w, `"'`))
			}
		}
		f.args = append(f.args, list...)
	default:
		f.fields[key] = value
	}
}
