package markdown

// bounds is the vertical range of up to 64 consecutive lines or shapes. It is used to find the
// visible ones without checking each of them.
type bounds struct{ top, bottom float32 }

// An index holds the bounds of a layout's lines and shapes.
type index struct {
	Lines, Shapes   []bounds
	NLines, nShapes int // the number of lines and shapes that the bounds cover
}

const bounded = 64

func (l *Line) box() (top, bottom float32)  { return l.Y, l.Y + l.Leading }
func (s *Shape) box() (top, bottom float32) { return s.Y, s.Y + s.H }

// A boxable type has a vertical range.
type boxable[T any] interface {
	*T
	box() (top, bottom float32)
}

// Index updates the bounds after the layout changed.
func (l *Layout) Index() {
	l.Bounds.Lines = boundsOf(l.Bounds.Lines, l.Lines, l.Bounds.NLines)
	l.Bounds.Shapes = boundsOf(l.Bounds.Shapes, l.Shapes, l.Bounds.nShapes)
	if len(l.Shapes) > 0 {
		l.Bounds.Shapes[0] = boundsOf[Shape](nil, l.Shapes[:min(bounded, len(l.Shapes))], 0)[0] // the background may have grown
	}
	l.Bounds.NLines, l.Bounds.nShapes = len(l.Lines), len(l.Shapes)
}

// boundsOf updates the bounds of things. The first known things did not change.
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

// EachVisible yields the things from index from on for which drawn returns true.
func EachVisible[T any, P boxable[T]](things []T, of []bounds, from int, drawn func(top, bottom float32) bool, yield func(int, P)) {
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
