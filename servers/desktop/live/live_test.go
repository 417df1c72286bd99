package live

import (
	"context"
	"encoding/json"
	"errors"
	"image"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"goated/internal/waittest"
)

// direct is a host whose connection ends when ctx ends.
type direct struct {
	view *View
	ctx  context.Context
}

func (d direct) Call(ctx context.Context, method string, params, result any) error {
	text, err := json.Marshal(params)
	if err != nil {
		return err
	}
	type answer struct {
		value any
		err   error
	}
	got := make(chan answer, 1)
	go func() {
		v, err := d.view.Answer(func(context.Context, string, json.RawMessage) (any, error) { return nil, errors.New("unknown") })(d.ctx, method, text)
		got <- answer{v, err}
	}()
	select {
	case a := <-got:
		if a.err != nil {
			return a.err
		}
		text, err := json.Marshal(a.value)
		if err != nil {
			return err
		}
		return json.Unmarshal(text, result)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// until waits until a state is ok, and returns it.
func until(t *testing.T, v *View, what string, ok func(State) bool) State {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	for s := range v.Watch(ctx) {
		if ok(s) {
			return s
		}
	}
	t.Fatalf("never: %s; it is %+v", what, v.State())
	return State{}
}

// A server asks for orders at the same time as it sends its first report. Until the report arrives,
// the window does not claim that no key stops the server.
func TestAServerIsNotShownBeforeItsFirstReport(t *testing.T) {
	v := NewView()
	ctx, end := context.WithCancel(t.Context())
	answer := v.Answer(nil)
	asked := make(chan struct{})
	go func() {
		defer close(asked)
		_, _ = answer(ctx, methodOrders, json.RawMessage(`{"session":"a"}`)) // waits for an order until ctx ends
	}()
	defer func() { end(); <-asked }()
	wait, stop := context.WithTimeout(t.Context(), 30*time.Second)
	defer stop()
	for !v.OnOwnDesktop() {
		if wait.Err() != nil {
			t.Fatal("the server did not connect")
		}
		runtime.Gosched()
	}
	if s := v.State(); s.Connected {
		t.Errorf("before its report: %+v", s)
	}
	if _, err := answer(ctx, methodReport, json.RawMessage(`{"session":"a","key":"Esc"}`)); err != nil {
		t.Fatal(err)
	}
	if s := v.State(); !s.Connected || s.Key != "Esc" {
		t.Errorf("after its report: %+v", s)
	}
}

// The user sees each action, halts the server and resumes it. Everything ends when the connection
// ends.
func TestTheUserWatchesAndHalts(t *testing.T) {
	v := NewView()
	ctx, end := context.WithCancel(t.Context())
	defer end()
	orders := make(chan bool, 2)
	var r *Reporter
	ready := make(chan struct{})
	r = NewReporter(direct{v, ctx}, "Ctrl+Alt+Esc", func() { <-ready; r.Halted(true); orders <- true }, func() { <-ready; r.Halted(false); orders <- false })
	close(ready)
	defer r.Close()
	until(t, v, "a server reports", func(s State) bool { return s.Connected && s.Key == "Ctrl+Alt+Esc" })
	done := r.Begin("ClickElement", `the button "7"`)
	until(t, v, "the action is shown", func(s State) bool {
		return s.Acting == 1 && len(s.Actions) == 1 && s.Actions[0].Target == `the button "7"` && !s.Actions[0].Ended
	})
	v.Halt()
	if !waittest.Receive(t, "the order to halt", orders) {
		t.Error("the server resumed")
	}
	done(errors.New("stopped"))
	until(t, v, "the halt is shown", func(s State) bool { return s.Halted && s.Acting == 0 && s.Actions[0].Failed == "stopped" })
	v.Resume()
	if waittest.Receive(t, "the order to go on", orders) {
		t.Error("the server halted again")
	}
	until(t, v, "the resume is shown", func(s State) bool { return !s.Halted })
	for range 2 * recent {
		r.Begin("FocusWindow", "x")(nil)
	}
	r.Begin("CloseWindow", "last")(nil)
	s := until(t, v, "the last action", func(s State) bool { return len(s.Actions) > 0 && s.Actions[0].Target == "last" && s.Actions[0].Ended })
	if len(s.Actions) != recent || s.Acting != 0 {
		t.Errorf("%d actions, %d of them run", len(s.Actions), s.Acting)
	}
	end()
	until(t, v, "the server is gone", func(s State) bool { return !s.Connected })
	v.Halt() // nobody receives this
}

// Each server receives the user's halt, even if the window does not show it.
func TestAHaltReachesEachServer(t *testing.T) {
	v := NewView()
	halted := make(chan int, 2)
	for i := range 2 {
		r := NewReporter(direct{v, t.Context()}, "", func() { halted <- i }, func() {})
		defer r.Close()
	}
	waittest.Until(t, "both servers report", func() bool {
		v.mu.Lock()
		defer v.mu.Unlock()
		return len(v.servers) == 2
	})
	v.Halt()
	if a, b := waittest.Receive(t, "the first server is halted", halted), waittest.Receive(t, "the second server is halted", halted); a == b {
		t.Errorf("server %d was halted twice", a)
	}
}

// If the host shows nothing, the reporter stops sending requests. A nil reporter does nothing.
func TestAHostWithoutAWindow(t *testing.T) {
	var calls atomic.Int32
	r := NewReporter(refusing{&calls}, "", func() {}, func() {})
	waittest.Return(t, "the reporter gives up", r.running.Wait)
	r.Begin("x", "")(nil)
	r.Close()
	if n := calls.Load(); n > 2 {
		t.Errorf("it was asked %d times", n)
	}
	var none *Reporter
	none.Begin("x", "")(nil)
	none.Halted(true)
	none.Close()
}

type refusing struct{ calls *atomic.Int32 }

func (r refusing) Call(context.Context, string, any, any) error {
	r.calls.Add(1)
	return errors.New("unknown method")
}

// still is a mirror whose screen shows the number n.
type still struct {
	n      *atomic.Int32
	closed *atomic.Int32
	last   int32
}

func (m *still) Take(_ context.Context, within image.Point) (*image.RGBA, error) {
	n := m.n.Load()
	if n < 0 {
		return nil, errors.New("the display ended")
	}
	if n == m.last {
		return nil, nil
	}
	m.last = n
	p := image.NewRGBA(image.Rectangle{Max: within})
	p.Pix[0] = byte(n)
	return p, nil
}

func (m *still) Close() { m.closed.Add(1) }

// The window receives each new picture of the hidden desktop exactly once. It is notified when the
// hidden desktop ends, and leaves no connection open.
func TestPicturesFollowTheHiddenDesktop(t *testing.T) {
	v := NewView()
	var n, closed atomic.Int32
	n.Store(1)
	gone := v.Mirror(func(context.Context) (Mirror, error) { return &still{n: &n, closed: &closed}, nil })
	if !v.State().Hidden {
		t.Error("no hidden desktop is shown")
	}
	ctx, end := context.WithCancel(t.Context())
	shown, over := make(chan *image.RGBA), make(chan struct{})
	go func() {
		defer close(over)
		v.Pictures(ctx, func() image.Point { return image.Pt(8, 5) }, func(p *image.RGBA) { shown <- p })
	}()
	if p := waittest.Receive(t, "the first picture", shown); p == nil || p.Rect.Dx() != 8 || p.Pix[0] != 1 {
		t.Error("the first picture is", p)
	}
	n.Store(2)
	if p := waittest.Receive(t, "the second picture", shown); p == nil || p.Pix[0] != 2 {
		t.Error("the second picture is", p)
	}
	gone()
	gone()
	if p := waittest.Receive(t, "the picture goes with its desktop", shown); p != nil || v.State().Hidden {
		t.Error("its end is not shown")
	}
	n.Store(3)
	again := v.Mirror(func(context.Context) (Mirror, error) { return &still{n: &n, closed: &closed}, nil })
	gone() // of the previous hidden desktop
	if p := waittest.Receive(t, "the picture of the next desktop", shown); p == nil || p.Pix[0] != 3 {
		t.Error("the next desktop shows", p)
	}
	again()
	waittest.Receive(t, "the picture goes with the next desktop", shown)
	end()
	waittest.Receive(t, "the pictures end", over)
	if c := closed.Load(); c != 2 {
		t.Errorf("%d of 2 connections are closed", c)
	}
}

// Requests that are not reports change nothing and reach the next handler.
func TestOtherRequestsGoOn(t *testing.T) {
	v := NewView()
	next := func(_ context.Context, method string, _ json.RawMessage) (any, error) { return method, nil }
	answer := v.Answer(next)
	if r, err := answer(t.Context(), "dev.goated/desktop/open", nil); err != nil || r != "dev.goated/desktop/open" {
		t.Error(r, err)
	}
	for _, params := range []string{``, `{}`, `[]`, `{"session":"s","actions":[{},{},{},{},{},{},{}]}`} {
		if r, err := answer(t.Context(), methodReport, json.RawMessage(params)); err == nil {
			t.Errorf("%s is taken: %v", params, r)
		}
	}
	if s := v.State(); s.Connected {
		t.Errorf("%+v", s)
	}
}
