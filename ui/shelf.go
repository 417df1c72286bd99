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

// menu shows what can be done with a conversation in the sidebar.
func (w *Window) menu(i int, at fyne.Position) {
	c := w.chats[i]
	if c.id == "" {
		return // there is nothing of it yet
	}
	pin := "Pin"
	if c.pinned {
		pin = "Unpin"
	}
	gone := fyne.NewMenuItem("Delete", func() { w.discard(c) })
	gone.Disabled = c.running()
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("",
		fyne.NewMenuItem("Rename…", func() { w.rename(c) }),
		fyne.NewMenuItem(pin, func() { w.pin(c) }),
		fyne.NewMenuItem("Export as Markdown…", func() { w.export(c, ".md") }),
		fyne.NewMenuItem("Export as JSON…", func() { w.export(c, ".json") }),
		fyne.NewMenuItemSeparator(), gone,
	), w.win.Canvas(), at)
}

// alert shows an error in a toast.
func (w *Window) alert(err error) { w.shell.alert(err) }

// keep has the store do something, and tells what went wrong. then runs on the
// UI goroutine if nothing did.
func (w *Window) keep(do func(context.Context) error, then func()) {
	w.begin(func() {
		err := do(w.ctx)
		w.post(func() {
			if err != nil {
				w.alert(err)
				return
			}
			then()
		})
	})
}

func (w *Window) rename(c *conversation) {
	name := kit.NewInput(w.clock, "A title", false)
	var s *kit.Sheet
	submit := func() {
		title := strings.TrimSpace(name.Text)
		w.keep(func(ctx context.Context) error { return w.options.History.Rename(ctx, c.id, title) }, func() {
			c.title = title
			w.shut(s)
			w.refresh()
		})
	}
	name.OnSubmit = submit
	gap := kit.NewLabel("", 12, kit.ColorFaint).Elided()
	s = kit.NewSheet(480, "Rename the conversation", kit.NewField(name),
		kit.Horizontal(8, gap, gap, kit.NewButton(kit.Outline, "", "Cancel", func() { s.OnClose() }), kit.NewButton(kit.Primary, "check", "Rename", submit)))
	s.OnClose = func() { w.shut(s) }
	s.First = name
	name.Put(c.heading())
	w.open(s)
}

func (w *Window) pin(c *conversation) {
	pinned := !c.pinned
	w.keep(func(ctx context.Context) error { return w.options.History.Pin(ctx, c.id, pinned) }, func() {
		c.pinned = pinned
		w.sort()
		w.refresh()
	})
}

// export writes a conversation to a file that the person names.
func (w *Window) export(c *conversation, extension string) {
	var b bytes.Buffer
	w.keep(func(ctx context.Context) error {
		if extension == ".md" {
			return w.options.History.ExportMarkdown(ctx, &b, c.id)
		}
		return w.options.History.ExportJSON(ctx, &b, c.id)
	}, func() { w.save(exportName(c.heading())+extension, b.Bytes()) })
}

// exportName makes a title the name of a file.
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

// discard deletes a conversation, until it is brought back. If it is the one that
// is shown, the one last used is, or an empty one.
func (w *Window) discard(c *conversation) {
	w.keep(func(ctx context.Context) error { return w.options.History.Delete(ctx, c.id) }, func() {
		at := slices.Index(w.chats, c)
		if at < 0 {
			return
		}
		if c.running() {
			c.cancel() // it was sent meanwhile, and nobody could stop it any more
		}
		shown := w.conversation()
		w.chats = slices.Delete(w.chats, at, at+1)
		if len(w.chats) == 0 {
			w.chats = append(w.chats, &conversation{session: w.options.NewSession()})
		}
		if c == shown {
			last := slices.MaxFunc(w.chats, func(a, b *conversation) int { return cmp.Compare(a.used(), b.used()) })
			w.current = slices.Index(w.chats, last)
			w.choose(w.current)
		} else {
			w.current = slices.Index(w.chats, shown)
			w.refresh()
		}
		w.removes(removal{c: c}, fmt.Sprintf("Deleted “%s”.", view.Cut(c.heading(), 40)))
	})
}
