package ui

import (
	"strings"

	"fyne.io/fyne/v2"

	"goated/ui/view"
)

// parts are the blocks of an item, as the passages of it show them.
func (t *transcript) parts(i int) []view.Block {
	if i < 0 || i >= len(t.items) {
		return []view.Block{{}}
	}
	if a, ok := t.rows[i].block.(*answer); ok && len(a.doc.Blocks()) > 0 {
		return a.doc.Blocks()
	}
	return partsOf(t.items[i])
}

func partsOf(item view.Item) []view.Block {
	switch item := item.(type) {
	case view.User:
		return []view.Block{view.Plain(item.Text)}
	case view.Notice:
		return []view.Block{view.Plain(item.Text)}
	case view.Thought:
		return []view.Block{thoughtBlock(item)}
	case view.Answer:
		if blocks := view.Markdown(item.Text); len(blocks) > 0 {
			return blocks
		}
	}
	return []view.Block{{}}
}

// selected is the text that is marked. Thoughts and calls that are passed over
// are not of the conversation.
func (t *transcript) selected() string {
	if t.selection.empty() {
		return ""
	}
	from, to := t.span()
	var out []string
	for i := from.item; i <= min(to.item, len(t.items)-1); i++ {
		if _, ok := t.items[i].(view.Thought); ok && from.item != to.item {
			continue
		}
		for k, b := range t.parts(i) {
			if i == from.item && k < from.part || i == to.item && k > to.part {
				continue
			}
			text := []rune(b.Text())
			a, z := 0, len(text)
			if i == from.item && k == from.part {
				a = min(from.at, z)
			}
			if i == to.item && k == to.part {
				z = max(min(to.at, z), a)
			}
			if a < z {
				out = append(out, string(text[a:z]))
			}
		}
	}
	return strings.Join(out, "\n\n")
}

// selectedSource is the Markdown of what is marked, by whole messages.
func (t *transcript) selectedSource() string {
	from, to := t.span()
	var out []string
	for i := from.item; i <= min(to.item, len(t.items)-1); i++ {
		if s := sourceOf(t.items[i]); s != "" {
			out = append(out, s)
		}
	}
	return strings.Join(out, "\n\n")
}

func sourceOf(item view.Item) string {
	switch item := item.(type) {
	case view.User:
		return item.Text
	case view.Answer:
		return strings.TrimSpace(item.Text)
	case view.Notice:
		return item.Text
	}
	return ""
}

// copySource copies a message as it was written.
func (t *transcript) copySource(i int) {
	if i < len(t.items) {
		t.copy(sourceOf(t.items[i]))
	}
}

// copySelected puts what is marked on a clipboard. Of many messages it takes a
// moment to write them down, which is not for the UI goroutine.
func (t *transcript) copySelected(c fyne.Clipboard) {
	if t.selection.empty() {
		return
	}
	from, to := t.span()
	if to.item-from.item < 100 {
		c.SetContent(t.selected())
		return
	}
	still := transcript{items: t.items, rows: make([]entry, len(t.rows)), selection: selection{anchor: t.anchor, caret: t.caret}}
	var text string
	t.run(func() { text = still.selected() }, func() { c.SetContent(text) })
}
