package section

import (
	"fmt"

	"fyne.io/fyne/v2"

	"goated/ui/kit"
	"goated/ui/table"
	"goated/ui/view"
	"goated/ui/view/format"
)

// tools creates the controls that only a table has in its head: a field that finds rows, Save and
// Open.
func (s *Section) tools() {
	find := kit.NewInput(s.host.Clock, "Find in rows", false)
	find.OnTyped = func() {
		if s.table != nil {
			s.table.Find(find.Text)
		}
	}
	save := kit.NewButton(kit.Ghost, "save", "Save…", func() {
		if s.host.Save != nil {
			s.host.Save(s.part.FileName(s.host.Name), []byte(s.part.Raw))
		}
	}).Small()
	open := kit.NewButton(kit.Ghost, "external", "Open", s.whole).Small()
	s.wide = []fyne.CanvasObject{kit.Sized(150, 38, kit.NewField(find)), save, open}
}

// whole opens the whole part in the viewer.
func (s *Section) whole() {
	if s.host.View == nil {
		return
	}
	p := s.part
	if p.Name == "" {
		p.Name = s.host.Name
	}
	s.host.View(p)
}

// tableSize formats the number of rows and columns, and the number of rows that were found.
func tableSize(g *view.Grid, t *table.Table) string {
	size := format.Grouped(len(g.Rows)) + format.Plural(len(g.Rows), " row, ", " rows, ") + format.Plural(len(g.Columns), "%d column", "%d columns")
	if t != nil && t.Rows() != len(g.Rows) {
		return fmt.Sprintf("%s of %s", format.Grouped(t.Rows()), size)
	}
	return size
}

// sectionHead lays out the line above a part. A narrow card has no field to find rows, and a very
// narrow one has no Save and Open buttons either.
type sectionHead struct {
	kit.Row
	s *Section
}

func (l sectionHead) fit(width float32) {
	for i, o := range l.s.wide {
		shown := l.s.views[0] == asTable && (width > 420 || i > 0 && width > 330)
		if i == 0 {
			shown = l.s.views[0] == asTable && width > 600
		}
		if o.Visible() != shown {
			if shown {
				o.Show()
			} else {
				o.Hide()
			}
		}
	}
}

func (l sectionHead) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	l.fit(size.Width)
	l.Row.Layout(objects, size)
}

func (l sectionHead) HeightFor(objects []fyne.CanvasObject, width float32) float32 {
	l.fit(width)
	return l.Row.HeightFor(objects, width)
}
