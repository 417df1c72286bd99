package chats

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"goated/internal/store/markdown"
	"goated/ui/kit"
	"goated/ui/popup"
	"goated/ui/view/format"
)

// A menu runs the actions in the menus of the sidebar, for one conversation or for all of them.
type menu struct{ page *Page }

// Open shows the menu of a conversation in the sidebar.
func (m *menu) Open(i int, at fyne.Position) {
	c := m.page.Chats[i]
	if c.Saved.ID == "" {
		return // nothing of it is saved
	}
	pin := "Pin"
	if c.Saved.Pinned {
		pin = "Unpin"
	}
	popup.Show(m.page.shell.Sheets.Window.Canvas(), at,
		popup.Item{Text: "Rename…", Icon: "pencil", Do: func() { m.Rename(c) }},
		popup.Item{Text: pin, Icon: "pin", Do: func() { m.Pin(c) }},
		popup.Item{Text: "Instructions…", Icon: "list", Do: func() {
			if m.Show(c) {
				m.page.on.Talk.Instructions()
			}
		}},
		popup.Item{},
		popup.Item{Text: "Export as Markdown…", Icon: "save", Do: func() { m.Export(c, ".md") }},
		popup.Item{Text: "Export as JSON…", Do: func() { m.Export(c, ".json") }},
		popup.Item{},
		popup.Item{Text: "Delete", Icon: "trash", Danger: true, Disabled: c.Running(), Do: func() { m.page.History.Trash.Discard(c) }},
	)
}

// Show shows a conversation, whose place in the list may have changed. It reports false if the
// conversation was deleted in the meantime.
func (m *menu) Show(c *Conversation) bool {
	i := slices.Index(m.page.Chats, c)
	if i >= 0 {
		m.page.Choose(i)
	}
	return i >= 0
}

func (m *menu) Rename(c *Conversation) {
	name := kit.NewInput(m.page.shell.Clock, "A title", false)
	var s *kit.Sheet
	submit := func() {
		title := strings.TrimSpace(name.Text)
		m.page.History.Loader.inBackground(func(ctx context.Context) error { return m.page.History.Store.Rename(ctx, c.Saved.ID, title) }, func() {
			c.Saved.Title = title
			m.page.shell.Sheets.Shut(s)
			m.page.Refresh()
		})
	}
	name.OnSubmit = submit
	gap := kit.NewLabel("", 12, kit.ColorFaint).Elided()
	s = kit.NewSheet(480, "Rename the conversation", kit.NewField(name),
		kit.Horizontal(8, gap, gap, kit.NewButton(kit.Outline, "", "Cancel", func() { s.OnClose() }), kit.NewButton(kit.Primary, "check", "Rename", submit)))
	s.OnClose = func() { m.page.shell.Sheets.Shut(s) }
	s.First = name
	name.Put(c.Heading())
	s.Holds = kit.Typed(name)
	m.page.shell.Sheets.Open(s)
	name.TypedShortcut(&fyne.ShortcutSelectAll{}) // typing replaces the old title
}

func (m *menu) Pin(c *Conversation) {
	pinned := !c.Saved.Pinned
	m.page.History.Loader.inBackground(func(ctx context.Context) error { return m.page.History.Store.Pin(ctx, c.Saved.ID, pinned) }, func() {
		c.Saved.Pinned = pinned
		m.page.Sort()
		m.page.Refresh()
	})
}

// Export writes a conversation to a file that the user chooses.
func (m *menu) Export(c *Conversation, extension string) {
	var b bytes.Buffer
	m.page.History.Loader.inBackground(func(ctx context.Context) error {
		if extension == ".md" {
			t, err := m.page.History.Store.Thread(ctx, c.Saved.ID)
			if err != nil {
				return err
			}
			return markdown.Write(&b, t)
		}
		return m.page.History.Store.ExportJSON(ctx, &b, c.Saved.ID)
	}, func() { m.page.on.Save(exportName(c.Heading())+extension, b.Bytes()) })
}

// exportName turns a title into a file name.
func exportName(title string) string {
	name := strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '-'
		}
		return r
	}, strings.TrimSpace(title))
	if name = strings.Trim(format.Cut(name, 60), ". -"); name == "" {
		return "conversation"
	}
	return name
}

// Discard deletes a conversation; restore undoes that. If the conversation is shown, Discard then
// shows the most recently used one, or an empty one.
func (t *trash) Discard(c *Conversation) {
	t.change(c, func(ctx context.Context) error { return t.page.History.Store.Delete(ctx, c.Saved.ID) }, func() {
		if !slices.Contains(t.page.Chats, c) {
			return
		}
		if c.Running() {
			c.Cancel() // sent in the meantime; the user can no longer stop it
		}
		t.drop(c)
		t.offerUndo(removal{c: c}, fmt.Sprintf("Deleted “%s”.", format.Cut(c.Heading(), 40)))
	})
}

// drop removes a conversation from the sidebar.
func (t *trash) drop(c *Conversation) {
	p := t.page
	shown := p.Conversation()
	p.Chats = slices.DeleteFunc(p.Chats, func(other *Conversation) bool { return other == c })
	if len(p.Chats) == 0 {
		p.Chats = append(p.Chats, &Conversation{Session: p.on.NewSession()})
	}
	if c == shown {
		last := slices.MaxFunc(p.Chats, func(a, b *Conversation) int { return cmp.Compare(a.used(), b.used()) })
		p.Current = slices.Index(p.Chats, last)
		p.Choose(p.Current)
	} else {
		p.Current = slices.Index(p.Chats, shown)
		p.Refresh()
	}
}

// OpenShown opens the menu of the shown conversation below an object.
func (m *menu) OpenShown(below fyne.CanvasObject) {
	at := kit.PositionOf(below)
	m.Open(slices.Index(m.page.Chats, m.page.Conversation()), at.AddXY(0, below.Size().Height+4))
}
