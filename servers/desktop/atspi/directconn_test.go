package atspi_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/godbus/dbus/v5"

	"goated/servers/desktop/atspi"
	"goated/servers/desktop/atspi/atspitest"
	"goated/servers/desktop/atspi/direct/directtest"
	"goated/servers/desktop/element"
)

// A page of Chromium is in no cache, so it is walked over Chromium's own socket. The result is the same
// as over the bus. Without that socket, and after it has ended, the walk uses the bus and still reads
// the whole page.
func TestPagesAreWalkedPastTheBus(t *testing.T) {
	if buses == nil {
		t.Skip("Xvfb, dbus-daemon or at-spi2-core is not installed: make tools installs them")
	}
	const links = 300
	page := make([]int, links)
	for i := range page {
		page[i] = i + 3
	}
	conn, err := dbus.Connect(buses.Accessibility)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	var asked atomic.Int64
	var ends atomic.Bool
	socket := directtest.Serve(t, func(m *dbus.Message) []byte {
		if n := asked.Add(1); ends.Load() && n > 100 {
			return nil
		}
		text := func(f dbus.HeaderField) string { return fmt.Sprint(m.Headers[f].Value()) }
		call := conn.Object(text(dbus.FieldDestination), dbus.ObjectPath(text(dbus.FieldPath))).Call(text(dbus.FieldInterface)+"."+text(dbus.FieldMember), 0, m.Body...)
		if call.Err != nil {
			return directtest.Reply(t, binary.LittleEndian, m, "org.example.Failed")
		}
		var children []struct {
			Bus  string
			Path dbus.ObjectPath
		}
		var actions []struct{ Name, Description, Key string }
		switch text(dbus.FieldMember) { // godbus cannot send the values that it received
		case "GetChildren":
			if err := call.Store(&children); err != nil {
				t.Error(err)
			}
			return directtest.Reply(t, binary.LittleEndian, m, "", children)
		case "GetActions":
			if err := call.Store(&actions); err != nil {
				t.Error(err)
			}
			return directtest.Reply(t, binary.LittleEndian, m, "", actions)
		}
		return directtest.Reply(t, binary.LittleEndian, m, "", call.Body...)
	})
	whole := func(b *atspi.Bus, app atspi.Application) string {
		t.Helper()
		tree, err := b.Snapshot(t.Context(), app)
		if err != nil {
			t.Fatal(err)
		}
		if len(tree.Nodes) != links+3 || len(tree.Partial) > 0 {
			t.Errorf("%d elements, want %d: %v", len(tree.Nodes), links+3, tree.Partial)
		}
		nodes := find(t, tree, "role:link")
		if missing := tree.Fetch(t.Context(), nodes, element.AllFields); missing > 0 || len(nodes) != links {
			t.Errorf("%d links, %d answers are missing", len(nodes), missing)
		}
		for _, i := range nodes { // a walk does not read the actions of an element
			if e := tree.Element(i); len(e.Actions) != i%2 {
				t.Errorf("%s has the actions %q", e.Name, e.Actions)
			}
		}
		return tree.String()
	}
	want := ""
	for name, address := range map[string]string{"no socket": "", "a wrong address": "unix:path=/nowhere", "its socket": socket} {
		t.Run(name, func(t *testing.T) {
			b := connect(t, atspi.Options{Budget: 7 * patient})
			asked.Store(0)
			app := serve(t, b, &atspitest.App{Socket: address, Item: func(id int) atspitest.Item {
				switch id {
				case 0:
					return atspitest.Item{Role: application, Name: "page in " + name, Toolkit: "Chromium", Children: []int{1}}
				case 1:
					return atspitest.Item{Role: frame, Name: "Window", States: atspitest.Shown, Children: []int{2}, Interfaces: []string{"Component"}}
				case 2:
					return atspitest.Item{Role: 95, Name: "Page", States: atspitest.Shown, Parent: 1, Children: page, Interfaces: []string{"Component"}}
				}
				interfaces := []string{"Component", "Action"}
				return atspitest.Item{Role: 88, Name: fmt.Sprint("Link ", id), States: atspitest.Shown, Parent: 2, Index: id - 3, Interfaces: interfaces[:1+id%2]}
			}})
			got := whole(b, app)
			if address == socket {
				desk.Until(t, "questions past the bus", func() bool {
					got = whole(b, app)
					return asked.Load() > 5*links
				})
				ends.Store(true)
				asked.Store(0)
				if tree, err := b.Snapshot(t.Context(), app); err != nil || len(tree.Partial) == 0 {
					t.Errorf("the socket ends in the middle, and the tree is whole: %v", err)
				}
				got = whole(b, app)
			} else if asked.Load() > 0 {
				t.Error("a program asks over a socket that is not told")
			}
			_, got, _ = strings.Cut(got, "\n") // without the name of the application
			if want == "" {
				want = got
			}
			if got != want {
				t.Errorf("the page is\n%s\nwant\n%s", got, want)
			}
		})
	}
}
