package form

import (
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/kit"
	"goated/ui/view/format"
)

// maxItems limits how many items of a list are drawn as fields. A longer list is easier to edit
// as JSON elsewhere.
const maxItems = 200

// groupHead returns the label of an object. An optional object is added and removed as a whole,
// because its required members are required only if the object is present.
func (fd *field) groupHead() fyne.CanvasObject {
	label := kit.NewLabel(fd.Label, 13, kit.ColorText).Strong()
	gap := kit.NewLabel("", 12, kit.ColorFaint).Elided()
	if fd.Required {
		return kit.Horizontal(8, gap, label, kit.NewLabel("required", 12, kit.ColorFaint), gap)
	}
	button := kit.NewButton(kit.Ghost, "", "", nil).Small()
	show := func() {
		button.SetText("Add")
		button.SetIcon("plus")
		if fd.on {
			button.SetText("Remove")
			button.SetIcon("cross")
		}
	}
	button.OnTapped = func() {
		fd.on = !fd.on
		show()
		fd.drawGroup(false)
		fd.report("")
		fd.form.resize()
		fd.form.changed()
		if first := flatten(fd.members); len(first) > 0 && first[0].focus != nil {
			kit.Focus(first[0].focus)
		}
	}
	show()
	fd.focus = button
	return kit.Horizontal(8, gap, label, gap, button)
}

// group returns the members of an object on a panel.
func (fd *field) group(bare bool) fyne.CanvasObject {
	fd.body = kit.Vertical(0)
	fd.on = fd.on || fd.Required
	fd.drawGroup(bare)
	return fd.body
}

// drawGroup draws the members of a group that is present. The members of a list item are on the
// item's panel.
func (fd *field) drawGroup(bare bool) {
	fd.body.Objects, fd.members = nil, nil
	if fd.on {
		values, _ := fd.known.(map[string]any)
		inner := kit.Vertical(14)
		for _, spec := range fd.Members {
			v, given := values[spec.Name]
			if !given && (!fd.form.given || fd.known == nil) {
				v = spec.Default
			}
			m := newField(fd.form, spec, v, given, false)
			fd.members = append(fd.members, m)
			inner.Add(m.root)
		}
		if bare {
			fd.body.Add(inner)
		} else {
			fd.body.Add(ground(inner))
		}
	}
	fd.body.Refresh()
}

// ground puts the fields of a nested value on a panel.
func ground(o fyne.CanvasObject) fyne.CanvasObject {
	return kit.Boxed(kit.NewPanel(kit.ColorSunken, kit.ColorBorder, 10), kit.Margin{Top: 12, Right: 14, Bottom: 14, Left: 14}, o)
}

func (fd *field) readGroup(say bool) (any, bool, *field) {
	if !fd.on {
		return nil, false, nil
	}
	known, _ := fd.known.(map[string]any)
	values, wrong := readAll(fd.members, known, say)
	return values, true, wrong
}

// list returns the items of a list, with a button that adds one.
func (fd *field) list() fyne.CanvasObject {
	fd.body = kit.Vertical(8)
	values, _ := fd.known.([]any)
	for _, v := range values[:min(len(values), maxItems)] {
		fd.members = append(fd.members, newField(fd.form, *fd.Item, v, true, true))
	}
	for len(fd.members) < fd.InitialItems() && (fd.Required || fd.on) {
		fd.members = append(fd.members, newField(fd.form, *fd.Item, fd.Item.Default, false, true))
	}
	fd.add = kit.NewButton(kit.Outline, "plus", "Add", func() {
		item := newField(fd.form, *fd.Item, fd.Item.Default, false, true)
		fd.members = append(fd.members, item)
		fd.on = true
		fd.drawList()
		fd.report("")
		fd.form.resize()
		fd.form.changed()
		if flat := flatten([]*field{item}); len(flat) > 0 {
			for _, inner := range flat {
				if inner.focus != nil {
					kit.Focus(inner.focus)
					break
				}
			}
		}
	}).Small()
	fd.focus = fd.add
	fd.drawList()
	parts := []fyne.CanvasObject{fd.body, kit.Horizontal(0, nil, fd.add)}
	if n := len(values) - maxItems; n > 0 {
		parts = append(parts, kit.NewLabel(format.Plural(n, "%d more item stays as it is", "%d more items stay as they are"), 12, kit.ColorMuted))
	}
	return kit.Vertical(8, parts...)
}

// drawList draws the items with their numbers and the buttons that remove them, and enables Add
// while the list may grow.
func (fd *field) drawList() {
	fd.add.SetEnabled(len(fd.members) < maxItems)
	fd.body.Objects = nil
	fd.body.Hidden = len(fd.members) == 0
	for i, item := range fd.members {
		item.Label = fmt.Sprintf("%s %d", fd.Item.Label, i+1)
		remove := kit.NewButton(kit.Ghost, "cross", "", func() {
			fd.members = slices.DeleteFunc(slices.Clone(fd.members), func(m *field) bool { return m == item })
			fd.on = true
			fd.drawList()
			fd.report("")
			fd.form.resize()
			fd.form.changed()
			kit.Focus(fd.focus)
		}).Small()
		fd.form.sh.Tips.Name(remove, "Remove "+item.Label, kit.Shortcut{})
		if item.value != nil && item.panel != nil { // a single input: the button is beside it
			fd.body.Add(container.New(kit.Row{Gap: 6, Flex: item.root, Top: true}, item.root, kit.Inset(kit.Margin{Top: 4}, remove)))
			continue
		}
		name := kit.NewLabel(item.Label, 12, kit.ColorMuted).Medium().Elided()
		fd.body.Add(ground(kit.Vertical(8, kit.Horizontal(8, name, name, remove), item.root)))
	}
	fd.body.Refresh()
}

func (fd *field) readList(say bool) (any, bool, *field) {
	items := []any{}
	var wrong *field
	for _, item := range fd.members {
		v, _, w := item.read(say)
		if w != nil && wrong == nil {
			wrong = w
		}
		items = append(items, v)
	}
	if was, ok := fd.known.([]any); ok && len(was) > maxItems {
		items = append(items, was[maxItems:]...)
	}
	if wrong != nil {
		return nil, false, wrong
	}
	if len(items) == 0 && !fd.Required && !fd.on {
		return nil, false, nil
	}
	err := fd.Items(items)
	fd.tell(say, err)
	if err != nil {
		return nil, false, fd
	}
	return items, true, nil
}
