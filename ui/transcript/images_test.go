package transcript

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"net/http"
	"strings"
	"testing"

	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"goated/agent"
	"goated/ui/internal/samples"
	"goated/ui/view"
)

// noNet rejects each request and records its address.
type noNet struct{ asked []string }

func (n *noNet) RoundTrip(r *http.Request) (*http.Response, error) {
	n.asked = append(n.asked, r.URL.String())
	return nil, errors.New("the network must not be used")
}

// An image is drawn only if its data is embedded, and only if its format cannot refer to other
// files. Its link opens only web pages.
func TestOnlyDataIsDrawn(t *testing.T) {
	net, was := &noNet{}, http.DefaultTransport
	http.DefaultTransport = net
	defer func() { http.DefaultTransport = was }()
	svg := base64.StdEncoding.EncodeToString([]byte(`<svg xmlns="http://www.w3.org/2000/svg"><image href="http://example.org/x.png"/></svg>`))
	bomb := samples.Chart(4, 4)
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
		"data:image/png;base64," + base64.StdEncoding.EncodeToString(samples.Chart(480, 200)):           1,
	} {
		d := newDesk(t)
		d.show(view.Chat{}.Say("go").Apply(agent.TextDelta{Text: fmt.Sprintf("![what it shows](%s)", address)}), false)
		n := 0
		for _, p := range d.page.View.textViews() {
			for _, o := range test.WidgetRenderer(p).Objects() {
				if i, ok := o.(*canvas.Image); ok {
					if i.File != "" || i.Resource != nil || i.Image == nil {
						t.Errorf("%.60s is drawn of something else", address)
					}
					n++
				}
			}
		}
		if n != drawn {
			t.Errorf("%.60s is drawn %d times", address, n)
		}
		for _, text := range d.Texts() {
			if strings.HasPrefix(text, "what it shows") {
				at := d.Word(text, "what").AddXY(3, 0)
				d.HoverAt(at)
				d.PressAt(at, 0)
			}
		}
		for _, opened := range d.opened {
			if !strings.HasPrefix(opened, "http") {
				t.Errorf("%.60s is opened", opened)
			}
		}
		if address == "http://example.org/a.png" && len(d.opened) != 1 {
			t.Errorf("a press on %s opens %q: the test tells nothing", address, d.opened)
		}
	}
	if len(net.asked) > 0 {
		t.Errorf("%q were fetched", net.asked)
	}
}

// The menu of a link opened it without the window, which shows a failure and does not wait.
func TestTheMenuOpensALinkAsAPressDoes(t *testing.T) {
	d := newDesk(t)
	d.show(view.Chat{}.Say("go").Apply(agent.TextDelta{Text: "See https://example.org/a for more."}).Apply(agent.TurnEnded{Reason: agent.Done}), false)
	const text = "See https://example.org/a for more."
	at := d.Word(text, "example")
	d.HoverAt(at)
	d.MenuAt(at)
	d.Press("Open link")
	if len(d.opened) != 1 || d.opened[0] != "https://example.org/a" {
		t.Errorf("opened is %q", d.opened)
	}
	d.MenuAt(at)
	if d.Press("Copy link"); d.Copied != "https://example.org/a" {
		t.Errorf("copied is %q", d.Copied)
	}
}
