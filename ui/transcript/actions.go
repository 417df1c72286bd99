package transcript

import (
	"goated/ui/popup"
	"goated/ui/view"
)

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
