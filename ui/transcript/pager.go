package transcript

import (
	"fmt"

	"fyne.io/fyne/v2"

	"goated/ui/kit"
	"goated/ui/popup"
	"goated/ui/view"
)

const pagerWidth = 84

// A pager shows and changes the version of a message. It is hidden if there is
// only one.
type pager struct {
	root        *fyne.Container
	count       *kit.Label
	back, forth *kit.Button
	at, of      int
}

func newPager(turn func(by int)) *pager {
	p := &pager{count: kit.NewLabel("", 12, kit.ColorMuted)}
	p.count.Centre = true
	p.back = kit.NewButton(kit.Ghost, "chevron-left", "", func() { turn(-1) }).Small()
	p.forth = kit.NewButton(kit.Ghost, "chevron-right", "", func() { turn(1) }).Small()
	p.root = kit.Horizontal(0, p.count, p.back, p.count, p.forth)
	p.root.Hidden = true
	return p
}

// set shows version at (from 0) of of, and reports whether the pager appeared or
// disappeared.
func (p *pager) set(at, of int) bool {
	was := p.root.Hidden
	if p.at != at || p.of != of {
		p.at, p.of = at, of
		p.count.Set(fmt.Sprintf("%d/%d", at+1, of))
		p.back.SetEnabled(at > 0)
		p.forth.SetEnabled(at < of-1)
	}
	p.root.Hidden = of < 2
	return was != p.root.Hidden
}

// actions returns the menu items of an item.
func (t *Transcript) actions(i int) []popup.Item {
	if i < 0 || i >= len(t.View.Items) || t.View.Live {
		return nil
	}
	var items []popup.Item
	offer := func(item popup.Item, do func(int)) {
		if do != nil {
			item.Do = func() { do(i) }
			items = append(items, item)
		}
	}
	if _, own := t.View.Items[i].(view.User); own {
		offer(popup.Item{Text: "Edit and send again", Icon: "pencil"}, t.On.Edit)
	} else {
		offer(popup.Item{Text: "Answer again", Icon: "retry"}, t.On.Regenerate)
	}
	if t.On.Deletes != nil {
		if what := t.On.Deletes(i); what != "" {
			offer(popup.Item{Text: what, Icon: "trash", Danger: true}, t.On.Delete)
		}
	}
	return items
}
