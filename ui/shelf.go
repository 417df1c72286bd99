package ui

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"goated/ui/kit"
	"goated/ui/view"
)

// A chatMenu does what the menus of the sidebar offer: with one conversation, or
// with all of them.
type chatMenu struct{ page *chatPage }

// open shows the menu of a conversation in the sidebar.
func (m *chatMenu) open(i int, at fyne.Position) {
	c := m.page.chats[i]
	if c.saved.id == "" {
		return // nothing of it is saved
	}
	pin := "Pin"
	if c.saved.pinned {
		pin = "Unpin"
	}
	gone := fyne.NewMenuItem("Delete", func() { m.page.trash.discard(c) })
	gone.Disabled = c.running()
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("",
		fyne.NewMenuItem("Rename…", func() { m.rename(c) }),
		fyne.NewMenuItem(pin, func() { m.pin(c) }),
		fyne.NewMenuItem("Export as Markdown…", func() { m.export(c, ".md") }),
		fyne.NewMenuItem("Export as JSON…", func() { m.export(c, ".json") }),
		fyne.NewMenuItemSeparator(), gone,
	), m.page.shell.Sheets.Window.Canvas(), at)
}

func (m *chatMenu) rename(c *conversation) {
	name := kit.NewInput(m.page.shell.Clock, "A title", false)
	var s *kit.Sheet
	submit := func() {
		title := strings.TrimSpace(name.Text)
		m.page.loader.keep(func(ctx context.Context) error { return m.page.history.Rename(ctx, c.saved.id, title) }, func() {
			c.saved.title = title
			m.page.shell.Sheets.Shut(s)
			m.page.refresh()
		})
	}
	name.OnSubmit = submit
	gap := kit.NewLabel("", 12, kit.ColorFaint).Elided()
	s = kit.NewSheet(480, "Rename the conversation", kit.NewField(name),
		kit.Horizontal(8, gap, gap, kit.NewButton(kit.Outline, "", "Cancel", func() { s.OnClose() }), kit.NewButton(kit.Primary, "check", "Rename", submit)))
	s.OnClose = func() { m.page.shell.Sheets.Shut(s) }
	s.First = name
	name.Put(c.heading())
	m.page.shell.Sheets.Open(s)
}

func (m *chatMenu) pin(c *conversation) {
	pinned := !c.saved.pinned
	m.page.loader.keep(func(ctx context.Context) error { return m.page.history.Pin(ctx, c.saved.id, pinned) }, func() {
		c.saved.pinned = pinned
		m.page.sort()
		m.page.refresh()
	})
}

// export writes a conversation to a file that the user names.
func (m *chatMenu) export(c *conversation, extension string) {
	var b bytes.Buffer
	m.page.loader.keep(func(ctx context.Context) error {
		if extension == ".md" {
			return m.page.history.ExportMarkdown(ctx, &b, c.saved.id)
		}
		return m.page.history.ExportJSON(ctx, &b, c.saved.id)
	}, func() { m.page.on.Save(exportName(c.heading())+extension, b.Bytes()) })
}

// exportName makes a file name of a title.
func exportName(title string) string {
	name := strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '-'
		}
		return r
	}, strings.TrimSpace(title))
	if name = strings.Trim(view.Cut(name, 60), ". -"); name == "" {
		return "conversation"
	}
	return name
}

// discard deletes a conversation; restore undoes it. In place of the shown one it
// shows the one used last, or an empty one.
func (t *trash) discard(c *conversation) {
	t.page.loader.keep(func(ctx context.Context) error { return t.page.history.Delete(ctx, c.saved.id) }, func() {
		at := slices.Index(t.page.chats, c)
		if at < 0 {
			return
		}
		if c.running() {
			c.cancel() // sent meanwhile; the user can't stop it any more
		}
		shown := t.page.conversation()
		t.page.chats = slices.Delete(t.page.chats, at, at+1)
		if len(t.page.chats) == 0 {
			t.page.chats = append(t.page.chats, &conversation{session: t.page.on.NewSession()})
		}
		if c == shown {
			last := slices.MaxFunc(t.page.chats, func(a, b *conversation) int { return cmp.Compare(a.used(), b.used()) })
			t.page.current = slices.Index(t.page.chats, last)
			t.page.choose(t.page.current)
		} else {
			t.page.current = slices.Index(t.page.chats, shown)
			t.page.refresh()
		}
		t.removes(removal{c: c}, fmt.Sprintf("Deleted “%s”.", view.Cut(c.heading(), 40)))
	})
}
