package transfer

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"goated/internal/config"
	"goated/internal/launch"
	"goated/internal/launch/configtext"
	"goated/internal/lazyregexp"
)

const (
	// maxServers limits the servers in one file.
	maxServers = 500
	// maxEnvFile limits a file of variables, in bytes.
	maxEnvFile = 1 << 20
)

// A Found holds the contents of a file.
type Found struct {
	File
	Servers []Entry
	Inputs  []launch.Input // inputs that the servers need
	Err     error          // why the file could not be read
	Empty   bool           // the file is empty, as at the beginning of a write
}

// An Entry is one server in a file.
type Entry struct {
	Name   string
	Server launch.Server
	Err    error // why only this server could not be parsed
}

// Own returns the name of goated's own server that an entry starts, if it does.
func (e Entry) Own() (name string, ok bool) { return launch.Own(e.Server.Command, e.Server.Args) }

// Problem returns the name of an entry and why it could not be parsed.
func (e Entry) Problem() string {
	if text := e.Err.Error(); strings.HasPrefix(text, e.Name+" ") {
		return text
	}
	return e.Name + ": " + e.Err.Error()
}

// Repeats reports whether two entries are the same server: they run the same way with the same
// values.
func (e Entry) Repeats(o Entry) bool {
	same := func(a, b launch.Variable) bool { return a.Name == b.Name && a.Value == b.Value }
	a, b := e.Server, o.Server
	return slices.Equal(a.Words(), b.Words()) && a.Dir == b.Dir &&
		slices.EqualFunc(a.Env, b.Env, same) && slices.EqualFunc(a.Remote.Headers, b.Remote.Headers, same)
}

// Saved reports whether saved contains the server of an entry, under any name. The values of inputs
// may differ, because the user entered them.
func (e Entry) Saved(saved []config.Launch) bool {
	draft := Drafted(e.Server, nil, nil).Launch
	return slices.ContainsFunc(saved, func(l config.Launch) bool {
		l.Name = ""
		return l.Same(draft) || l.Same(draft.WithoutSecrets()) || fills(l, draft) || fills(l, draft.WithoutSecrets())
	})
}

// fills reports whether a saved server is the server of a draft, with any values for its inputs.
func fills(l, draft config.Launch) bool {
	words := func(l config.Launch) []string { return append([]string{l.URL, l.Dir}, l.Args...) }
	return l.Path == draft.Path && l.Command == draft.Command && slices.EqualFunc(words(l), words(draft), func(have, want string) bool {
		return between(have, launch.Between(want))
	})
}

// between reports whether text consists of the parts in order, with any text between them.
func between(text string, parts []string) bool {
	last := len(parts) - 1
	if last == 0 {
		return text == parts[0]
	}
	rest, begins := strings.CutPrefix(text, parts[0])
	rest, ends := strings.CutSuffix(rest, parts[last])
	for _, p := range parts[1:last] {
		var found bool
		if _, rest, found = strings.Cut(rest, p); !found {
			return false
		}
	}
	return begins && ends
}

// Read reads the servers in a file. sys answers questions about this computer. Paths in a project's
// file are relative to the project.
func Read(f File, sys launch.System) Found {
	found := Found{File: f}
	tree, err := parse(f.Path)
	if err != nil {
		found.Err = FaultOf(f.Path, err)
		return found
	}
	found.Empty = tree == nil
	if f.Folder != "" {
		sys.Dir = f.Folder
	} else {
		sys.Dir = "" // paths relative to the client's working directory mean nothing here
	}
	for _, part := range containers(f, tree) {
		for _, name := range slices.Sorted(maps.Keys(part.servers)) {
			if len(found.Servers) == maxServers {
				found.Err = fmt.Errorf("%s has more than %d servers; the others are left out", f.Path, maxServers)
				return found
			}
			inner, ok := part.servers[name].(map[string]any)
			if !ok {
				continue
			}
			if kind, _ := inner["type"].(string); kind == "builtin" || kind == "platform" || kind == "frontend" {
				continue // a built-in extension of Goose
			}
			e, asks := entry(name, inner, part.folder, sys)
			found.Servers = append(found.Servers, e)
			found.add(asks)
		}
		found.add(inputsOf(part.inputs, sys))
	}
	return found
}

// entry parses one server separately, so that a mistake in it does not affect others.
func entry(name string, m map[string]any, folder string, sys launch.System) (Entry, []launch.Input) {
	if folder != "" {
		sys.Dir = folder
	}
	e := Entry{Name: name}
	m = withEnvFile(m, sys)
	text, err := json.Marshal(map[string]any{"mcpServers": map[string]any{name: m}})
	if err == nil {
		var r launch.Reading
		if r, err = launch.Understand(string(text), sys); err == nil && len(r.Servers) == 1 {
			e.Server = r.Servers[0]
			e.Server.Name, e.Server.Named = name, true
			return e, r.Inputs
		}
	}
	if e.Err = err; err == nil {
		e.Err = &launch.Problem{Kind: launch.BadServer, Subject: name}
	}
	return e, nil
}

// add adds inputs. The declaration of an input in the file contains more than a server's reference
// to it, so it takes precedence.
func (f *Found) add(list []launch.Input) {
	for _, in := range list {
		at := slices.IndexFunc(f.Inputs, func(have launch.Input) bool { return have.ID == in.ID })
		switch {
		case at < 0:
			f.Inputs = append(f.Inputs, in)
		case in.Prompt != "" || in.Secret || in.Default != "" || len(in.Options) > 0:
			f.Inputs[at] = in
		}
	}
}

func inputsOf(v any, sys launch.System) []launch.Input {
	if v == nil {
		return nil
	}
	text, err := json.Marshal(map[string]any{"inputs": v, "servers": map[string]any{"x": map[string]any{"command": "x"}}})
	if err != nil {
		return nil
	}
	r, err := launch.Understand(string(text), sys)
	if err != nil {
		return nil
	}
	return r.Inputs
}

// parse reads a file in the format of its extension.
func parse(path string) (map[string]any, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	switch info, err := f.Stat(); {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, errFolder
	case !info.Mode().IsRegular():
		return nil, errSpecial
	}
	data, err := io.ReadAll(io.LimitReader(f, launch.MaxFile+1))
	switch {
	case err != nil:
		return nil, err
	case len(data) > launch.MaxFile:
		return nil, errLarge
	}
	return parseText(filepath.Ext(path), data)
}

// parseText parses TOML, YAML or JSON with comments. It returns nil for an empty file.
func parseText(ext string, data []byte) (map[string]any, error) {
	text := strings.TrimPrefix(string(data), "\ufeff")
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	if err := configtext.CheckDepth(text); err != nil {
		return nil, err
	}
	var tree any
	var err error
	switch ext {
	case ".toml":
		tree, _, err = configtext.TOML(text)
	case ".yaml", ".yml":
		tree, _, err = configtext.YAML(text)
	default:
		tree, _, err = configtext.JSON(text)
	}
	if err == nil {
		return rooted(tree)
	}
	if said := mistake(text, err); said != nil {
		return nil, said
	}
	return nil, fmt.Errorf("there is a mistake in it: %w", err)
}

// rooted returns the root object of a configuration. It wraps a list in an object.
func rooted(tree any) (map[string]any, error) {
	switch tree := tree.(type) {
	case nil:
		return nil, nil
	case map[string]any:
		return tree, nil
	case []any:
		return map[string]any{"mcpServers": tree}, nil
	}
	return nil, errors.New("it is no object with servers")
}

// atLine matches the line and the detail of a mistake in JSON.
var atLine = lazyregexp.New(`^hujson: line (\d+), column \d+: (.*)$`)

// mistake returns an error with a sentence about a mistake in JSON, or nil if its line is unknown.
func mistake(text string, err error) error {
	m := atLine.FindStringSubmatch(err.Error())
	switch {
	case m == nil:
		return nil
	case !errors.Is(err, io.ErrUnexpectedEOF) && !strings.HasSuffix(m[2], io.ErrUnexpectedEOF.Error()):
		return fmt.Errorf("line %s: there is a mistake in it: %s", m[1], m[2])
	}
	if end := unclosed(text); end != "" {
		return fmt.Errorf("line %s: the file ends too early; a %s is missing", m[1], end)
	}
	return fmt.Errorf("line %s: the file ends too early", m[1])
}

// unclosed returns the character that is missing at the end of a text: the bracket that closes the
// innermost open object or list, or a quote inside a string.
func unclosed(text string) string {
	var open []byte
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '{':
			open = append(open, '}')
		case '[':
			open = append(open, ']')
		case '}', ']':
			open = open[:max(0, len(open)-1)]
		case '/':
			if end := commentEnd(text[i:]); end > 0 {
				i += end - 1
			}
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
			if i >= len(text) {
				return `"`
			}
		}
	}
	if len(open) == 0 {
		return ""
	}
	return string(open[len(open)-1:])
}

// commentEnd returns the length of the comment at the beginning of a text, or 0 if there is none.
func commentEnd(text string) int {
	for _, c := range [][2]string{{"//", "\n"}, {"/*", "*/"}} {
		if strings.HasPrefix(text, c[0]) {
			if at := strings.Index(text[2:], c[1]); at >= 0 {
				return 2 + at + len(c[1])
			}
			return len(text)
		}
	}
	return 0
}

func unwrapped(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// A container is a part of a file that maps names to servers.
type container struct {
	servers map[string]any
	inputs  any
	folder  string // folder of the project; empty: as for the file
}

// containers finds the servers in a file, in the place where its client keeps them.
func containers(f File, tree map[string]any) []container {
	at := func(m map[string]any, keys ...string) map[string]any {
		for _, key := range keys {
			m, _ = m[key].(map[string]any)
		}
		return m
	}
	var list []container
	add := func(c container) {
		if len(c.servers) > 0 {
			list = append(list, c)
		}
	}
	switch f.App.ID {
	case "vscode":
		add(container{servers: at(tree, "servers"), inputs: tree["inputs"]})
		add(container{servers: at(tree, "mcp", "servers"), inputs: at(tree, "mcp")["inputs"]})
	case "zed":
		add(container{servers: at(tree, "context_servers")})
	case "codex":
		add(container{servers: at(tree, "mcp_servers")})
	case "goose":
		add(container{servers: at(tree, "extensions")})
	case "claude-code":
		add(container{servers: at(tree, "mcpServers")})
		projects := at(tree, "projects")
		for _, folder := range slices.Sorted(maps.Keys(projects)) {
			add(container{servers: at(projects, folder, "mcpServers"), folder: folder})
		}
	default:
		return anyContainers(f.Path, tree)
	}
	return list
}
