package launch

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"goated/internal/launch/configtext"
	"goated/internal/lazyregexp"
)

// IsEntry reports whether an object in a configuration describes one server, perhaps next to its name.
func IsEntry(m map[string]any) bool { return isEntry(unboxed(m)) }

// isEntry is like IsEntry, for an object that has been unboxed.
func isEntry(m map[string]any) bool {
	if m["@type"] != nil || m["@context"] != nil { // JSON-LD
		return false
	}
	for _, key := range []string{"command", "cmd", "url", "serverUrl", "httpUrl", "uri"} {
		switch v := m[key].(type) {
		case string, []any:
			return true
		case map[string]any: // Zed's
			return v["path"] != nil
		}
	}
	return false
}

// entry returns the server that an object in a configuration describes.
func (s configs) entry(m map[string]any, name string) (Server, error) {
	m = unboxed(m)
	if !isEntry(m) {
		return Server{}, &Problem{Kind: BadServer, Subject: name}
	}
	if name == "" {
		name = str(m["name"])
	}
	asked := make(map[string]Variable)
	own, dir := s, ""
	for _, key := range []string{"cwd", "dir", "workingDirectory", "working_directory"} {
		if given := s.refs(str(m[key])); anyRef.MatchString(given) {
			dir = given
		} else if given != "" {
			dir = s.absolute(given)
			own.Dir = dir // relative paths of the entry are relative to that folder, but references are not
		}
	}
	server, err := own.entryStart(m, s.refs)
	if err != nil {
		return server, err
	}
	for _, key := range []string{"env", "environment", "envs"} {
		for _, v := range s.variables(m[key], asked) {
			server.Env = merged(server.Env, []Variable{v})
		}
	}
	if keys, ok := m["env_keys"].([]any); ok { // Goose keeps these in the keyring
		for _, k := range keys {
			server.Env = merged(server.Env, []Variable{{Name: str(k), Ask: true, Secret: true}})
		}
	}
	if keys, ok := m["env_vars"].([]any); ok && server.Kind != Remote { // Codex passes on variables of its own environment
		for _, k := range keys {
			if name := str(k); name != "" {
				value, own := s.env(name)
				server.Env = merged([]Variable{{Name: name, Value: value, Ask: !own}}, server.Env)
			}
		}
	}
	if server.Kind == Remote {
		for _, key := range []string{"headers", "http_headers", "requestInit", "requestOptions"} {
			h := m[key]
			if inner, ok := h.(map[string]any); ok && strings.HasPrefix(key, "request") {
				h = inner["headers"]
			}
			for _, v := range s.variables(h, asked) {
				if !inputRef.MatchString(v.Value) {
					v = s.header(v.Name + ": " + v.Value + ifAsk(v))
				}
				server.Remote.Headers = append(server.Remote.Headers, v)
			}
		}
		for _, v := range s.variables(m["env_http_headers"], asked) { // in Codex, these are names of variables
			name := v.Value + v.Prompt
			value, ok := s.env(name)
			if !ok {
				value = "${" + name + "}" // the user is asked for it
			}
			server.Remote.Headers = append(server.Remote.Headers, Variable{Name: v.Name, Value: value})
		}
		if token := str(m["bearer_token_env_var"]); token != "" {
			server.Remote.Headers = append(server.Remote.Headers, commands(s).bearer(token))
		}
	}
	if dir != "" && server.Kind != Remote {
		server.Dir = dir
		if s.isPlaceholder(dir) {
			server.Notes = append(server.Notes, Note{Placeholder, dir})
		}
	}
	if file := str(m["envFile"]); file != "" && server.Kind != Remote {
		server.Notes = append(server.Notes, Note{EnvFileUnread, s.refs(file)})
	}
	disabled, _ := m["disabled"].(bool)
	enabled, given := m["enabled"].(bool)
	server.Off = disabled || given && !enabled
	if name != "" {
		server.Name, server.Named = name, true
	}
	return server, nil
}

// ifAsk returns a placeholder for the value of a variable that the user is asked for, or "".
func ifAsk(v Variable) string {
	if v.Ask {
		return "<" + v.Prompt + ">"
	}
	return ""
}

// missing reports whether the error is that a program or a file was not found.
func missing(err error) bool {
	p, ok := err.(*Problem)
	return ok && (p.Kind == NoProgram || p.Kind == NotFound || p.Kind == BadScript)
}

// variables parses the variables in an object, or in a list of NAME=value.
func (s configs) variables(v any, asked map[string]Variable) []Variable {
	var out []Variable
	add := func(name, value string) {
		given := s.variable(name, s.ownValue(s.refs(value)))
		if m := inputRef.FindStringSubmatch(value); m != nil {
			given = Variable{Name: name, Value: value, Ask: true}
		}
		asked[name] = given
		out = append(out, given)
	}
	switch list := v.(type) {
	case map[string]any:
		for _, name := range (configtext.Order{}).Keys("", list) {
			add(name, str(list[name]))
		}
	case []any:
		for _, kv := range list {
			if name, value, ok := strings.Cut(str(kv), "="); ok {
				add(name, value)
			}
		}
	}
	return out
}

// reference matches a reference to a variable in a configuration.
var reference = lazyregexp.New(`\$\{(?:(env|input|config):)?([A-Za-z_][\w.-]*|/)(?::-([^}]*))?\}|\{env:([A-Za-z_]\w*)\}`)

// refs replaces the references to variables and folders that goated can resolve. Other references
// remain, so that the user is asked for them.
func (s configs) refs(text string) string {
	return reference.ReplaceAllStringFunc(text, func(ref string) string {
		m := reference.FindStringSubmatch(ref)
		kind, name, standard := m[1], m[2], m[3]
		if m[4] != "" {
			kind, name = "env", m[4]
		}
		switch {
		case kind == "input" || kind == "config":
			return ref
		case kind == "" && (name == "workspaceFolder" || name == "workspaceRoot" || name == "cwd") && s.Dir != "":
			return s.Dir
		case kind == "" && name == "workspaceFolderBasename" && s.Dir != "":
			return filepath.Base(s.Dir)
		case kind == "" && (name == "userHome" || name == "HOME") && s.Home != "":
			return s.Home
		case kind == "" && (name == "pathSeparator" || name == "/"):
			if s.Windows {
				return `\`
			}
			return "/"
		}
		if value, ok := s.env(name); ok {
			return value
		}
		if strings.Contains(ref, ":-") {
			return standard
		}
		return ref
	})
}

// ownValue resolves a value that consists of a variable in shell syntax, as the Gemini CLI allows.
func (s configs) ownValue(value string) string {
	if m := wholeRef.FindStringSubmatch(value); m != nil && m[3] != "" {
		if own, ok := s.env(m[3]); ok {
			return own
		}
	}
	return value
}

// str converts a value to a string.
func str(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case json.Number: // keeps its digits
		if f, err := v.Float64(); err == nil && strings.ContainsAny(v.String(), "eE") {
			return strconv.FormatFloat(f, 'f', -1, 64)
		}
	case float64: // from TOML
		return strconv.FormatFloat(v, 'f', -1, 64)
	case map[string]any, []any:
		return ""
	}
	return fmt.Sprint(v)
}
