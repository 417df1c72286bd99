// Package element contains the data types that all parts of the desktop server share: an element of
// a user interface, a rectangle and a window. It depends on neither a protocol nor a window system.
//
// Coordinates are pixels of the whole desktop, like those of the frames of displays. Y grows
// downwards.
package element

import "math"

// A Point is a position on the desktop in pixels.
type Point struct{ X, Y float64 }

// A Rect is a rectangle on the desktop in pixels. The zero value is empty.
type Rect struct{ X, Y, Width, Height float64 }

// Empty reports whether r has no area.
func (r Rect) Empty() bool { return !(r.Width > 0 && r.Height > 0) }

// Has reports whether p is inside r. Points on the right and the bottom edge are outside.
func (r Rect) Has(p Point) bool {
	return p.X >= r.X && p.X < r.X+r.Width && p.Y >= r.Y && p.Y < r.Y+r.Height
}

// Center returns the center of r.
func (r Rect) Center() Point { return Point{r.X + r.Width/2, r.Y + r.Height/2} }

// Intersect returns the intersection of r and o, or an empty Rect if they do not overlap.
func (r Rect) Intersect(o Rect) Rect {
	x, y := math.Max(r.X, o.X), math.Max(r.Y, o.Y)
	c := Rect{x, y, math.Min(r.X+r.Width, o.X+o.Width) - x, math.Min(r.Y+r.Height, o.Y+o.Height) - y}
	if c.Empty() {
		return Rect{}
	}
	return c
}

// Subtract returns the parts of the rectangles that are outside r.
func Subtract(from []Rect, r Rect) (rest []Rect) {
	for _, f := range from {
		c := f.Intersect(r)
		if c.Empty() {
			rest = append(rest, f)
			continue
		}
		for _, part := range []Rect{
			{X: f.X, Y: f.Y, Width: f.Width, Height: c.Y - f.Y},
			{X: f.X, Y: c.Y + c.Height, Width: f.Width, Height: f.Y + f.Height - c.Y - c.Height},
			{X: f.X, Y: c.Y, Width: c.X - f.X, Height: c.Height},
			{X: c.X + c.Width, Y: c.Y, Width: f.X + f.Width - c.X - c.Width, Height: c.Height},
		} {
			if !part.Empty() {
				rest = append(rest, part)
			}
		}
	}
	return rest
}

// Contains reports whether o is inside r. No Rect contains an empty one.
func (r Rect) Contains(o Rect) bool {
	return !o.Empty() && o.X >= r.X && o.Y >= r.Y && o.X+o.Width <= r.X+r.Width && o.Y+o.Height <= r.Y+r.Height
}

// A Window is a top-level window of an application.
type Window struct {
	ID     uint64 // id in the window system
	PID    int    // PID of its application; 0 if unknown
	Title  string
	Class  string // the application's name for its kind of window; empty if unknown
	Kind   string // "normal", "dialog", "notification", …; empty if unknown
	Bounds Rect   // including its frame
	Client Rect   // without its frame: the area in which the application draws
}

// An Element is a part of an application's user interface. Copies share Path, Attributes and
// Actions.
type Element struct {
	ID   string // valid while the application shows the element; empty if it has none
	Role string // such as "push button"
	Text string // its label, or its content
	Name string // its label; equal to Text if the element has no separate content

	Bounds Rect
	Placed bool // whether Bounds is known

	Enabled, Focused, Visible bool
	Secure                    bool    // a password field, or a part of one
	Path                      []int32 // child indices from the application down to the element

	Attributes map[string]string
	Actions    []string
}
