package ui

// Bounds are how high a number of things reach that follow each other, so that
// of many those in sight are found without looking at each.
type bounds struct{ top, bottom float32 }

const bounded = 64

func (l *setLine) box() (top, bottom float32) { return l.y, l.y + l.leading }
func (s *shape) box() (top, bottom float32)   { return s.y, s.y + s.h }

// A boxable thing has a height.
type boxable[T any] interface {
	*T
	box() (top, bottom float32)
}

// index brings the bounds up to date.
func (s *setting) index() {
	s.lineBounds = boundsOf(s.lineBounds, s.lines, s.indexed)
	s.shapeBounds = boundsOf(s.shapeBounds, s.shapes, s.indexedShapes)
	if len(s.shapes) > 0 {
		s.shapeBounds[0] = boundsOf[shape](nil, s.shapes[:min(bounded, len(s.shapes))], 0)[0] // of the ground
	}
	s.indexed, s.indexedShapes = len(s.lines), len(s.shapes)
}

// boundsOf are those of things of which the first known are as they were.
func boundsOf[T any, P boxable[T]](of []bounds, things []T, known int) []bounds {
	of = of[:min(len(of), known/bounded)]
	for i := len(of) * bounded; i < len(things); i++ {
		top, bottom := P(&things[i]).box()
		if i%bounded == 0 {
			of = append(of, bounds{top, bottom})
		} else {
			b := &of[len(of)-1]
			b.top, b.bottom = min(b.top, top), max(b.bottom, bottom)
		}
	}
	return of
}

// each yields the things from one on that are to be drawn.
func each[T any, P boxable[T]](things []T, of []bounds, from int, drawn func(top, bottom float32) bool, yield func(int, P)) {
	for k := from / bounded; k < len(of); k++ {
		if !drawn(of[k].top, of[k].bottom) {
			continue
		}
		for i := max(from, k*bounded); i < min(len(things), (k+1)*bounded); i++ {
			if p := P(&things[i]); drawn(p.box()) {
				yield(i, p)
			}
		}
	}
}
