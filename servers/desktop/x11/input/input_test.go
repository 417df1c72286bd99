package input_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jezek/xgb"

	"goated/internal/bustest"
	"goated/servers/desktop/x11"
	"goated/servers/desktop/x11/hidden"
	"goated/servers/desktop/x11/input"
	"goated/servers/desktop/x11/x11test"
)

var desk x11test.Desk

func TestMain(m *testing.M) {
	xgb.Logger = log.New(io.Discard, "", 0)
	os.Exit(x11test.Main(m, &desk, hidden.Options{}))
}

func open(t testing.TB, g input.Guard) *input.Input {
	t.Helper()
	desk.Need(t)
	in, err := input.New(t.Context(), input.Options{Display: desk.Display, Authority: desk.Authority(), Guard: g})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(in.Close)
	return in
}

// events runs xev, which prints the events of its window. It returns the window and the printed lines.
func events(t *testing.T, d *x11.Desktop) (x11.Window, <-chan string) {
	t.Helper()
	cmd := desk.Command(t, "xev", "-event", "button", "-event", "keyboard", "-event", "mouse", "-name", "xev", "-geometry", "400x300+200+200")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := make(chan string, 10000)
	var all sync.WaitGroup
	all.Go(func() {
		defer close(lines)
		for s := bufio.NewScanner(out); s.Scan(); {
			lines <- s.Text()
		}
	})
	t.Cleanup(func() { _ = cmd.Process.Kill(); all.Wait(); _ = cmd.Wait() })
	return desk.Window(t, d, "xev"), lines
}

// see reads lines until each pattern has matched in turn.
func see(t *testing.T, lines <-chan string, patterns ...string) {
	t.Helper()
	late := time.After(10 * time.Second)
	var seen []string
	for i, p := range patterns {
		re := regexp.MustCompile(p)
		for found := false; !found; {
			select {
			case l, ok := <-lines:
				if !ok {
					t.Fatalf("xev ended before %q", p)
				}
				seen = append(seen, l)
				found = re.MatchString(l)
			case <-late:
				t.Fatalf("no event %q, the %d. of %q, in:\n%s", p, i+1, patterns, strings.Join(seen, "\n"))
			}
		}
	}
}

func TestMouseAndKeysArrive(t *testing.T) {
	d := desk.Open(t, nil)
	in := open(t, nil)
	w, lines := events(t, d)
	ctx := t.Context()
	x, y := w.Client.X+100, w.Client.Y+50
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check(in.Click(ctx, x, y, input.Left, 2))
	see(t, lines, "^ButtonPress", `\(100,50\)`, "button 1,", "^ButtonRelease", "^ButtonPress", "button 1,", "^ButtonRelease")
	check(in.Click(ctx, x, y, input.Right, 1, input.Control))
	see(t, lines, "^KeyPress", "Control_L", "^ButtonPress", "state 0x4, button 3,", "^ButtonRelease", "^KeyRelease", "Control_L")
	check(in.Scroll(ctx, x, y, 1, -2, 0))
	see(t, lines, "button 5,", "button 5,", "button 7,")
	check(in.Drag(ctx, [][2]int{{x, y}, {x + 80, y + 40}}, 100*time.Millisecond, input.Left))
	see(t, lines, "^ButtonPress", `\(100,50\)`, "^MotionNotify", "^MotionNotify", "^MotionNotify", "^ButtonRelease", `\(180,90\)`)
	check(in.ButtonDown(ctx, x, y, input.Left))
	check(in.Move(ctx, x+5, y, 0))
	check(in.ButtonUp(ctx, x+9, y, input.Left))
	see(t, lines, "^ButtonPress", "^MotionNotify", "state 0x100", "^ButtonRelease", `\(109,50\)`)
	check(in.ButtonDown(ctx, x, y, input.Left))
	check(in.ButtonUp(ctx, x+9, y, input.Left, input.Control))
	see(t, lines, "^ButtonPress", "^ButtonRelease", `\(109,50\)`, "state 0x104, button 1,")
	if err := in.ButtonUp(ctx, x, y, input.Left); !errors.Is(err, x11.ErrRefused) {
		t.Errorf("a button that is not pressed was released: %v", err)
	}
	check(in.ButtonDown(ctx, x, y, input.Middle))
	in.Release()
	see(t, lines, "^ButtonPress", "button 2,", "^ButtonRelease", "button 2,")

	for key, name := range map[string]string{"Return": "Return", "esc": "Escape", "F5": "F5", "page_down": "Next", "A": "A", "ß": "ssharp", "日": "(U65E5|U65e5|NoSymbol)", "delete": "Delete"} {
		check(in.Key(ctx, key, 0))
		see(t, lines, "^KeyPress", "keysym 0x[0-9a-f]+, "+name+"\\)", "^KeyRelease")
	}
	check(in.Key(ctx, "ctrl+alt+C", 30*time.Millisecond, input.Shift))
	see(t, lines, "^KeyPress", "Control_L", "^KeyPress", "Alt_L", "^KeyPress", "Shift_L", "^KeyPress", `state 0xd, .*, C\)`, "^KeyRelease", "^KeyRelease", "^KeyRelease", "^KeyRelease")
	if err := in.Key(ctx, "hyperdrive", 0); !errors.Is(err, input.ErrKey) || !strings.Contains(err.Error(), "hyperdrive") {
		t.Errorf("a key that does not exist: %v", err)
	}
	if x, y, err := d.Cursor(); err != nil || x == 0 || y == 0 {
		t.Error(x, y, err)
	}
	if err := in.Click(ctx, 5000, 0, input.Left, 1); !errors.Is(err, x11.ErrRefused) {
		t.Errorf("a click beside the screen: %v", err)
	}
}

const sample = "naïve 日本語 🙂 – «Ünïcödé», ~^`´'\"\\|{}[]@#$%&/()=?+*<>;:_-.0123456789 fin"

// TestTextInATerminal reads back text that a program in a shell received.
func TestTextInATerminal(t *testing.T) {
	d := desk.Open(t, nil)
	in := open(t, nil)
	path := filepath.Join(t.TempDir(), "typed")
	ready := path + ".ready"
	desk.Terminal(t, d, "typing", "sh", "-c", fmt.Sprintf("stty -echo; touch %s; head -n 2 > %s.part; mv %[2]s.part %[2]s; sleep 1000", ready, path))
	desk.Until(t, "terminal that reads", func() bool { _, err := os.Stat(ready); return err == nil })
	text := sample + "\nABCdef ÄÖÜ κόσμε Привет\n"
	if err := in.Type(t.Context(), text, 0); err != nil {
		t.Fatal(err)
	}
	var got []byte
	desk.Until(t, "file of the terminal", func() (ok bool) { var err error; got, err = os.ReadFile(path); return err == nil })
	if string(got) != text {
		t.Errorf("typed %q\narrived %q", text, got)
	}
}

// TestTextInAnEditor reads back text from a GTK editor through its clipboard.
func TestTextInAnEditor(t *testing.T) {
	desk.Need(t, "mousepad", "xclip")
	d := desk.Open(t, nil)
	in := open(t, nil)
	desk.Start(t, "env", "DBUS_SESSION_BUS_ADDRESS="+bustest.Start(t), "mousepad")
	desk.Window(t, d, "Mousepad")
	if err := in.Type(t.Context(), sample, 0); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"ctrl+a", "ctrl+c"} {
		if err := in.Key(t.Context(), key, 0); err != nil {
			t.Fatal(err)
		}
	}
	got := ""
	desk.Until(t, "text on the clipboard", func() bool {
		out, err := desk.Command(t, "xclip", "-o", "-selection", "clipboard", "-t", "UTF8_STRING").Output()
		got = string(out)
		return err == nil
	})
	if got != sample {
		t.Errorf("typed %q\narrived %q", sample, got)
	}
}

// A refusal is a Guard that refuses after a number of presses.
type refusal struct {
	after int
	err   error
}

func (r *refusal) Point(context.Context, int, int) error { return r.next() }
func (r *refusal) Press(context.Context, int, int) error { return r.next() }
func (r *refusal) Drop(context.Context, int, int) error  { return r.next() }
func (r *refusal) Keys(context.Context) error            { return r.next() }
func (r *refusal) next() error {
	if r.after--; r.after < 0 {
		return r.err
	}
	return nil
}

func TestGuardRefuses(t *testing.T) {
	d := desk.Open(t, nil)
	why := errors.New("covered")
	g := &refusal{0, why}
	in := open(t, g)
	w, lines := events(t, d)
	x, y := w.Client.X+10, w.Client.Y+10
	ctx := t.Context()
	for name, act := range map[string]func() error{
		"click":  func() error { return in.Click(ctx, x, y, input.Left, 1) },
		"down":   func() error { return in.ButtonDown(ctx, x, y, input.Left) },
		"drag":   func() error { return in.Drag(ctx, [][2]int{{x, y}, {x + 9, y}}, 0, input.Left) },
		"scroll": func() error { return in.Scroll(ctx, x, y, 0, 1, 0) },
		"key":    func() error { return in.Key(ctx, "a", 0) },
		"type":   func() error { return in.Type(ctx, "abc", 0) },
	} {
		if err := act(); !errors.Is(err, why) {
			t.Errorf("%s: %v", name, err)
		}
	}
	g.after = 4
	if err := in.Type(ctx, "abcdefgh", 60*time.Millisecond); !errors.Is(err, why) || !strings.Contains(err.Error(), "after 4 of 8") {
		t.Errorf("a guard in the middle of a text: %v", err)
	}
	see(t, lines, ", a\\)", ", b\\)", ", c\\)", ", d\\)", "^KeyRelease")
	g.after = 1 << 30
	if err := in.Key(ctx, "z", 0); err != nil {
		t.Fatal(err)
	}
	for l := range lines {
		if strings.Contains(l, ", e)") || strings.HasPrefix(l, "ButtonPress") {
			t.Fatalf("refused, and yet %s", l)
		}
		if strings.Contains(l, ", z)") {
			break
		}
	}
}

func BenchmarkType1000(b *testing.B) {
	d := desk.Open(b, nil)
	in := open(b, nil)
	text := strings.Repeat("abcdefghi ", 100)
	count := filepath.Join(b.TempDir(), "count")
	desk.Terminal(b, d, "benchmark", "sh", "-c", "stty -echo -icanon; touch "+count+"; while :; do head -c 1000 >/dev/null; echo x >> "+count+"; done")
	desk.Until(b, "terminal that reads", func() bool { _, err := os.Stat(count); return err == nil })
	rounds := 0
	arrived := func() {
		rounds += 2
		desk.Until(b, "the text", func() bool { s, err := os.Stat(count); return err == nil && s.Size() >= int64(rounds) })
	}
	x11test.Beside(b, func() {
		if err := in.Type(b.Context(), text, 0); err != nil {
			b.Fatal(err)
		}
		arrived()
	}, map[string]func(){"xdotool": func() {
		desk.Output(b, "xdotool", "type", "--delay", "0", text)
		arrived()
	}})
}

func BenchmarkClickToEffect(b *testing.B) {
	d := desk.Open(b, nil)
	in := open(b, nil)
	one, two := desk.Terminal(b, d, "one"), desk.Terminal(b, d, "two")
	for i, w := range []*x11.Window{&one, &two} {
		m, err := d.Move(b.Context(), w.ID, 30+i*500, 50)
		if err != nil {
			b.Fatal(err)
		}
		*w = m
	}
	// The click on the other window shows in its getting the focus.
	turn := 0
	next := func() x11.Window { turn++; return []x11.Window{one, two}[turn%2] }
	effect := func(w x11.Window) {
		for {
			if now, err := d.Window(w.ID); err != nil || now.Focused {
				return
			}
		}
	}
	x11test.Beside(b, func() {
		w := next()
		if err := in.Click(b.Context(), w.Client.X+50, w.Client.Y+50, input.Left, 1); err != nil {
			b.Fatal(err)
		}
		effect(w)
	}, map[string]func(){"xdotool": func() {
		w := next()
		desk.Output(b, "xdotool", "mousemove", fmt.Sprint(w.Client.X+50), fmt.Sprint(w.Client.Y+50), "click", "1")
		effect(w)
	}})
}

// A noDrops is a Guard that allows presses but no drops.
type noDrops struct{ err error }

func (noDrops) Point(context.Context, int, int) error  { return nil }
func (noDrops) Press(context.Context, int, int) error  { return nil }
func (n noDrops) Drop(context.Context, int, int) error { return n.err }
func (noDrops) Keys(context.Context) error             { return nil }

// Pressing the middle button, or releasing a button away from where it was pressed, can put text into a
// field. So input asks the guard about a drop in these cases. For a plain click it asks about a press.
func TestDropsAreOtherThanPresses(t *testing.T) {
	d := desk.Open(t, nil)
	why := errors.New("unknown")
	in := open(t, noDrops{why})
	w, _ := events(t, d)
	x, y := w.Client.X+10, w.Client.Y+10
	ctx := t.Context()
	for _, test := range []struct {
		name string
		act  func() error
		want error
	}{
		{"click", func() error { return in.Click(ctx, x, y, input.Left, 2) }, nil},
		{"right click", func() error { return in.Click(ctx, x, y, input.Right, 1) }, nil},
		{"wheel", func() error { return in.Scroll(ctx, x, y, 0, 1, 0) }, nil},
		{"middle click", func() error { return in.Click(ctx, x, y, input.Middle, 1) }, why},
		{"middle down", func() error { return in.ButtonDown(ctx, x, y, input.Middle) }, why},
		{"drag", func() error { return in.Drag(ctx, [][2]int{{x, y}, {x + 9, y}}, 0, input.Left) }, why},
		{"down", func() error { return in.ButtonDown(ctx, x, y, input.Left) }, nil},
		{"move of the pressed button", func() error { return in.Move(ctx, x+9, y, 0) }, why},
		{"up elsewhere", func() error { return in.ButtonUp(ctx, x+9, y, input.Left) }, why},
		{"up", func() error { return in.ButtonUp(ctx, x, y, input.Left) }, nil},
	} {
		if err := test.act(); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", test.name, err, test.want)
		}
	}
}
