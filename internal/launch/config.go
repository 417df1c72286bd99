package launch

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"

	"goated/internal/launch/commandtext"
	"goated/internal/launch/configtext"
	"goated/internal/launch/loosejson"
	"goated/internal/lazyregexp"
)

// containers are the keys under which clients list their servers by name: Claude, Cursor and most
// others; VS Code; Zed; Codex; Goose.
var containers = []string{"mcpServers", "mcp_servers", "mcp-servers", "servers", "context_servers", "extensions", "mcp"}

// escaped matches the start of JSON with escaped quotes, which PowerShell 5 needs in '{\"name\": …}'.
var escaped = lazyregexp.New(`^[{\[]\s*\\"`)

// json parses JSON with comments and trailing commas: a configuration, its inner part, or one server.
// name describes the text in errors.
func (s configs) json(text, name string) (Reading, error) {
	text = strings.TrimSpace(text)
	if escaped.MatchString(text) {
		text = strings.ReplaceAll(text, `\"`, `"`)
	}
	text = loosejson.DoubleBackslashes(text)
	if fragment.MatchString(text) {
		text = "{" + strings.Trim(text, ", \n\t") + "\n}"
	}
	if err := configtext.CheckDepth(text); err != nil {
		return Reading{}, &Problem{Kind: BadSyntax, Subject: name, Detail: err.Error()}
	}
	tree, o, err := configtext.JSON(text)
	if err != nil {
		first, fixed := err, commandtext.Straight(text)
		if tree, o, err = configtext.JSON(loosejson.Closed(fixed)); err != nil {
			if loose, ok := loosejson.Repair(fixed); ok {
				tree, o, err = configtext.JSON(loose)
			}
		}
		if err != nil {
			return Reading{}, syntaxProblem(name, text, first)
		}
	}
	return s.tree(tree, o, name)
}

// syntaxProblem returns the problem for invalid JSON, with the line of the error.
func syntaxProblem(name, text string, err error) error {
	p := &Problem{Kind: BadSyntax, Subject: name, Detail: strings.TrimPrefix(err.Error(), "hujson: ")}
	var line, column int
	if n, _ := fmt.Sscanf(p.Detail, "line %d, column %d: ", &line, &column); n == 2 {
		_, p.Detail, _ = strings.Cut(p.Detail, ": ")
		p.Line = severalLines(text, line)
	}
	return p
}

// toml parses TOML, such as Codex's configuration.
func (s configs) toml(text, name string) (Reading, error) {
	tree, o, err := configtext.TOML(text)
	if err != nil {
		p := &Problem{Kind: BadSyntax, Subject: name, Detail: err.Error()}
		var wrong toml.ParseError
		if errors.As(err, &wrong) {
			p.Detail, p.Line = wrong.Message, severalLines(text, wrong.Position.Line)
		}
		return Reading{}, p
	}
	return s.tree(tree, o, name)
}

// yaml parses YAML, such as Goose's configuration.
func (s configs) yaml(text, name string) (Reading, error) {
	tree, o, err := configtext.YAML(text)
	if err != nil {
		return Reading{}, &Problem{Kind: BadSyntax, Subject: name, Detail: strings.TrimPrefix(err.Error(), "yaml: ")}
	}
	return s.tree(tree, o, name)
}

// tree reads a parsed configuration, whatever its syntax was.
func (s configs) tree(tree any, o configtext.Order, name string) (Reading, error) {
	r := Reading{Form: File}
	if list, ok := tree.([]any); ok {
		err := s.listed(&r, list, name)
		return r, err
	}
	root, ok := tree.(map[string]any)
	if !ok {
		return r, &Problem{Kind: NoServer, Subject: upper(name)}
	}
	if _, call := root["arguments"].(map[string]any); call && str(root["name"]) != "" { // an example of a tool call
		return r, &Problem{Kind: NoServer, Subject: upper(name)}
	}
	r.Inputs = inputs(root["inputs"])
	if entry := unboxed(root); isEntry(entry) {
		server, err := s.entry(entry, "")
		r.Servers = []Server{server}
		return r, err
	}
	err := s.servers(&r, root, "", o, name, 0)
	return r, err
}

// listed reads a list of servers.
func (s configs) listed(r *Reading, list []any, name string) error {
	var left leftOut
	for i, v := range list {
		m := unboxed(object(v))
		label := str(m["name"])
		if label == "" {
			label = fmt.Sprint("Server ", i+1)
		}
		if !isEntry(m) {
			left.add(label, &Problem{Kind: NoServer, Subject: upper(name)})
			continue
		}
		server, err := s.entry(m, "")
		if err != nil {
			left.add(label, err)
			continue
		}
		r.Servers = append(r.Servers, server)
	}
	return left.note(r, name)
}

// A leftOut collects the servers that a text describes incorrectly. They do not affect the others.
type leftOut struct {
	first error
	notes []Note
}

func (l *leftOut) add(name string, err error) {
	if l.first == nil {
		l.first = err
	}
	reason := err.Error()
	if !strings.Contains(reason, strconv.Quote(name)) && !strings.HasPrefix(reason, name+" ") {
		reason = name + ": " + reason
	}
	l.notes = append(l.notes, Note{LeftOut, reason})
}

// note adds notes about the bad servers to the first good one. If there is no good server, it returns a
// problem.
func (l *leftOut) note(r *Reading, name string) error {
	switch {
	case len(r.Servers) > 0:
		r.Servers[0].Notes = append(r.Servers[0].Notes, l.notes...)
		return nil
	case l.first != nil:
		return l.first
	}
	return &Problem{Kind: NoServer, Subject: upper(name)}
}

// servers reads the object that contains the servers. They are under one of the usual keys, or in the
// object itself.
func (s configs) servers(r *Reading, m map[string]any, path string, o configtext.Order, name string, deep int) error {
	keys, empty := Containers(m)
	for _, key := range keys {
		switch inner := m[key].(type) {
		case map[string]any:
			if deep < 3 {
				if len(r.Inputs) == 0 {
					r.Inputs = inputs(inner["inputs"])
				}
				return s.servers(r, inner, path+"/"+key, o, name, deep+1)
			}
		case []any:
			return s.listed(r, inner, name)
		}
	}
	var left leftOut
	commands := 0
	for _, key := range o.Keys(path, m) {
		inner, ok := m[key].(map[string]any)
		if !ok && deep > 0 {
			inner = object(m[key])
		}
		if inner == nil || key == "inputs" || len(inner) == 0 && slices.Contains(containers, key) {
			continue
		}
		if kind, _ := inner["type"].(string); kind == "builtin" || kind == "platform" { // Goose's own
			continue
		}
		server, err := s.entry(inner, key)
		if err != nil {
			left.add(key, err)
			if inner["command"] != nil {
				commands++
			}
			continue
		}
		r.Servers = append(r.Servers, server)
		if server.Kind != Remote {
			commands++
		}
	}
	if left.first != nil && commands == 0 && (deep == 0 || empty) { // no configuration: package.json has URLs, too
		return &Problem{Kind: NoServer, Subject: upper(name)}
	}
	return left.note(r, name)
}

// Containers returns the keys of an object that contain servers, either as an object by name or as a
// list. empty reports whether one of the usual keys contains no servers, which shows that the object is
// a configuration.
func Containers(m map[string]any) (keys []string, empty bool) {
	for _, key := range slices.Concat(containers, settings(m)) {
		switch inner := m[key].(type) {
		case map[string]any:
			if len(inner) == 0 {
				empty = true
			} else if !IsEntry(inner) { // not a server of that name
				keys = append(keys, key)
			}
		case []any:
			if len(inner) > 0 {
				keys = append(keys, key)
			}
		}
	}
	return keys, empty
}

// settings returns the keys in an editor's settings that contain servers, such as
// "github.copilot.chat.mcp.servers" and "amp.mcpServers".
func settings(m map[string]any) (keys []string) {
	for key := range m {
		if strings.HasSuffix(key, ".mcp.servers") || strings.HasSuffix(key, ".mcpServers") {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// upper capitalizes the first letter of a name, for the beginning of a sentence.
func upper(name string) string {
	if name == "" {
		return name
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

// inputs parses the inputs in a configuration of VS Code.
func inputs(v any) []Input {
	list, _ := v.([]any)
	var out []Input
	for _, v := range list {
		m, ok := v.(map[string]any)
		if !ok || str(m["id"]) == "" {
			continue
		}
		in := Input{ID: str(m["id"]), Prompt: str(m["description"]), Default: str(m["default"])}
		in.Secret, _ = m["password"].(bool)
		if options, ok := m["options"].([]any); ok {
			for _, o := range options {
				if one, ok := o.(map[string]any); ok {
					o = one["value"]
				}
				in.Options = append(in.Options, str(o))
			}
		}
		out = append(out, in)
	}
	return out
}
