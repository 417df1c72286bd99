package form

import (
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"goated/ui/kit"
	"goated/ui/view/fields"
	"goated/ui/view/fuzzy"
)

// maxShown is how many options are shown at once. If there are more, an input searches them.
const maxShown = 8

// choices creates the options of a field with one or several choices.
func (fd *field) choices(chosen string) fyne.CanvasObject {
	on := strings.Split(chosen, "\n")
	list := kit.Vertical(4)
	var all []*kit.Option
	one := fd.Kind == fields.Choice
	mark := kit.Checkbox
	if one {
		mark = kit.RadioButton
	}
	last := -1 // the chosen option of a field with one choice
	for i, c := range fd.Choices {
		o := kit.NewOption(mark, c.Label, chosen != "" && slices.Contains(on, c.Label), nil)
		if o.On {
			last = i
		}
		o.OnChange = func() {
			if one {
				again := last == i && !fd.Required // a second press clears an optional choice
				if last = i; again {
					last = -1
				}
				for j, other := range all {
					other.Set(j == last)
				}
			}
			fd.touched()
		}
		all = append(all, o)
		list.Add(o.Root)
	}
	if len(all) > 0 {
		fd.focus = all[0].Tappable
	}
	fd.value = func() string {
		var labels []string
		for i, o := range all {
			if o.On {
				labels = append(labels, fd.Choices[i].Label)
			}
		}
		return strings.Join(labels, "\n")
	}
	if len(all) <= maxShown {
		return list
	}
	return fd.finder(list, all)
}

// finder shows the first options that match the user's input, and the chosen ones.
func (fd *field) finder(list *fyne.Container, all []*kit.Option) fyne.CanvasObject {
	in := kit.NewInput(fd.form.sh.Clock, "Find a value", false)
	rest := kit.NewLabel("", 12, kit.ColorFaint)
	find := func() {
		fits := make(map[int]bool)
		found := fuzzy.Rank(in.Text, len(all), func(i int) (string, string) { return fd.Choices[i].Label, "" })
		for _, m := range found[:min(len(found), maxShown)] {
			fits[m.Index] = true
		}
		for i, o := range all {
			o.Root.Hidden = !fits[i] && !o.On
		}
		rest.Set("")
		if n := len(found) - maxShown; n > 0 {
			rest.Set(fmt.Sprintf("%d more. Type to filter.", n))
		}
		rest.Hidden = rest.Text == ""
	}
	in.OnTyped = func() { find(); list.Refresh(); fd.form.resize() }
	in.OnSubmit = func() {
		for i, o := range all {
			if !o.Root.Hidden && !all[i].On {
				o.Tappable.Tapped(nil)
				return
			}
		}
	}
	in.OnAccept = fd.form.accept
	find()
	fd.focus = in
	box := kit.NewField(in)
	fd.panel = box.Objects[0].(*kit.Panel)
	return kit.Vertical(6, box, list, rest)
}
