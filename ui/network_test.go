package ui_test

import (
	"errors"
	"go/parser"
	"go/token"
	"io/fs"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"goated/agent"
	"goated/internal/waittest"
	"goated/ui"
	"goated/ui/view"
)

// The packages of the window import nothing that uses the network or starts a program. Links
// open in the browser.
func TestNothingHereImportsTheNetwork(t *testing.T) {
	files := 0
	err := filepath.WalkDir(".", func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && e.Name() == "testdata":
			return filepath.SkipDir
		case filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		files++
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, i := range f.Imports {
			switch name := strings.Trim(i.Path.Value, `"`); name {
			case "net", "net/http", "crypto/tls", "net/rpc", "net/smtp", "os/exec":
				t.Errorf("%s imports %s", path, name)
			}
		}
		return nil
	})
	if err != nil || files < 200 {
		t.Fatalf("%d files were read: %v", files, err)
	}
}

// noNet fails each request and records its address.
type noNet struct{ asked []string }

func (n *noNet) RoundTrip(r *http.Request) (*http.Response, error) {
	n.asked = append(n.asked, r.URL.String())
	return nil, errors.New("the network must not be used")
}

// A conversation fetches nothing by itself. Its links open web pages but no files.
func TestImagesAndLinksAreNotFetched(t *testing.T) {
	net, was := &noNet{}, http.DefaultTransport
	http.DefaultTransport = net
	defer func() { http.DefaultTransport = was }()
	d := newDesk(t, ui.Options{})
	d.show(view.Chat{}.Say("![a](http://example.org/a.png)").Apply(agent.TextDelta{
		Text: "![b](http://example.org/b.png) <img src=\"http://example.org/c.png\"> [d](http://example.org/d) ![e](file:///etc/passwd) http://example.org/f\n\n<img src=http://example.org/g.png>"}))
	d.Picture()
	if len(net.asked) > 0 {
		t.Errorf("%q were fetched", net.asked)
	}
	const text = "b (example.org) <img src=\"http://example.org/c.png\"> d (example.org) e (file:///etc/passwd) http://example.org/f"
	for word, opens := range map[string]string{
		"b": "http://example.org/b.png", "<img": "", "d": "http://example.org/d", "(file:": "", "http://example.org/f": "http://example.org/f",
	} {
		at := d.Word(text, word).AddXY(2, 0)
		d.HoverAt(at)
		d.PressAt(at, 0)
		if opens == "" {
			continue
		}
		if opened := waittest.Receive(t, "the link opens", d.opened); opened != opens {
			t.Errorf("a press on %q opens %q, not %q", word, opened, opens)
		}
	}
	d.window.Close() // waits for the links that open
	if len(d.opened) > 0 {
		t.Errorf("a press on text opens %q", <-d.opened)
	}
	if len(net.asked) > 0 {
		t.Errorf("%q were fetched after presses", net.asked)
	}
}
