package ui

import (
	"errors"
	"go/parser"
	"go/token"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"goated/agent"
	"goated/ui/view"
)

// Nothing that shows a conversation can reach the network: it imports nothing
// that could. A person who presses a link is sent to the browser.
func TestNothingHereImportsTheNetwork(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	more, err := filepath.Glob("view/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(files, more...) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range f.Imports {
			switch path := strings.Trim(i.Path.Value, `"`); path {
			case "net", "net/http", "crypto/tls", "net/rpc", "net/smtp", "os/exec":
				t.Errorf("%s imports %s", name, path)
			}
		}
	}
}

// noNet fails whatever is asked of it.
type noNet struct{ asked []string }

func (n *noNet) RoundTrip(r *http.Request) (*http.Response, error) {
	n.asked = append(n.asked, r.URL.String())
	return nil, errors.New("the network must not be used")
}

func TestImagesAndLinksAreNotFetched(t *testing.T) {
	net, was := &noNet{}, http.DefaultTransport
	http.DefaultTransport = net
	defer func() { http.DefaultTransport = was }()
	d := newDesk(t, Options{})
	d.chats[0].chat = view.Chat{}.Say("![a](http://example.org/a.png)").Apply(agent.TextDelta{
		Text: "![b](http://example.org/b.png) <img src=\"http://example.org/c.png\"> [d](http://example.org/d) ![e](file:///etc/passwd) http://example.org/f\n\n<img src=http://example.org/g.png>"})
	d.refresh()
	d.win.Canvas().Capture()
	if len(net.asked) > 0 {
		t.Errorf("%q were fetched", net.asked)
	}
	p := d.passage("b (example.org) <img src=\"http://example.org/c.png\"> d (example.org) e (file:///etc/passwd) http://example.org/f")
	for _, s := range p.block.Spans {
		if s.Link != "" && !strings.HasPrefix(s.Link, "http://example.org/") {
			t.Errorf("%q may be opened", s.Link)
		}
	}
}
