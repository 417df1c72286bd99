package form

import (
	"fmt"
	"math/big"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/kit"
	"goated/ui/view/fields"
)

// How many lines of text an input with several lines shows at once; others scroll.
const (
	leastLines = 3
	mostLines  = 8
)

// maxInput is the maximal size of a text that an input shows, in bytes. The layout of a longer
// text would freeze the window.
const maxInput = 32 << 10

// input creates the input of a typed field, together with a slider, a stepper or a calendar.
func (fd *field) input(text string) fyne.CanvasObject {
	f := fd.form
	if len(text) > maxInput {
		fd.value = func() string { return text }
		return kit.NewLabel(fmt.Sprintf("%d kB, too long to edit here. It stays as it is.", len(text)/1000), 12, kit.ColorMuted).Elided()
	}
	hidden, lines := fd.Secret && f.Guarded, strings.Count(text, "\n")+1
	in := kit.NewInput(f.sh.Clock, fd.Placeholder(), fd.Kind == fields.LongText || fd.Kind == fields.JSON || lines > 1 && !hidden)
	in.EnterBreaks = in.MultiLine
	in.Password = hidden && !in.MultiLine
	in.Put(text)
	if in.MultiLine {
		in.SetMinRowsVisible(max(leastLines, min(lines, mostLines)))
	}
	if fd.Kind == fields.JSON {
		in.TextStyle.Monospace = true
	}
	in.OnRefuse = func(s string) { fd.report(s) }
	in.OnTyped = fd.touched
	in.OnSubmit = func() { f.enter(fd) }
	in.OnAccept = f.accept
	fd.focus, fd.value = in, func() string { return in.Text }
	box := kit.NewField(in)
	fd.panel = box.Objects[0].(*kit.Panel)
	light := in.OnFocus
	in.OnFocus = func(on bool) {
		if light(on); on {
			fd.reveal()
		}
	}
	switch fd.Kind {
	case fields.Integer, fields.Number:
		if low, high, step, ok := fd.Slider(); ok {
			return fd.slider(in, box, low, high, step)
		}
		if fd.Kind == fields.Integer {
			return fd.stepper(in, box)
		}
	case fields.Date, fields.Moment:
		return fd.dated(in, box)
	}
	return box
}

// stepper puts minus and plus buttons beside the input of an integer. The arrow keys do the same.
func (fd *field) stepper(in *kit.Input, box *fyne.Container) fyne.CanvasObject {
	step := func(up bool) {
		in.Put(fd.Step(in.Text, up))
		fd.touched()
	}
	in.OnKey = func(e *fyne.KeyEvent) bool {
		if e.Name == fyne.KeyUp || e.Name == fyne.KeyDown {
			step(e.Name == fyne.KeyUp)
			return true
		}
		return false
	}
	less := kit.NewButton(kit.Outline, "minus", "", func() { step(false) })
	more := kit.NewButton(kit.Outline, "plus", "", func() { step(true) })
	fd.form.sh.Tips.Name(less, "One less", kit.Shortcut{})
	fd.form.sh.Tips.Name(more, "One more", kit.Shortcut{})
	return kit.Horizontal(6, box, box, less, more)
}

// slider puts a slider beside the input of a number with two bounds. The input shows the exact
// value, and accepts values between two positions.
func (fd *field) slider(in *kit.Input, box *fyne.Container, low, high, step *big.Rat) fyne.CanvasObject {
	span := new(big.Rat).Sub(high, low)
	stops, _ := new(big.Rat).Quo(span, step).Float64()
	s := newSlider(int(stops), func(stop int) {
		at := new(big.Rat).Mul(step, new(big.Rat).SetInt64(int64(stop)))
		in.Put(fields.Decimal(at.Add(at, low)))
		fd.touched()
	})
	place := func() {
		n, ok := new(big.Rat).SetString(strings.TrimSpace(in.Text))
		if !ok || len(in.Text) > 40 {
			s.set(-1)
			return
		}
		part, _ := new(big.Rat).Quo(n.Sub(n, low), span).Float64()
		s.set(part)
	}
	in.OnTyped = func() { place(); fd.touched() }
	in.OnKey = func(e *fyne.KeyEvent) bool {
		if e.Name == fyne.KeyUp || e.Name == fyne.KeyDown {
			s.TypedKey(&fyne.KeyEvent{Name: map[fyne.KeyName]fyne.KeyName{fyne.KeyUp: fyne.KeyRight, fyne.KeyDown: fyne.KeyLeft}[e.Name]})
			return true
		}
		return false
	}
	place()
	narrow := kit.Sized(112, box.MinSize().Height, box)
	return container.New(kit.Row{Gap: 14, Flex: s}, s, narrow)
}

// dated puts a button beside the input of a date. The button opens the calendar of a month.
func (fd *field) dated(in *kit.Input, box *fyne.Container) fyne.CanvasObject {
	days := kit.Vertical(0)
	days.Hide()
	var open *kit.Button
	shut := func() {
		days.Hide()
		days.Objects = nil
		open.SetSelected(false)
		fd.form.resize()
	}
	open = kit.NewButton(kit.Outline, "calendar", "", func() {
		if days.Visible() {
			shut()
			return
		}
		day, ok := fields.Day(in.Text)
		if !ok {
			day = fd.form.sh.Now()
		}
		days.Objects = []fyne.CanvasObject{newCalendar(day, ok, fd.form.resize, func(day time.Time) {
			in.Put(fd.WithDay(day, in.Text))
			fd.touched()
			shut()
			kit.Focus(in)
		})}
		days.Show()
		open.SetSelected(true)
		fd.form.resize()
	})
	fd.form.sh.Tips.Name(open, "Choose a day", kit.Shortcut{})
	line := kit.Horizontal(6, box, box, open)
	if fd.Kind == fields.Moment {
		zone := kit.NewLabel("Your time zone, "+fd.form.sh.Now().Local().Format("MST (-07:00)")+", unless you add another", 12, kit.ColorFaint).Elided()
		return kit.Vertical(6, line, days, zone)
	}
	return kit.Vertical(6, line, days)
}
