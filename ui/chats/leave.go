package chats

import (
	"fmt"
	"strings"

	"goated/ui/kit"
	"goated/ui/view"
)

// unsaved returns the conversations that would lose something when the window closes, because the
// history lacks a part of them. It is empty as long as everything can be saved.
func (l *loader) unsaved() (list []*Conversation) {
	p := l.page
	waits := p.History.Store != nil && unwritten(p.History.Store)
	for _, c := range p.Chats {
		if c.Read.lost || waits && c.Chat.Len() > c.Thread.End {
			list = append(list, c)
		}
	}
	return list
}

// Leave calls quit immediately if everything is saved. Otherwise it asks the user first.
func (l *loader) Leave(quit func()) {
	p, list := l.page, l.unsaved()
	if len(list) == 0 {
		quit()
		return
	}
	var s *kit.Sheet
	shut := func() { p.shell.Sheets.Shut(s) }
	title, name := "This conversation isn't saved", exportName(list[0].Heading())
	if len(list) > 1 {
		title, name = fmt.Sprintf("%d conversations aren't saved", len(list)), "goated conversations"
	}
	gap := kit.NewLabel("", 12, kit.ColorFaint).Elided()
	s = kit.NewSheet(480, title,
		kit.NewText("The last messages could not be saved. If you quit now, they may be lost. Export them to a file in another place, or leave goated open until it can save them.", 13, 20, kit.ColorMuted),
		kit.Horizontal(8, gap, kit.NewButton(kit.Ghost, "", "Quit", func() { shut(); quit() }), gap,
			kit.NewButton(kit.Outline, "", "Cancel", shut),
			kit.NewButton(kit.Primary, "save", "Export…", func() { shut(); p.on.Save(name+".md", transcriptOf(list)) })))
	s.OnClose = shut
	p.shell.Sheets.Open(s)
}

// transcriptOf returns conversations as Markdown, as the window shows them. The caller uses it
// for conversations that the history lacks.
func transcriptOf(list []*Conversation) []byte {
	var b strings.Builder
	for _, c := range list {
		fmt.Fprintf(&b, "# %s\n", c.Heading())
		for _, item := range c.Chat.All() {
			switch item := item.(type) {
			case view.User:
				fmt.Fprintf(&b, "\n## You\n\n%s\n", item.Text)
				for _, a := range item.Attachments() {
					fmt.Fprintf(&b, "\nFile: %s\n", a.Name)
				}
			case view.Answer:
				fmt.Fprintf(&b, "\n## Answer\n\n%s\n", item.Text)
			case view.Card:
				fmt.Fprintf(&b, "\nTool: %s\n", item.Title)
			default:
			}
		}
		b.WriteString("\n")
	}
	return []byte(b.String())
}
