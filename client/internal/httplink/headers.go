package httplink

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"math"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/jsonscan"
)

// The headers of Streamable HTTP.
const (
	versionHeader = "Mcp-Protocol-Version"
	sessionHeader = "Mcp-Session-Id"
	eventHeader   = "Last-Event-ID"
	methodHeader  = "Mcp-Method"
	nameHeader    = "Mcp-Name"
	paramPrefix   = "Mcp-Param-"
)

// versionIn returns the version in a request's own params. All requests have one since 2026-07-28.
// It returns "" for others.
func versionIn(params []byte) (version string) {
	jsonscan.Members(params, func(key, meta []byte) {
		if string(key) == "_meta" {
			jsonscan.Members(meta, func(key, value []byte) {
				if string(key) == mcp.MetaKeyProtocolVersion && len(value) <= jsonscan.MaxName {
					version = jsonscan.Unquote(value)
				}
			})
		}
	})
	return version
}

// A mirror repeats parts of a message in the headers of its request, "so that intermediaries can
// route and inspect requests without parsing the body" (MCP 2026-07-28, Streamable HTTP, Request
// Metadata). It learns from the responses to tools/list which tool parameters to repeat. It is safe
// for concurrent use.
type mirror struct {
	mu    sync.Mutex
	tools map[string][]binding
}

// A binding is a tool parameter, given by the path of its names, and the header that repeats it.
type binding struct {
	path   []string
	header string
}

// maxBindings bounds the headers of one tool. maxDepth bounds the depth of its schema.
const (
	maxBindings = 64
	maxDepth    = 16
)

// learn reads a response to tools/list. The SDK drops tools with invalid headers, so those are
// never called.
func (m *mirror) learn(result []byte) {
	if !bytes.Contains(result, []byte("x-mcp-header")) && m.empty() {
		return
	}
	var list struct {
		Tools []struct {
			Name   string          `json:"name"`
			Schema json.RawMessage `json:"inputSchema"`
		} `json:"tools"`
	}
	if json.Unmarshal(result, &list) != nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, t := range list.Tools {
		if b := bindings(t.Schema, nil, nil); len(b) > 0 {
			if m.tools == nil {
				m.tools = make(map[string][]binding)
			}
			m.tools[t.Name] = b
		} else {
			delete(m.tools, t.Name)
		}
	}
}

// empty reports whether no tool has a parameter to repeat. This is true for most servers.
func (m *mirror) empty() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.tools) == 0
}

// bindings appends the bindings of a schema's properties to found.
func bindings(schema json.RawMessage, path []string, found []binding) []binding {
	var s struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if len(path) > maxDepth || json.Unmarshal(schema, &s) != nil {
		return found
	}
	for name, raw := range s.Properties {
		var property struct {
			Header any `json:"x-mcp-header"`
		}
		at := append(path[:len(path):len(path)], name)
		if json.Unmarshal(raw, &property) != nil {
			continue
		}
		if header, ok := property.Header.(string); ok && isToken(header) && len(found) < maxBindings {
			found = append(found, binding{path: at, header: header})
		}
		found = bindings(raw, at, found)
	}
	return found
}

// isToken reports whether text can be part of a header name.
func isToken(text string) bool {
	return text != "" && len(text) <= 128 && strings.Trim(text, "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// set sets the headers that repeat a request. Only versions since 2026-07-28 need them.
func (m *mirror) set(h http.Header, req *jsonrpc.Request) {
	h.Set(methodHeader, req.Method)
	field := ""
	switch req.Method {
	case "tools/call", "prompts/get":
		field = "name"
	case "resources/read":
		field = "uri"
	default:
		return
	}
	var name string
	var args []byte
	jsonscan.Members(req.Params, func(key, value []byte) {
		switch string(key) {
		case field:
			name = jsonscan.Unquote(value)
		case "arguments":
			args = value
		}
	})
	h.Set(nameHeader, headerValue(name))
	if req.Method != "tools/call" {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, b := range m.tools[name] {
		if value, ok := parameter(args, b.path); ok {
			h.Set(paramPrefix+b.header, headerValue(value))
		}
	}
}

// parameter returns the text of an argument that is a string, an integer or a boolean.
func parameter(args []byte, path []string) (string, bool) {
	value := args
	for _, name := range path {
		var found []byte
		jsonscan.Members(value, func(key, v []byte) {
			if string(key) == name {
				found = v
			}
		})
		if value = found; value == nil {
			return "", false
		}
	}
	switch {
	case len(value) == 0 || value[0] == '{' || value[0] == '[' || string(value) == "null":
		return "", false
	case value[0] == '"':
		var text string
		err := json.Unmarshal(value, &text)
		return text, err == nil
	case string(value) == "true", string(value) == "false":
		return string(value), true
	}
	n, err := strconv.ParseFloat(string(value), 64)
	if err != nil || n != math.Trunc(n) || math.Abs(n) > 1<<53-1 {
		return "", false
	}
	return strconv.FormatInt(int64(n), 10), true
}

const (
	base64Prefix = "=?base64?"
	base64Suffix = "?="
)

// headerValue encodes a value for a header. It uses base64 if the value is not printable ASCII, has
// white space around it, or looks like such an encoding.
func headerValue(text string) string {
	plain := text == strings.Trim(text, " \t") && !(strings.HasPrefix(text, base64Prefix) && strings.HasSuffix(text, base64Suffix))
	for _, b := range []byte(text) {
		plain = plain && b >= 0x20 && b <= 0x7e
	}
	if plain {
		return text
	}
	return base64Prefix + base64.StdEncoding.EncodeToString([]byte(text)) + base64Suffix
}
