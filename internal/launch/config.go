package launch

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/tailscale/hujson"
	"go.yaml.in/yaml/v3"

	"goated/internal/exact"
	"goated/internal/launch/loosejson"
)

// containers are the keys under which clients list their servers by name: Claude,
// Cursor and most others; VS Code; Zed; Codex; Goose.
var containers = []string{"mcpServers", "mcp_servers", "mcp-servers", "servers", "context_servers", "amp.mcpServers", "extensions", "mcp"}

// maxDepth bounds how deep values nest, because parsers recurse.
const maxDepth = 100

// json returns the reading of JSON with comments and trailing commas: a configuration, its
// inner part, or one server. name is the text's, for errors.
func (s configs) json(text, name string) (Reading, error) {
	text = loosejson.DoubleBackslashes(strings.TrimSpace(text))
	if fragment.MatchString(text) {
		text = "{" + strings.Trim(text, ", \n\t") + "\n}"
	}
	if err := CheckDepth(text); err != nil {
		return Reading{}, &Problem{Kind: BadSyntax, Subject: name, Detail: err.Error()}
	}
	v, err := hujson.Parse([]byte(text))
	if err != nil {
		first, fixed := err, straight.Replace(text)
		if v, err = hujson.Parse([]byte(loosejson.Closed(fixed))); err != nil {
			if loose, ok := loosejson.Repair(fixed); ok {
				v, err = hujson.Parse([]byte(loose))
			}
		}
		if err != nil {
			return Reading{}, syntaxProblem(name, text, first)
		}
	}
	plain := v.Clone()
	plain.Standardize()
	var tree any
	if err := exact.Decode(plain.Pack(), &tree); err != nil {
		return Reading{}, syntaxProblem(name, text, err)
	}
	return s.tree(tree, keysOf(v), name)
}

// CheckDepth returns an error for a text whose brackets nest so deep that a parser of it could
// run out of stack.
func CheckDepth(text string) error {
	now := 0
	for _, c := range []byte(text) {
		switch c {
		case '{', '[':
			if now++; now > maxDepth {
				return fmt.Errorf("it nests deeper than %d levels", maxDepth)
			}
		case '}', ']':
			now--
		}
	}
	return nil
}

// syntaxProblem returns the problem of JSON that does not parse, with its line.
func syntaxProblem(name, text string, err error) error {
	p := &Problem{Kind: BadSyntax, Subject: name, Detail: strings.TrimPrefix(err.Error(), "hujson: ")}
	var line, column int
	if n, _ := fmt.Sscanf(p.Detail, "line %d, column %d: ", &line, &column); n == 2 {
		_, p.Detail, _ = strings.Cut(p.Detail, ": ")
		p.Line = severalLines(text, line)
	}
	return p
}

// An order is the keys of objects in the order of the text, by the path of the object.
type order map[string][]string

// keysOf returns the orders of the objects near the root.
func keysOf(v hujson.Value) order {
	o := make(order)
	var walk func(v hujson.Value, path string, deep int)
	walk = func(v hujson.Value, path string, deep int) {
		obj, ok := v.Value.(*hujson.Object)
		if !ok || deep > 3 {
			return
		}
		for _, m := range obj.Members {
			lit, ok := m.Name.Value.(hujson.Literal)
			if !ok {
				continue
			}
			key := lit.String()
			o[path] = append(o[path], key)
			walk(m.Value, path+"/"+key, deep+1)
		}
	}
	walk(v, "", 0)
	return o
}

// keys returns the keys of an object, in the order of the text if that is known.
func (o order) keys(path string, m map[string]any) []string {
	var out []string
	for _, key := range o[path] {
		if _, ok := m[key]; ok && !slices.Contains(out, key) {
			out = append(out, key)
		}
	}
	var rest []string
	for key := range m {
		if !slices.Contains(out, key) {
			rest = append(rest, key)
		}
	}
	slices.Sort(rest)
	return append(out, rest...)
}

// toml returns the reading of TOML, such as Codex's configuration.
func (s configs) toml(text, name string) (Reading, error) {
	var tree map[string]any
	meta, err := toml.Decode(text, &tree)
	if err != nil {
		p := &Problem{Kind: BadSyntax, Subject: name, Detail: err.Error()}
		var wrong toml.ParseError
		if errors.As(err, &wrong) {
			p.Detail, p.Line = wrong.Message, severalLines(text, wrong.Position.Line)
		}
		return Reading{}, p
	}
	o := make(order)
	for _, key := range meta.Keys() {
		for i := range key {
			path := strings.Join(append([]string{""}, key[:i]...), "/")
			if !slices.Contains(o[path], key[i]) {
				o[path] = append(o[path], key[i])
			}
		}
	}
	return s.tree(map[string]any(tree), o, name)
}

// yaml returns the reading of YAML, such as Goose's configuration.
func (s configs) yaml(text, name string) (Reading, error) {
	node, err := YAML(text)
	if err != nil {
		return Reading{}, &Problem{Kind: BadSyntax, Subject: name, Detail: strings.TrimPrefix(err.Error(), "yaml: ")}
	}
	var tree any
	if err := node.Decode(&tree); err != nil {
		return Reading{}, &Problem{Kind: BadSyntax, Subject: name, Detail: strings.TrimPrefix(err.Error(), "yaml: ")}
	}
	o := make(order)
	var walk func(n *yaml.Node, path string, deep int)
	walk = func(n *yaml.Node, path string, deep int) {
		if n.Kind == yaml.DocumentNode && len(n.Content) == 1 {
			n = n.Content[0]
		}
		if n.Kind != yaml.MappingNode || deep > 3 {
			return
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i].Value
			o[path] = append(o[path], key)
			walk(n.Content[i+1], path+"/"+key, deep+1)
		}
	}
	walk(node, "", 0)
	return s.tree(tree, o, name)
}

// YAML parses a text. Its plain numbers are strings, which keep their digits: a float64 has 53 bits, and
// 1.10 is a version.
func YAML(text string) (*yaml.Node, error) {
	var root yaml.Node
	if err := yaml.Unmarshal([]byte(text), &root); err != nil {
		return nil, err
	}
	var keep func(n *yaml.Node)
	keep = func(n *yaml.Node) {
		if number := n.Tag == "!!int" || n.Tag == "!!float"; number && json.Valid([]byte(n.Value)) {
			n.Tag = "!!str"
		}
		for _, inner := range n.Content {
			keep(inner)
		}
	}
	keep(&root)
	return &root, nil
}

// tree returns the reading of a configuration, whatever its syntax.
func (s configs) tree(tree any, o order, name string) (Reading, error) {
	r := Reading{Form: File}
	if list, ok := tree.([]any); ok {
		err := s.listed(&r, list, name)
		return r, err
	}
	root, ok := tree.(map[string]any)
	if !ok {
		return r, &Problem{Kind: NoServer, Subject: upper(name)}
	}
	if _, call := root["arguments"].(map[string]any); call && str(root["name"]) != "" { // an example of a tool
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

// A leftOut is the servers that a text describes wrongly. They do not spoil the others.
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

// note adds a note about the bad servers to the first good one. Without a good server, it
// returns a problem.
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

// servers reads the object that holds the servers: under one of the usual keys, or
// itself.
func (s configs) servers(r *Reading, m map[string]any, path string, o order, name string, deep int) error {
	empty := false
	for _, key := range slices.Concat(containers, settings(m)) {
		switch inner := m[key].(type) {
		case map[string]any:
			if len(inner) == 0 {
				empty = true // another key may have the servers
			} else if deep < 3 {
				if len(r.Inputs) == 0 {
					r.Inputs = inputs(inner["inputs"])
				}
				return s.servers(r, inner, path+"/"+key, o, name, deep+1)
			}
		case []any:
			if len(inner) > 0 {
				return s.listed(r, inner, name)
			}
		}
	}
	var left leftOut
	commands := 0
	for _, key := range o.keys(path, m) {
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
	if left.first != nil && commands == 0 && (deep == 0 || empty) { // no configuration at all: package.json has URLs too
		return &Problem{Kind: NoServer, Subject: upper(name)}
	}
	return left.note(r, name)
}

// settings returns the keys of an editor's settings that hold servers, such as
// "github.copilot.chat.mcp.servers".
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

// inputs returns the inputs of VS Code's configuration.
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
