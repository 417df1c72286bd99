package guard

import (
	"context"
	"fmt"
	"slices"

	"goated/servers/desktop/element"
)

// visible returns the visible parts of goated's layers for which counts returns true. The parts
// include the holes of shaped layers.
func (g *Guard) visible(layers []Layer, counts func(Layer) bool) (parts []element.Rect) {
	for i, l := range layers {
		if !g.owns(l.Window) || l.Bounds.Empty() || !counts(l) {
			continue
		}
		rest := []element.Rect{l.Bounds}
		for _, above := range layers[i+1:] {
			if g.owns(above.Window) {
				continue
			}
			for _, part := range above.parts() {
				rest = element.Subtract(rest, part)
			}
		}
		parts = append(parts, rest...)
	}
	return parts
}

// Mask returns the areas that a screenshot must leave out: the visible parts of goated's windows,
// and password fields.
func (g *Guard) Mask(ctx context.Context) ([]element.Rect, error) {
	layers, err := g.opts.Screen.Layers(ctx)
	if err != nil {
		return nil, fmt.Errorf("looking for goated's own windows: %w", err)
	}
	parts := g.visible(layers, func(Layer) bool { return true })
	if g.opts.Secure != nil {
		fields, err := g.opts.Secure(ctx)
		if err != nil {
			return nil, fmt.Errorf("looking for password fields: %w", err)
		}
		parts = append(parts, fields...)
	}
	return parts, nil
}

// Top returns the window that receives a click at a point.
func Top(layers []Layer, at element.Point) (element.Window, bool) {
	for i := len(layers) - 1; i >= 0; i-- {
		if slices.ContainsFunc(layers[i].parts(), func(r element.Rect) bool { return r.Has(at) }) {
			return layers[i].Window, true
		}
	}
	return element.Window{}, false
}

// Covered returns the title of the window that covers a point of an application, or "" if the
// application's own window is on top.
func Covered(layers []Layer, pid int, at element.Point) string {
	w, ok := Top(layers, at)
	switch {
	case !ok:
		return "the edge of the screen: the point is outside all windows"
	case w.PID == pid:
		return ""
	case w.Title == "":
		return fmt.Sprintf("a window of %s (process %d)", orSomething(w.Class), w.PID)
	}
	return fmt.Sprintf("the window %q", w.Title)
}

func orSomething(class string) string {
	if class == "" {
		return "another program"
	}
	return class
}

// crosses reports whether the line between two points touches a rectangle (Liang–Barsky).
func crosses(a, b element.Point, r element.Rect) bool {
	if r.Has(a) || r.Has(b) || a == b {
		return r.Has(a) || r.Has(b)
	}
	low, high := 0.0, 1.0
	for _, side := range [][2]float64{
		{a.X - b.X, a.X - r.X}, {b.X - a.X, r.X + r.Width - a.X},
		{a.Y - b.Y, a.Y - r.Y}, {b.Y - a.Y, r.Y + r.Height - a.Y},
	} {
		p, q := side[0], side[1]
		switch {
		case p == 0 && q < 0:
			return false
		case p < 0:
			low = max(low, q/p)
		case p > 0:
			high = min(high, q/p)
		}
	}
	return low <= high
}
