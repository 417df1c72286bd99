package servers

import (
	"fmt"
	"reflect"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/client"
	"goated/internal/wording"
	"goated/registry"
	"goated/ui/highlight"
	"goated/ui/kit"
	"goated/ui/view"
	"goated/ui/view/format"
	"goated/ui/view/fuzzy"
)

// toolRows is the maximum number of tools in the list. The filter finds the others.
const toolRows = 60

// toolsPage shows the list of tools, or the open tool.
func (t *toolsTab) toolsPage() fyne.CanvasObject {
	for _, e := range t.page.server.Tools {
		if e.Tool != nil && e.Tool.Name == t.tool {
			same := t.opened.page != nil && reflect.DeepEqual(t.opened.entry.Tool, e.Tool)
			if t.opened.entry = e; !same {
				t.opened.page = t.toolPage(e)
			}
			if r := t.opened.trial; t.arrived {
				t.focusFirst, t.arrived = r.Form.Top(r.Run), false
			}
			t.showChange()
			t.opened.declared.Objects = []fyne.CanvasObject{t.declaration(e)}
			return t.opened.page
		}
	}
	if s := t.page.server; t.opened.page != nil && s.Status != client.Connected { // its tools may come back
		if s.Status == client.Failed && s.Err != nil {
			return kit.Vertical(20, t.page.process.newCard().Draw(s, s.Err), t.opened.page)
		}
		return t.opened.page
	}
	t.open("")
	page := kit.Vertical(10)
	if s := t.page.server; s.Status == client.Connected && len(s.Tools)+len(s.Off)+len(s.Uncallable) == 0 {
		page.Add(kit.NewEmptyNote("tool", wording.NoToolsText(s)))
	} else if s.Status == client.Failed && s.Err != nil {
		page.Add(t.page.process.newCard().Draw(s, s.Err))
	} else if len(s.Tools) == 0 {
		page.Add(kit.NewEmptyNote("tool", "None of this server's tools can be called now."))
	}
	list := kit.Vertical(6)
	if len(t.page.server.Tools) > 8 {
		in := kit.NewInput(t.page.ps.Clock, "Find a tool", false)
		in.Put(t.filter)
		in.OnTyped = func() {
			t.filter = in.Text
			t.listTools(list)
			t.page.Refit()
		}
		page.Add(kit.NewField(in))
	}
	t.listTools(list)
	page.Add(list)
	for _, reason := range view.UncallableReasons(t.page.server) {
		page.Add(kit.NewText(reason, 12, 18, kit.ColorWarn))
	}
	return page
}

func (t *toolsTab) listTools(list *fyne.Container) {
	list.Objects = nil
	tools := t.page.server.Tools
	found := fuzzy.Rank(t.filter, len(tools), func(i int) (string, string) {
		if tools[i].Tool == nil {
			return "", ""
		}
		return toolTitle(tools[i]), tools[i].Tool.Name + " " + tools[i].Tool.Description
	})
	for _, m := range found[:min(len(found), toolRows)] {
		e := tools[m.Index]
		if e.Tool == nil {
			continue
		}
		about := e.Tool.Description
		if title := toolTitle(e); title != e.Tool.Name && about != "" {
			about = e.Tool.Name + " · " + about
		}
		if about == "" {
			about = "The server gives no description."
		}
		words := kit.NewLabel(format.Cut(about, 160), 12, kit.ColorMuted)
		if t.suspended(e) != nil {
			words = kit.NewLabel(view.ChangedTool, 12, kit.ColorWarn)
		}
		list.Add(t.page.row(toolTitle(e), m.At, words, "Try", func() {
			t.open(e.Tool.Name)
			t.page.draw(serverTools)
		}))
	}
	if n := len(found) - toolRows; n > 0 {
		list.Add(kit.NewLabel(fmt.Sprintf("%d more. Type to filter.", n), 12, kit.ColorFaint))
	}
}

// toolTitle returns the title of a tool for users.
func toolTitle(e registry.Entry) string {
	return view.ToolTitle(e.Tool)
}

// row makes a row of a list with a name, a description, and the label of its action. at marks
// the matched letters of the name.
func (p *serverPage) row(name string, at []int, about *kit.Label, word string, tapped func()) fyne.CanvasObject {
	tap := kit.NewTappable(10, tapped)
	tap.SetColors(kit.ColorSurface, kit.ColorBorder)
	title := highlight.New(14)
	title.Set(name, at)
	words := kit.Vertical(2, title, about.Elided())
	mark := kit.Horizontal(4, nil, kit.NewLabel(word, 12, kit.ColorMuted).Medium(), kit.NewIcon("chevron-right", 14, kit.ColorMuted))
	return container.New(kit.Margin{}, tap, kit.Inset(kit.Margin{Top: 9, Right: 12, Bottom: 10, Left: 14}, kit.Horizontal(12, words, words, mark)))
}

// backButton makes a button that returns to the list.
func (p *serverPage) backButton(text string, to func()) fyne.CanvasObject {
	gap := kit.NewLabel("", 12, kit.ColorFaint).Elided()
	arrow := kit.NewButton(kit.Ghost, "back", text, to).Small()
	return kit.Inset(kit.Margin{Top: 0, Right: 0, Bottom: 0, Left: -9}, kit.Horizontal(0, gap, arrow, gap))
}
