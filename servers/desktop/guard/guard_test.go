package guard

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"goated/servers/desktop/element"
)

// A desk is a simulated screen.
type desk struct {
	layers  []Layer
	focused element.Window
}

func (d *desk) Layers(context.Context) ([]Layer, error) { return d.layers, nil }
func (d *desk) Focused(context.Context) (element.Window, bool, error) {
	return d.focused, d.focused.ID != 0, nil
}

const goatedPID, otherPID = 100, 200

func rect(x, y, w, h float64) element.Rect { return element.Rect{X: x, Y: y, Width: w, Height: h} }

// newDesk returns a screen with an editor on the left, goated's question on the right and its
// terminal below.
func newDesk() (*desk, *Guard) {
	d := &desk{layers: []Layer{
		{Window: element.Window{ID: 0x400001, PID: otherPID, Title: "Editor"}, Bounds: rect(0, 0, 500, 500)},
		{Window: element.Window{ID: 0x600001, PID: goatedPID, Title: "goated"}, Bounds: rect(500, 0, 500, 500)},
		{Window: element.Window{ID: 0x800001, PID: 99, Title: "bash", Class: "XTerm"}, Bounds: rect(500, 500, 500, 500)},
	}}
	d.focused = d.layers[0].Window
	return d, New(Options{Screen: d, Own: Own{PIDs: []int{goatedPID, 99}, Windows: []uint64{0x600001}, Mask: 0x1fffff}})
}

// No action can press goated's own Allow button: neither coordinates, keys, a paste, a drag, moving
// its window nor its element.
func TestNothingPressesGoatedsAllow(t *testing.T) {
	ctx := t.Context()
	d, g := newDesk()
	allow := element.Point{X: 700, Y: 300}
	editor := element.Point{X: 100, Y: 100}
	goated := d.layers[1].Window
	popup := element.Window{ID: 0x600123, Title: ""} // a menu of goated may not name its process
	for name, act := range map[string]func() error{
		"click":             func() error { return g.Pointer(ctx, allow) },
		"click at its edge": func() error { return g.Pointer(ctx, element.Point{X: 500, Y: 0}) },
		"drag that begins":  func() error { return g.Path(ctx, []element.Point{allow, editor}) },
		"drag that ends":    func() error { return g.Path(ctx, []element.Point{editor, allow}) },
		"drag that passes":  func() error { return g.Path(ctx, []element.Point{{X: 499, Y: 100}, {X: 1001, Y: 101}}) },
		"its terminal":      func() error { return g.Pointer(ctx, element.Point{X: 600, Y: 600}) },
		"keys":              func() error { d.focused = goated; return g.Keys(ctx) },
		"keys to its terminal": func() error {
			d.focused = d.layers[2].Window
			return g.Keys(ctx)
		},
		"keys to its menu": func() error { d.focused = popup; return g.Keys(ctx) },
		"move its window":  func() error { return g.Window(goated) },
		"close its menu":   func() error { return g.Window(popup) },
		"its element":      func() error { return g.Element(goatedPID) },
		"start goated":     func() error { return g.Open("/usr/local/bin/goated") },
		"start a sender":   func() error { return g.Open("/usr/bin/xdotool") },
		"run dialog":       func() error { return g.Chord([]string{"MODIFIER_OPTION"}, "F2") },
		"raise and click":  func() error { d.layers = slices.Insert(d.layers, 3, d.layers[1]); return g.Pointer(ctx, allow) },
		"click through a hole of a window above": func() error {
			above := Layer{Window: element.Window{ID: 0x400009, PID: otherPID}, Bounds: rect(600, 200, 200, 200), Shaped: true, Solid: []element.Rect{rect(600, 200, 50, 200)}}
			d.layers = append(d.layers, above)
			defer func() { d.layers = d.layers[:len(d.layers)-1] }()
			if err := g.Pointer(ctx, element.Point{X: 620, Y: 300}); err != nil {
				t.Errorf("the window above goated is refused: %v", err)
			}
			return g.Pointer(ctx, allow)
		},
		"double click through a popup": func() error {
			above := Layer{Window: element.Window{ID: 0x400009, PID: otherPID}, Bounds: rect(600, 200, 200, 200)}
			d.layers = append(d.layers, above)
			if err := g.Pointer(ctx, allow); err != nil {
				t.Errorf("the popup above goated is refused: %v", err)
			}
			d.layers = d.layers[:len(d.layers)-1] // the first click closes the window
			return g.Pointer(ctx, allow)
		},
	} {
		t.Run(name, func(t *testing.T) {
			d.focused = d.layers[0].Window
			var refusal *Refusal
			if err := act(); !errors.As(err, &refusal) {
				t.Errorf("allowed: %v", err)
			}
		})
	}
	d, g = newDesk()
	for name, err := range map[string]error{
		"click": g.Pointer(ctx, editor), "drag": g.Path(ctx, []element.Point{editor, {X: 499, Y: 499}}), "keys": g.Keys(ctx),
		"window": g.Window(d.layers[0].Window), "element": g.Element(otherPID), "open": g.Open("/usr/bin/galculator"),
		"copy": g.Chord([]string{"ctrl"}, "c"), "F5": g.Chord(nil, "F5"), "Alt+F4": g.Chord([]string{"alt"}, "F4"),
	} {
		if err != nil {
			t.Errorf("%s of another program: %v", name, err)
		}
	}
}

func TestTerminalsNeedTheShellSwitch(t *testing.T) {
	d, g := newDesk()
	d.focused = element.Window{ID: 7, PID: otherPID, Title: "bash", Class: "XTerm"}
	var refusal *Refusal
	if err := g.Keys(t.Context()); !errors.As(err, &refusal) {
		t.Errorf("keys go into a terminal: %v", err)
	}
	d.layers = append(d.layers, Layer{Window: d.focused, Bounds: rect(0, 600, 100, 100)})
	inside := element.Point{X: 50, Y: 650}
	if err := g.Press(t.Context(), inside); !errors.As(err, &refusal) {
		t.Errorf("a press pastes into a terminal: %v", err)
	}
	if err := errors.Join(g.Pointer(t.Context(), inside), g.Press(t.Context(), element.Point{X: 50, Y: 50})); err != nil {
		t.Errorf("a terminal is scrolled, another window pressed: %v", err)
	}
	if err := g.Open("xterm"); !errors.As(err, &refusal) {
		t.Errorf("a terminal starts: %v", err)
	}
	link := filepath.Join(t.TempDir(), "calculator")
	if err := os.Symlink("/usr/bin/xterm", link); err != nil {
		t.Fatal(err)
	}
	if err := g.Open(link); !errors.As(err, &refusal) && exec.Command("test", "-e", link).Run() == nil {
		t.Errorf("a terminal starts by another name: %v", err)
	}
	shell := New(Options{Screen: d, Own: g.opts.Own, Shell: true})
	if err := errors.Join(shell.Keys(t.Context()), shell.Press(t.Context(), inside), shell.Open("xterm")); err != nil {
		t.Errorf("with the switch: %v", err)
	}
	for _, keys := range []string{"F1", "BackSpace", "Delete"} {
		if err := shell.Chord([]string{"CONTROL", "OPTION"}, keys); !errors.As(err, &refusal) {
			t.Errorf("Ctrl+Alt+%s: %v", keys, err)
		}
	}
}

func TestPasswordFieldsReceiveNothing(t *testing.T) {
	d, _ := newDesk()
	field := rect(10, 10, 100, 20)
	g := New(Options{
		Screen: d, Own: Own{PIDs: []int{goatedPID}},
		Secure: func(context.Context) ([]element.Rect, error) { return []element.Rect{field}, nil },
		Focus:  func(_ context.Context, pid int) (Field, error) { return Field{Secure: pid == otherPID}, nil },
	})
	var refusal *Refusal
	for name, err := range map[string]error{
		"click": g.Pointer(t.Context(), element.Point{X: 20, Y: 20}), "keys": g.Keys(t.Context()),
		"drop": g.Path(t.Context(), []element.Point{{X: 300, Y: 300}, {X: 20, Y: 20}}),
	} {
		if !errors.As(err, &refusal) {
			t.Errorf("%s: %v", name, err)
		}
	}
	mask, err := g.Mask(t.Context())
	if err != nil || !slices.Contains(mask, field) || !slices.Contains(mask, rect(500, 0, 500, 500)) {
		t.Errorf("a picture leaves out only %v (%v)", mask, err)
	}
	unknown := New(Options{Screen: d, Secure: func(context.Context) ([]element.Rect, error) { return nil, errors.New("no answer") }})
	if _, err := unknown.Mask(t.Context()); err == nil {
		t.Error("a picture is taken though the password fields are unknown")
	}
}

// The visible parts of goated are exactly the parts that no other window covers. A drag is refused
// if it passes over any of them.
func TestVisiblePartsAndDrags(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := func(label string, low, high int) float64 { return float64(rapid.IntRange(low, high).Draw(t, label)) }
		var d desk
		for range rapid.IntRange(0, 6).Draw(t, "windows") {
			pid := rapid.SampledFrom([]int{goatedPID, otherPID}).Draw(t, "pid")
			l := Layer{Window: element.Window{ID: 1, PID: pid}, Bounds: rect(n("x", 0, 10), n("y", 0, 10), n("w", 0, 10), n("h", 0, 10))}
			for l.Shaped = pid == otherPID && rapid.Bool().Draw(t, "shaped"); l.Shaped && len(l.Solid) < rapid.IntRange(0, 2).Draw(t, "parts"); {
				l.Solid = append(l.Solid, l.Bounds.Intersect(rect(n("x", 0, 10), n("y", 0, 10), n("w", 0, 10), n("h", 0, 10))))
			}
			d.layers = append(d.layers, l)
		}
		g := New(Options{Screen: &d, Own: Own{PIDs: []int{goatedPID}}})
		at := func(p element.Point) bool {
			w, ok := Top(d.layers, p)
			return ok && w.PID == goatedPID
		}
		p := element.Point{X: n("px", 0, 40) / 2, Y: n("py", 0, 40) / 2}
		if refused := g.Pointer(context.Background(), p) != nil; refused != at(p) {
			t.Fatalf("a click at %v is refused: %v, but goated is there: %v", p, refused, at(p))
		}
		q := element.Point{X: n("qx", 0, 20), Y: n("qy", 0, 20)}
		if g.Path(context.Background(), []element.Point{p, q}) == nil {
			for i := range 101 {
				f := float64(i) / 100
				if s := (element.Point{X: p.X + f*(q.X-p.X), Y: p.Y + f*(q.Y-p.Y)}); at(s) {
					t.Fatalf("a drag from %v to %v passes over goated at %v", p, q, s)
				}
			}
		}
		mask, _ := g.Mask(context.Background())
		for i, r := range mask {
			for _, o := range mask[i+1:] {
				if c := r.Intersect(o); !c.Empty() && !at(c.Center()) {
					t.Fatalf("%v and %v overlap where goated is not", r, o)
				}
			}
			if !at(r.Center()) {
				t.Fatalf("%v is left out, but goated is not there", r)
			}
		}
	})
}

func TestHaltStopsEverythingAtOnce(t *testing.T) {
	_, g := newDesk()
	ctx, end, err := g.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	g.Halt()
	if why := context.Cause(ctx); why != ErrHalted { // must be cancelled when Halt returns
		t.Errorf("the action goes on or ends otherwise: %v", why)
	}
	for name, err := range map[string]error{
		"click": g.Pointer(t.Context(), element.Point{}), "keys": g.Keys(t.Context()), "window": g.Window(element.Window{ID: 1}),
		"element": g.Element(otherPID), "open": g.Open("galculator"),
	} {
		if !errors.Is(err, ErrHalted) {
			t.Errorf("%s after the halt: %v", name, err)
		}
	}
	if _, _, err := g.Begin(t.Context()); !errors.Is(err, ErrHalted) {
		t.Error("an action begins after the halt")
	}
	g.Resume()
	if err := g.Keys(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestPaceSlowsAndRefusesFloods(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPace("actions", 10, 20)
		begin := time.Now()
		for range 30 {
			if err := p.Wait(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(begin); took < 900*time.Millisecond || took > 1100*time.Millisecond {
			t.Errorf("30 actions took %v", took)
		}
		flood := newPace("screenshots", 0.1, 1)
		var fast *TooFastError
		if err := errors.Join(flood.Wait(t.Context()), flood.Wait(t.Context())); !errors.As(err, &fast) {
			t.Errorf("a flood: %v", err)
		}
	})
}

// The terminal that shows goated's questions counts as goated's.
func TestAncestorsReachTheTerminal(t *testing.T) {
	pids := Ancestors(os.Getpid(), nil)
	if !slices.Contains(pids, os.Getpid()) || !slices.Contains(pids, os.Getppid()) {
		t.Errorf("%v lacks %d or its parent %d", pids, os.Getpid(), os.Getppid())
	}
	without := Ancestors(os.Getpid(), func(pid int, _ string) bool { return pid == os.Getppid() })
	if slices.Contains(without, os.Getppid()) {
		t.Errorf("%v has the excluded %d", without, os.Getppid())
	}
}

// A terminal inside an editor runs what is typed or pasted into it, like a separate terminal
// window. The rest of the editor stays usable.
func TestTerminalsInsideOfEditors(t *testing.T) {
	d, _ := newDesk()
	focused := Field{Terminal: true}
	o := Options{
		Screen: d, Own: Own{PIDs: []int{goatedPID}},
		Focus:     func(_ context.Context, pid int) (Field, error) { return focused, nil },
		Terminals: func(context.Context, int) ([]element.Rect, error) { return []element.Rect{rect(10, 10, 100, 20)}, nil },
	}
	in, out := element.Point{X: 20, Y: 20}, element.Point{X: 20, Y: 60}
	g := New(o)
	var refusal *Refusal
	if err := g.Keys(t.Context()); !errors.As(err, &refusal) || !strings.Contains(err.Error(), "shell commands and scripts") {
		t.Errorf("keys: %v", err)
	}
	if err := g.Press(t.Context(), in); !errors.As(err, &refusal) {
		t.Errorf("a press: %v", err)
	}
	if err := g.Press(t.Context(), out); err != nil {
		t.Errorf("a press beside it: %v", err)
	}
	focused = Field{}
	if err := g.Keys(t.Context()); err != nil {
		t.Errorf("keys beside it: %v", err)
	}
	focused, o.Shell = Field{Terminal: true}, true
	if g := New(o); g.Keys(t.Context()) != nil || g.Press(t.Context(), in) != nil {
		t.Error("refused with the switch")
	}
}

// While the positions of password fields and terminals are unknown, no text can be inserted,
// neither with the middle button nor by ending a drag. A press is allowed, because it types
// nothing.
func TestNothingDropsIntoWhatIsUnknown(t *testing.T) {
	d, _ := newDesk()
	blind := fmt.Errorf("the bus is away: %w", ErrBlind)
	fields := func(context.Context) ([]element.Rect, error) { return nil, nil }
	for what, o := range map[string]Options{
		"fields":    {Secure: func(context.Context) ([]element.Rect, error) { return nil, blind }},
		"terminals": {Secure: fields, Terminals: func(context.Context, int) ([]element.Rect, error) { return nil, blind }},
		"nothing":   {Secure: fields, Terminals: func(context.Context, int) ([]element.Rect, error) { return nil, nil }},
	} {
		o.Screen = d
		g, at := New(o), element.Point{X: 100, Y: 100}
		if err := g.Drop(t.Context(), at); errors.Is(err, ErrBlind) != (what != "nothing") {
			t.Errorf("a drop with unknown %s: %v", what, err)
		}
		for name, err := range map[string]error{"a press": g.Press(t.Context(), at), "the wheel": g.Pointer(t.Context(), at)} {
			if err != nil {
				t.Errorf("%s with unknown %s: %v", name, what, err)
			}
		}
	}
}
