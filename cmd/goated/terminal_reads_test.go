package main

import (
	"strings"
	"testing"

	"goated/internal/servertest"
)

// The key s permanently allows all read-only tools of a server, and no other tool.
func TestTerminalAllowsWhatOnlyReads(t *testing.T) {
	p := newPlace(t)
	script := p.write("shelf.py", servertest.Small(t)+`
class Shelf(MCPServer):
    def described(self, function):
        return super().described(function) | {"annotations": {"readOnlyHint": function.__name__ != "burn"}}


server = Shelf("shelf")


@server.tool()
def look() -> str:
    return "a book"


@server.tool()
def count() -> str:
    return "one book"


@server.tool()
def burn() -> str:
    return "no book"


server.run()
`)
	s, end := p.screen("chat", "--server", script)
	s.wait("› ")
	s.enter("/look")
	s.wait("Only read   ")
	if names := s.wait("\n"); !strings.Contains(names, "count") || strings.Contains(names, "burn") {
		t.Errorf("the tools that only read are %q", names)
	}
	s.wait("the 2 tools of this [s]erver that only read")
	s.enter("s")
	s.wait("a book")
	s.wait("› ")
	s.enter("/count")
	s.wait("one book") // without a question
	s.wait("› ")
	s.enter("/burn")
	s.wait("[n]o: ")
	s.enter("n")
	s.wait("› ")
	_, _ = s.tty.WriteString("\x04")
	if code := end(); code != 0 {
		t.Fatalf("status %d", code)
	}
	for tool, want := range map[string]bool{"look": true, "count": true, "burn": false} {
		if _, stderr, code := p.run("call", tool, "--server", script); (code == 0) != want {
			t.Errorf("%s: status %d, %s", tool, code, stderr)
		}
	}
}

// A form in the terminal asks for the members of an object and the items of a list.
func TestTerminalAsksForNestedFields(t *testing.T) {
	p := newPlace(t)
	script := p.write("post.py", servertest.Small(t)+`
class Post(MCPServer):
    def described(self, function):
        address = {"type": "object", "properties": {
            "street": {"type": "string", "title": "Street"},
            "number": {"type": "integer", "title": "Number"}}, "required": ["street", "number"]}
        return {"name": "send", "inputSchema": {"type": "object", "$defs": {"Address": address}, "properties": {
            "to": {"$ref": "#/$defs/Address"},
            "words": {"type": "array", "title": "Words", "items": {"type": "string"}}}, "required": ["to", "words"]}}

server = Post("post")

@server.tool()
def send(to, words):
    return f"{' '.join(words)} to {to['street']} {to['number']}"

server.run()
`)
	s, end := p.screen("chat", "--server", script, "--yes")
	s.wait("› ")
	s.enter("/send")
	s.wait("Street")
	s.enter("Main St")
	s.wait("Number")
	s.enter("x")
	s.wait("must be a number")
	s.enter("7")
	s.wait("1, Enter ends the list: ")
	s.enter("good")
	s.wait("2, Enter ends the list: ")
	s.enter("day")
	s.wait("3, Enter ends the list: ")
	s.enter("")
	s.wait("good day to Main St 7")
	s.wait("› ")
	_, _ = s.tty.WriteString("\x04")
	if code := end(); code != 0 {
		t.Errorf("status %d", code)
	}
}
