package transcript

import (
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"goated/ui/kit"
	"goated/ui/view"
	"goated/ui/view/markdown"
)

// parts returns the blocks of an item as its text views show them.
func (v *viewport) parts(i int) []markdown.Block {
	if i < 0 || i >= len(v.Items) {
		return []markdown.Block{{}}
	}
	if a, ok := v.Rows[i].Block.(*Answer); ok && len(a.Doc.Blocks()) > 0 {
		return a.Doc.Blocks()
	}
	if n, ok := v.Rows[i].Block.(*noticeRow); ok {
		return partsOf(n.shown)
	}
	return partsOf(withServerNames(v.t, v.Items[i:i+1])[0])
}

func partsOf(item view.Item) []markdown.Block {
	switch item := item.(type) {
	case view.User:
		return []markdown.Block{markdown.Plain(item.Text)}
	case view.Queued:
		return []markdown.Block{markdown.Plain(item.Text)}
	case view.Notice:
		return []markdown.Block{markdown.Plain(item.Text)}
	case view.Thought:
		return []markdown.Block{thoughtBlock(item)}
	case view.Card:
		return []markdown.Block{markdown.Plain(item.PlainText())}
	case view.Failure:
		return []markdown.Block{markdown.Plain(item.PlainText())}
	case view.Summary:
		return []markdown.Block{summaryBlock(item)}
	case view.Answer:
		if blocks := markdown.Parse(item.Text); len(blocks) > 0 {
			return blocks
		}
	}
	return []markdown.Block{{}}
}

// A partRange is the selected range of one part, in characters.
type partRange struct{ from, to int }

// each calls yield for each selected part, in order.
func (s *selection) each(yield func(item, part int, b markdown.Block, r partRange)) {
	if s.empty() {
		return
	}
	from, to := s.span()
	for i := from.Item; i <= min(to.Item, len(s.t.View.Items)-1); i++ {
		for k, b := range s.t.View.parts(i) {
			if i == from.Item && k < from.Part || i == to.Item && k > to.Part {
				continue
			}
			r := partRange{0, 1 << 30}
			if i == from.Item && k == from.Part {
				r.from = from.At
			}
			if i == to.Item && k == to.Part {
				r.to = to.At
			}
			yield(i, k, b, r)
		}
	}
}

// Text returns the selected text, including thoughts and calls.
func (s *selection) Text() string {
	var out []string
	s.each(func(_, _ int, b markdown.Block, r partRange) {
		if s := cut(b.Text(), r); s != "" {
			out = append(out, s)
		}
	})
	return strings.Join(out, "\n\n")
}

// cut returns the given range of text.
func cut(text string, r partRange) string {
	if r.from == 0 && r.to >= len(text) {
		return text
	}
	runes := []rune(text)
	from := min(r.from, len(runes))
	return string(runes[from:max(from, min(r.to, len(runes)))])
}

// source returns the selection as Markdown. Fully selected messages keep their original source;
// others become equivalent Markdown.
func (s *selection) source() string {
	from, to := s.span()
	var out []string
	add := func(s string) {
		if s != "" {
			out = append(out, s)
		}
	}
	var blocks []markdown.Block
	flush := func() {
		add(markdown.Source(blocks))
		blocks = nil
	}
	last := -1
	s.each(func(item, part int, b markdown.Block, r partRange) {
		if item != last {
			flush()
		}
		whole := (item > from.Item || from.Part == 0 && from.At == 0) && (item < to.Item || to.Part >= len(s.t.View.parts(item)) ||
			to.Part == len(s.t.View.parts(item))-1 && to.At >= utf8.RuneCountInString(s.t.View.parts(item)[to.Part].Text()))
		switch it := s.t.View.Items[item].(type) {
		case view.Answer, view.Thought:
			if whole {
				if last != item {
					add(sourceOf(it))
				}
			} else if p := b.Part(r.from, r.to); len(p.Spans)+len(p.Blocks) > 0 || p.Kind == markdown.Rule {
				blocks = append(blocks, p)
			}
		case view.Card:
			add(sourceOf(withServerNames(s.t, []view.Item{it})[0]))
		default:
			add(cut(b.Text(), r))
		}
		last = item
	})
	flush()
	return strings.Join(out, "\n\n")
}

func sourceOf(item view.Item) string {
	switch item := item.(type) {
	case view.User:
		return item.Text
	case view.Answer:
		return strings.TrimSpace(item.Text)
	case view.Thought:
		return "> " + strings.ReplaceAll(strings.TrimSpace(item.Text), "\n", "\n> ")
	case view.Card:
		return item.Source()
	case view.Failure:
		return item.PlainText()
	case view.Queued:
		return item.Text
	case view.Notice:
		return item.Text
	case view.Summary:
		return item.Text
	}
	return ""
}

// copySource copies the Markdown source of a message.
func (t *Transcript) copySource(i int) {
	switch {
	case i < len(t.View.Rows) && t.View.Rows[i].isHidden():
		t.View.Rows[i].group.copy()
	case i < len(t.View.Items):
		t.copy(sourceOf(withServerNames(t, t.View.Items[i:i+1])[0]))
	}
}

// copy copies the selection to c as text or as Markdown. It builds a large selection outside the
// UI goroutine.
func (s *selection) copy(c fyne.Clipboard, source bool) {
	if s.empty() {
		return
	}
	written := (*selection).Text
	if source {
		written = (*selection).source
	}
	if !s.large() {
		c.SetContent(written(s))
		return
	}
	still := &Transcript{}
	still.View.t = still
	still.View.Items, still.View.Rows = withServerNames(s.t, s.t.View.Items), make([]entry, len(s.t.View.Rows))
	still.Selection = selection{t: still, anchor: s.anchor, caret: s.caret}
	var text string
	s.t.run(func() { text = written(&still.Selection) }, func() { c.SetContent(text) })
}

// large reports whether the selection may be longer than a few pages.
func (s *selection) large() bool {
	from, to := s.span()
	much := 64 << 10
	for i := from.Item; i <= min(to.Item, len(s.t.View.Items)-1) && much > 0; i++ {
		much -= 500
		switch item := s.t.View.Items[i].(type) {
		case view.Answer:
			much -= len(item.Text)
		case view.Card:
			much -= len(item.Result) + len(item.Arguments)
		}
	}
	return much <= 0
}

// containsItem reports whether the selection contains a whole item.
func (s *selection) containsItem(item int) bool {
	from, to := s.span()
	return !s.empty() && item >= from.Item && item <= to.Item && (TextPos{item, 0, 0} != to)
}

// tint shows the selection of a card or a failure, which have no selectable text, and the current
// match in a failure.
func (t *Transcript) tint(i int) {
	if v := &t.View; v.Rows[i].isGroupHead(i) && v.Rows[i].group.line != nil {
		v.Rows[i].group.line.pick(v.Rows[i].isHidden() && t.Selection.containsItem(i) && t.Selection.containsItem(v.Rows[i].lastItem(i)))
	}
	switch b := t.View.Rows[i].Block.(type) {
	case *Card:
		b.picked = t.Selection.containsItem(i)
		b.paint()
	case *failure:
		fill := kit.ColorBadSoft
		switch {
		case t.Selection.containsItem(i):
			fill = theme.ColorNameSelection
		case t.Find.isCurrent(i):
			fill = kit.ColorHere
		}
		b.ground.Paint(fill, kit.ColorBad)
	}
}
