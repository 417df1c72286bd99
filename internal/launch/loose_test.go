package launch

import (
	"strings"
	"testing"
)

// understands checks the servers of each text in a table, one server per line.
func understands(t *testing.T, sys System, table [][2]string) {
	t.Helper()
	for _, c := range table {
		r, err := Understand(c[0], sys)
		var lines []string
		for _, s := range r.Servers {
			lines = append(lines, shown(s))
		}
		got := strings.Join(lines, "\n")
		if err != nil {
			got = "error: " + err.Error()
		}
		if got != c[1] {
			t.Errorf("%s\n got  %s\n want %s", c[0], got, c[1])
		}
	}
}

// Pages and chats show configurations that no JSON parser accepts.
func TestLooseJSON(t *testing.T) {
	const a, b = "npx -y a-mcp | npm a-mcp | a", "npx b-mcp | npm b-mcp | b"
	understands(t, disk{}.system(every...), [][2]string{
		{"{\n  # paste this\n  \"mcpServers\": {\"a\": {\"command\": \"npx\", \"args\": [\"-y\", \"a-mcp\"]}}\n}", a},
		{"{'mcpServers': {'a': {'command': 'npx', 'args': ['-y', 'a-mcp'], 'disabled': False}}}", a},
		{"{‘a’: {‘command’: ‘npx’, ‘args’: [‘-y’, ‘a-mcp’]}}", a},
		{"{mcpServers: {a: {command: 'npx', args: ['-y', 'a-mcp']}}}", a},
		{`{"mcpServers": {"a": {"command": "npx", "args": ["-y", "a-mcp"]}, ...}}`, a},
		{"{\"mcpServers\": {\n  …,\n  \"a\": {\"command\": \"npx\", \"args\": [\"-y\", \"a-mcp\"]}\n}}", a},
		{"{\"mcpServers\": {\n  // … others …\n  \"a\": {\"command\": \"npx\" \"args\": [\"-y\" \"a-mcp\"]}\n  \"b\": {\"command\": \"npx\", \"args\": [\"b-mcp\"]}\n}}", a + "\n" + b},
		{`"command": "npx", "args": ["-y", "a-mcp"]`, a},
		{"\"command\": \"npx\",\n\"args\": [\"b-mcp\"],\n", b},
		{`"url": "https://b.example/mcp"`, "https://b.example/mcp | web b.example | b"},
		{`'b': {'command': 'npx', 'args': ['b-mcp']},`, b},
		{`github: {"command": "npx", "args": ["b-mcp"]}`, "npx b-mcp | npm b-mcp | github"},
		{",\n\"github\": {\"command\": \"npx\", \"args\": [\"b-mcp\"]}", "npx b-mcp | npm b-mcp | github"},
		{`{"a": {"command": "npx", "args": ["a-mcp", "C:\Users\ada", "C:\temp\new", "D:\\ok\\x"]}}`, `npx a-mcp C:\Users\ada C:\temp\new D:\ok\x | npm a-mcp | a`},
		{`{"a": {"command": "npx", "args": ["a-mcp", "it's", "a\"b"], "env": {"K": "YOUR_KEY"}}, 'b': {"command": "npx", "args": ["b-mcp"]}}`, "npx a-mcp it's a\"b K?YOUR_KEY | npm a-mcp | a\n" + b},
		{`{"a": {"command": "npx", "args": ["a-mcp"`, "npx a-mcp | npm a-mcp | a"},
		{`{"a" {`, `error: There is a mistake in this JSON: invalid character '{' after object name`},
	})
}

// While somebody was typing a configuration, goated used to take a part of a string for the whole
// string, and to keep the start of a header as the header.
func TestTextsThatEndInsideAString(t *testing.T) {
	for _, c := range []struct{ text, quote string }{
		{`{"mcpServers": {"shop": {"url": "https://shop.example/mcp", "headers": {"Authorization": "Bearer ${input:t}"}}}}`, `"`},
		{`{'a': {'command': 'npx', 'args': ['-y', 'a-mcp'], 'env': {'K': 'v'}}}`, "'"},
	} {
		if _, err := Understand(c.text, disk{}.system(every...)); err != nil {
			t.Errorf("%s: %v", c.text, err)
		}
		for i := range c.text {
			if strings.Count(c.text[:i], c.quote)%2 == 0 {
				continue
			}
			if r, err := Understand(c.text[:i], disk{}.system(every...)); err == nil {
				t.Errorf("%s: %+v", c.text[:i], r.Servers)
			}
		}
	}
}
