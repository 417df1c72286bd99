package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// A lettered is one line of text of which some letters are lit: those that
// match what was typed. It is cut where there is no room.
type lettered struct {
	widget.BaseWidget
	text  string
	at    []int // the characters that are lit, in order
	size  float32
	color fyne.ThemeColorName
}

func newLettered(size float32) *lettered {
	l := &lettered{size: size, color: colorText}
	l.ExtendBaseWidget(l)
	return l
}

// String is the text, uncut.
func (l *lettered) String() string { return l.text }

func (l *lettered) set(text string, at []int) {
	l.text, l.at = text, at
	l.Refresh()
}

func (l *lettered) CreateRenderer() fyne.WidgetRenderer {
	r := &letteredRenderer{l: l}
	r.Refresh()
	return r
}

type letteredRenderer struct {
	l       *lettered
	objects []fyne.CanvasObject
	width   float32 // that objects are made for
}

func (r *letteredRenderer) Layout(size fyne.Size) {
	if size.Width != r.width {
		r.Refresh()
	}
}

func (r *letteredRenderer) MinSize() fyne.Size {
	size, _ := measureText("x", r.l.size, fyne.TextStyle{})
	return fyne.NewSize(0, size.Height)
}

// Refresh sets the runs of lit and other letters beside each other.
func (r *letteredRenderer) Refresh() {
	r.width = r.l.Size().Width
	r.objects = nil
	runes := []rune(r.l.text)
	lit := make([]bool, len(runes)+1)
	for _, i := range r.l.at {
		if i < len(runes) {
			lit[i] = true
		}
	}
	x := float32(0)
	for from := 0; from < len(runes); {
		to := from + 1
		for to < len(runes) && lit[to] == lit[from] {
			to++
		}
		t := canvas.NewText(string(runes[from:to]), theme.Color(r.l.color))
		t.TextSize = r.l.size
		if lit[from] {
			t.TextStyle.Bold = true
			t.Color = theme.Color(colorAccent)
		}
		size, _ := measureText(t.Text, t.TextSize, t.TextStyle)
		last := x+size.Width > r.width
		if last {
			t.Text = r.cut(t, r.width-x)
			size, _ = measureText(t.Text, t.TextSize, t.TextStyle)
		}
		t.FontSource = faceOf(t.Text, t.TextStyle)
		t.Move(fyne.NewPos(x, (r.l.Size().Height-size.Height)/2))
		t.Resize(size)
		r.objects = append(r.objects, t)
		if last {
			break
		}
		x += size.Width
		from = to
	}
	canvas.Refresh(r.l)
}

// cut shortens a run to what there is room for.
func (r *letteredRenderer) cut(t *canvas.Text, width float32) string {
	runes := []rune(t.Text)
	for n := len(runes); n > 0; n-- {
		s := string(runes[:n]) + "…"
		if size, _ := measureText(s, t.TextSize, t.TextStyle); size.Width <= width {
			return s
		}
	}
	return "…"
}

func (r *letteredRenderer) Objects() []fyne.CanvasObject { return r.objects }
func (r *letteredRenderer) Destroy()                     {}
