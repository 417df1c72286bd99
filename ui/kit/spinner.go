package kit

import (
	"image/color"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// spinnerDots is the number of dots on the circle.
const spinnerDots = 8

// A Spinner shows that something is running. A stopped spinner does not use the clock.
type Spinner struct {
	widget.BaseWidget
	clock  *Clock
	Ticker *Ticker
	step   int

	Unseen func() bool // reports whether the spinner is invisible and need not move; may be nil
	OnTurn func()      // runs after each visible step
}

func NewSpinner(c *Clock) *Spinner {
	s := &Spinner{clock: c}
	s.ExtendBaseWidget(s)
	s.Hide()
	return s
}

// SetRunning shows and starts the spinner, or stops and hides it.
func (s *Spinner) SetRunning(on bool) {
	switch {
	case on && s.Ticker == nil:
		s.Ticker = s.clock.Add(1, s.move)
		s.Show()
	case !on && s.Ticker != nil:
		s.clock.Remove(s.Ticker)
		s.Ticker = nil
		s.Hide()
	}
}

func (s *Spinner) move() {
	if s.Unseen != nil && s.Unseen() {
		return
	}
	s.step++
	s.Refresh()
	if s.OnTurn != nil {
		s.OnTurn()
	}
}

func (s *Spinner) CreateRenderer() fyne.WidgetRenderer {
	r := &spinnerRenderer{s: s}
	for range spinnerDots {
		r.dots = append(r.dots, canvas.NewCircle(color.Transparent))
	}
	r.Refresh()
	return LaidOut(r, s.Size())
}

type spinnerRenderer struct {
	s    *Spinner
	dots []fyne.CanvasObject
}

func (r *spinnerRenderer) Layout(size fyne.Size) {
	const dot = 3
	radius := float64(min(size.Width, size.Height)-dot) / 2
	for i, d := range r.dots {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / spinnerDots)
		d.Resize(fyne.NewSquareSize(dot))
		d.Move(fyne.NewPos(size.Width/2+float32(radius*sin)-dot/2., size.Height/2-float32(radius*cos)-dot/2.))
	}
}

func (r *spinnerRenderer) MinSize() fyne.Size { return fyne.NewSquareSize(16) }

func (r *spinnerRenderer) Refresh() {
	c := color.NRGBAModel.Convert(theme.Color(ColorAccent)).(color.NRGBA)
	for i, d := range r.dots {
		behind := (r.s.step - i + spinnerDots*1000) % spinnerDots
		c.A = uint8(255 - behind*28)
		d.(*canvas.Circle).FillColor = c
		d.Refresh()
	}
}

func (r *spinnerRenderer) Objects() []fyne.CanvasObject { return r.dots }
func (r *spinnerRenderer) Destroy()                     {}
