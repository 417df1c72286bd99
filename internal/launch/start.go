package launch

import (
	"errors"
	"maps"
	"strings"

	"goated/internal/launch/commandtext"
	"goated/internal/placeholder"
)

// object returns the object that describes a server in a configuration. Some configurations contain
// only its command line or its URL.
func object(v any) map[string]any {
	text, ok := v.(string)
	switch m, _ := v.(map[string]any); {
	case !ok:
		return m
	case webAddress.MatchString(text):
		return map[string]any{"url": text}
	case isCommand(text):
		return map[string]any{"command": text}
	}
	return nil
}

// flattened moves the URL or the command out of a "transport" object.
func flattened(m map[string]any) map[string]any {
	inner, ok := m["transport"].(map[string]any)
	if !ok {
		return m
	}
	out := maps.Clone(m)
	delete(out, "transport")
	maps.Copy(out, inner)
	return out
}

// unboxed returns the object that describes a server. That is m itself, or an inner object next to the
// server's name.
func unboxed(m map[string]any) map[string]any {
	for _, key := range []string{"mcp", "config"} {
		inner, ok := m[key].(map[string]any)
		name := str(m["name"])
		if inner = flattened(inner); !ok || isEntry(m) || !isEntry(inner) || name == "" && (len(m) > 1 || key == "config") {
			continue
		}
		if m = maps.Clone(inner); name != "" {
			m["name"] = name
		}
		return m
	}
	return flattened(m)
}

// entryStart returns the server that the command or the URL of an object starts. refs replaces
// references.
func (s configs) entryStart(m map[string]any, refs func(string) string) (Server, error) {
	for _, key := range []string{"url", "serverUrl", "httpUrl", "uri"} {
		if address := str(m[key]); address != "" {
			transport := str(m["type"]) + str(m["transport"]) + str(m["transportType"])
			if key == "httpUrl" || strings.Contains(transport, "http") {
				transport = "http"
			}
			return s.remote(refs(address), transport)
		}
	}
	words, line := entryWords(m)
	for i := range words {
		words[i] = refs(words[i])
	}
	if len(words) == 0 || strings.TrimSpace(words[0]) == "" {
		return Server{}, &Problem{Kind: BadServer, Subject: str(m["name"])}
	}
	first := words[0]
	if strings.Contains(first, " ") && s.stat(s.absolute(first)) == nil {
		fields := strings.Fields(first)
		switch {
		case len(words) == 1 && !placeholder.Is(first):
			line = true
		case !line && commandtext.Familiar(fields[0]): // "npx -y" before the arguments
			words = append(fields, words[1:]...)
		}
	}
	if line {
		r, err := commands(s).line(strings.Join(words, " "))
		if p := (*Problem)(nil); errors.As(err, &p) && p.Kind == NoProgram {
			return commands(s).known(strings.Fields(strings.Join(words, " "))), nil // another computer may have the program
		}
		if err != nil {
			return Server{}, err
		}
		return r.Servers[0], nil
	}
	if anyRef.MatchString(words[0]) || strings.HasPrefix(words[0], "%") {
		return Server{}, &Problem{Kind: OpenProgram, Subject: words[0]}
	}
	servers, err := commands(s).command(words)
	if err != nil {
		if isPath(s.expanded(words[0])) || !missing(err) {
			return Server{}, err
		}
		return commands(s).known(words), nil // another computer may have the program
	}
	return servers[0], nil
}

// entryWords returns the program and the arguments of an object. line reports whether the arguments are
// one string, so that the words form a shell command line.
func entryWords(m map[string]any) (words []string, line bool) {
	command := m["command"]
	if command == nil {
		command = m["cmd"]
	}
	args := m["args"]
	switch c := command.(type) {
	case map[string]any: // Zed's
		words, args = []string{str(c["path"])}, c["args"]
		if m["env"] == nil {
			m["env"] = c["env"]
		}
	case []any: // opencode's
		for _, w := range c {
			words = append(words, str(w))
		}
	default:
		words = []string{str(c)}
	}
	switch list := args.(type) {
	case []any:
		for _, a := range list {
			words = append(words, str(a))
		}
	case string:
		if list != "" {
			return append(words, list), true
		}
	}
	return words, false
}
