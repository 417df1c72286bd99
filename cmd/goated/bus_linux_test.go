package main

import (
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"goated/internal/bustest"
	"goated/internal/proctest"
	"goated/internal/waittest"

	"github.com/godbus/dbus/v5"
)

// A bus is a separate session bus. The test plays the parts of a desktop that goated uses on it,
// the panel and the notifications. The keyring is a real one. No service of the machine runs on it.
type bus struct {
	place *place
	conn  *dbus.Conn

	mu    sync.Mutex
	items []dbus.Sender // programs that have registered an icon with the panel
	notes [][2]string   // titles and texts
}

// bus starts a session bus that runs until the test ends, and puts it into the place's environment.
func (p *place) bus() *bus {
	p.t.Helper()
	address := bustest.Start(p.t)
	p.env = append(p.env, "DBUS_SESSION_BUS_ADDRESS="+address)
	b := &bus{place: p}
	var err error
	if b.conn, err = dbus.Connect(address); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = b.conn.Close() })
	return b
}

// play exports an object on this end of the bus as a part of a desktop.
func (b *bus) play(part any, name string, at dbus.ObjectPath) {
	b.place.t.Helper()
	if err := b.conn.Export(part, at, name); err != nil {
		b.place.t.Fatal(err)
	}
	if got, err := b.conn.RequestName(name, dbus.NameFlagDoNotQueue); err != nil || got != dbus.RequestNameReplyPrimaryOwner {
		b.place.t.Fatalf("the name %s: %v, %v", name, got, err)
	}
}

// A panel shows the icons of programs.
type panel struct{ b *bus }

func (b *bus) panel() { b.play(panel{b}, "org.kde.StatusNotifierWatcher", "/StatusNotifierWatcher") }

// RegisterStatusNotifierItem is called by a program that has an icon to show.
func (p panel) RegisterStatusNotifierItem(_ string, from dbus.Sender) *dbus.Error {
	p.b.mu.Lock()
	defer p.b.mu.Unlock()
	p.b.items = append(p.b.items, from)
	return nil
}

// A herald shows notifications.
type herald struct{ b *bus }

func (b *bus) herald() {
	b.play(herald{b}, "org.freedesktop.Notifications", "/org/freedesktop/Notifications")
}

// Notify is called by a program that has a notification to show.
func (h herald) Notify(_ string, _ uint32, _, title, text string, _ []string, _ map[string]dbus.Variant, _ int32) (uint32, *dbus.Error) {
	h.b.mu.Lock()
	defer h.b.mu.Unlock()
	h.b.notes = append(h.b.notes, [2]string{title, text})
	return uint32(len(h.b.notes)), nil
}

func (b *bus) heard() [][2]string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.notes)
}

// icon waits until goated's icon is registered, and returns the program that registered it.
func (b *bus) icon(d *desk) dbus.Sender {
	b.place.t.Helper()
	var from dbus.Sender
	d.until("the panel has an icon", func() bool {
		b.mu.Lock()
		defer b.mu.Unlock()
		if len(b.items) > 0 {
			from = b.items[len(b.items)-1]
		}
		return from != ""
	})
	return from
}

// pixels returns the pixels of the icon as the panel draws it.
func (b *bus) pixels(d *desk) []byte {
	b.place.t.Helper()
	item := b.conn.Object(string(b.icon(d)), "/StatusNotifierItem")
	v, err := item.GetProperty("org.kde.StatusNotifierItem.IconPixmap")
	if err != nil {
		b.place.t.Fatal(err)
	}
	var maps []struct {
		Width, Height int32
		Data          []byte
	}
	if err := v.Store(&maps); err != nil || len(maps) == 0 {
		b.place.t.Fatalf("the icon has no picture: %v", err)
	}
	return maps[0].Data
}

// An entry is an item in the menu of a tray icon.
type entry struct {
	ID         int32
	Properties map[string]dbus.Variant
	Children   []dbus.Variant
}

// choose selects an item in the icon's menu, like the panel does when the user clicks it.
func (b *bus) choose(d *desk, label string) {
	b.place.t.Helper()
	menu := b.conn.Object(string(b.icon(d)), "/StatusNotifierMenu")
	id := int32(-1)
	var seen []string
	d.until("the menu has "+label, func() bool {
		var revision uint32
		var root entry
		if err := menu.Call("com.canonical.dbusmenu.GetLayout", 0, int32(0), int32(-1), []string{}).Store(&revision, &root); err != nil {
			return false
		}
		seen = nil
		for _, c := range root.Children {
			var e entry
			if dbus.Store([]any{c.Value()}, &e) != nil {
				continue
			}
			text, _ := e.Properties["label"].Value().(string)
			if seen = append(seen, text); text == label {
				id = e.ID
			}
		}
		return id >= 0
	})
	if err := menu.Call("com.canonical.dbusmenu.Event", 0, id, "clicked", dbus.MakeVariant(""), uint32(time.Now().Unix())).Err; err != nil {
		b.place.t.Fatalf("choosing %s of %q: %v", label, seen, err)
	}
}

// keyring starts a real keyring on the bus, unlocked and empty.
func (b *bus) keyring() {
	p := b.place
	p.t.Helper()
	run := p.t.TempDir()
	daemon := exec.Command("gnome-keyring-daemon", "--foreground", "--unlock", "--components=secrets", "--control-directory="+run)
	daemon.Stdin = strings.NewReader("open sesame")
	daemon.Env = append(slices.Clone(p.env), "HOME="+p.t.TempDir(), "XDG_RUNTIME_DIR="+run)
	if err := proctest.Start(p.t, daemon); err != nil {
		p.t.Fatalf("starting gnome-keyring-daemon, which \"make tools\" installs: %v", err)
	}
	waittest.Until(p.t, "the keyring is on the bus", func() (owned bool) {
		err := b.conn.BusObject().Call("org.freedesktop.DBus.NameHasOwner", 0, "org.freedesktop.secrets").Store(&owned)
		return err == nil && owned
	})
}
