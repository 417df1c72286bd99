package ui

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"hash/crc32"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

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
	d.chats.Chats[0].Chat = view.Chat{}.Say("![a](http://example.org/a.png)").Apply(agent.TextDelta{
		Text: "![b](http://example.org/b.png) <img src=\"http://example.org/c.png\"> [d](http://example.org/d) ![e](file:///etc/passwd) http://example.org/f\n\n<img src=http://example.org/g.png>"})
	d.chats.Refresh()
	d.frame.win.Canvas().Capture()
	if len(net.asked) > 0 {
		t.Errorf("%q were fetched", net.asked)
	}
	p := d.passage("b (example.org) <img src=\"http://example.org/c.png\"> d (example.org) e (file:///etc/passwd) http://example.org/f")
	for _, s := range p.Block.Spans {
		if s.Link != "" && !strings.HasPrefix(s.Link, "http://example.org/") {
			t.Errorf("%q may be opened", s.Link)
		}
	}
}

// Whatever an image is said to be, only data that comes with it is drawn, and
// only of a kind that refers to nothing else.
func TestOnlyDataIsDrawn(t *testing.T) {
	net, was := &noNet{}, http.DefaultTransport
	http.DefaultTransport = net
	defer func() { http.DefaultTransport = was }()
	svg := base64.StdEncoding.EncodeToString([]byte(`<svg xmlns="http://www.w3.org/2000/svg"><image href="http://example.org/x.png"/></svg>`))
	bomb := chart(4, 4)
	binary.BigEndian.PutUint32(bomb[16:], 60_000)
	binary.BigEndian.PutUint32(bomb[20:], 60_000)
	binary.BigEndian.PutUint32(bomb[29:], crc32.ChecksumIEEE(bomb[12:29]))
	for address, drawn := range map[string]int{
		"http://example.org/a.png":           0,
		"https://example.org/a.png":          0,
		"//example.org/a.png":                0,
		"file:///usr/share/pixmaps/a.png":    0,
		"a.png":                              0,
		"javascript:alert(1)":                0,
		"data:text/html,<b>x</b>":            0,
		"data:text/html;base64,PGI+eDwvYj4=": 0,
		"data:image/svg+xml;base64," + svg:   0,
		"data:image/png;base64,AAAA":         0,
		"data:image/png;base64," + base64.StdEncoding.EncodeToString(bomb):                              0,
		"data:image/png;base64," + base64.StdEncoding.EncodeToString(bytes.Repeat([]byte("x"), 12<<20)): 0,
		"data:image/png;base64," + base64.StdEncoding.EncodeToString(chart(480, 200)):                   1,
	} {
		d := newDesk(t, Options{})
		d.chats.Transcript.Begin = nil
		d.chats.Chats[0].Chat = view.Chat{}.Say("go").Apply(agent.TextDelta{Text: fmt.Sprintf("![what it shows](%s)", address)})
		d.chats.Refresh()
		n := 0
		for _, p := range d.chats.Transcript.View.TextViews() {
			for _, o := range test.WidgetRenderer(p).Objects() {
				if i, ok := o.(*canvas.Image); ok {
					if i.File != "" || i.Resource != nil || i.Image == nil {
						t.Errorf("%.60s is drawn of something else", address)
					}
					n++
				}
			}
			for _, s := range p.Block.Spans {
				if s.Link != "" && !strings.HasPrefix(s.Link, "http") {
					t.Errorf("%.60s may be opened", s.Link)
				}
			}
		}
		if n != drawn {
			t.Errorf("%.60s is drawn %d times", address, n)
		}
	}
	if len(net.asked) > 0 {
		t.Errorf("%q were fetched", net.asked)
	}
}
