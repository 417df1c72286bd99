package backend_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc/codes"

	"goated/internal/waittest"
	"goated/servers/desktop/backend"
	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/portal/portaltest"
	"goated/servers/desktop/x11/hidden"
)

// TestWaylandHasNoPointer checks that every use of the pointer is refused. No portal reports which
// window is at a position, so it could be goated's own Allow button. The error advises what to do
// instead.
func TestWaylandHasNoPointer(t *testing.T) {
	w, b := openWayland(t)
	ctx := soon(t)
	form, say := w.run(t, "Form")
	say("active")
	at, to := &pb.Point{X: 10, Y: 10}, &pb.Point{X: 20, Y: 20}
	for what, a := range map[string]*pb.InputAction{
		"click":                       {InputType: &pb.InputAction_Click{Click: &pb.MouseClick{Position: at}}},
		"double click":                {InputType: &pb.InputAction_Click{Click: &pb.MouseClick{Position: at, ClickCount: 2}}},
		"right click":                 {InputType: &pb.InputAction_Click{Click: &pb.MouseClick{Position: at, ClickType: pb.MouseClick_CLICK_TYPE_RIGHT}}},
		"move":                        {InputType: &pb.InputAction_MoveMouse{MoveMouse: &pb.MouseMove{Position: at}}},
		"hover":                       {InputType: &pb.InputAction_Hover{Hover: &pb.Hover{Position: at}}},
		"drag":                        {InputType: &pb.InputAction_Drag{Drag: &pb.MouseDrag{StartPosition: at, EndPosition: to}}},
		"scroll":                      {InputType: &pb.InputAction_Scroll{Scroll: &pb.Scroll{Position: at, Vertical: 3}}},
		"scroll where the pointer is": {InputType: &pb.InputAction_Scroll{Scroll: &pb.Scroll{Vertical: 3}}},
		"gesture":                     {InputType: &pb.InputAction_Gesture{Gesture: &pb.Gesture{Center: at, GestureType: pb.Gesture_GESTURE_TYPE_ZOOM}}},
		"button down":                 {InputType: &pb.InputAction_ButtonDown{ButtonDown: &pb.MouseButtonDown{Position: at}}},
		"button up":                   {InputType: &pb.InputAction_ButtonUp{ButtonUp: &pb.MouseButtonUp{Position: at}}},
	} {
		for _, app := range []string{"", form} {
			r := action(a)
			r.Parent = app
			refused(t, what, second(b.CreateInput(ctx, r)), codes.Unimplemented, "goated's own Allow", "role and name", "Page_Down", "scroll bar", "X11 session")
		}
	}
	button := &pb.ClickElementRequest_Selector{Selector: &pb.ElementSelector{Criteria: &pb.ElementSelector_Role{Role: "push button"}}}
	for _, kind := range []pb.ClickElementRequest_ClickType{pb.ClickElementRequest_CLICK_TYPE_DOUBLE, pb.ClickElementRequest_CLICK_TYPE_RIGHT} {
		refused(t, kind.String(), second(b.ClickElement(ctx, &pb.ClickElementRequest{Parent: form, Target: button, ClickType: kind})),
			codes.Unimplemented, "one of its actions")
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.asked > 0 {
		t.Errorf("the user was asked %d times for a pointer", w.asked)
	}
}

// TestWaylandClipboard copies and pastes through the portal after the user agrees there.
func TestWaylandClipboard(t *testing.T) {
	gives := make(chan bool, 1)
	w, b := openWayland(t, func(w *waylandDesk, _ *backend.Options) { w.portal.Board = func() bool { return <-gives } })
	ctx := soon(t)
	read := func() (*pb.Clipboard, error) {
		return b.GetClipboard(ctx, &pb.GetClipboardRequest{Name: "clipboard"})
	}
	write := func(c *pb.ClipboardContent) error {
		return second(b.WriteClipboard(ctx, &pb.WriteClipboardRequest{Content: c}))
	}
	gives <- false
	refused(t, "without consent", second(read()), codes.PermissionDenied, "did not agree")
	gives <- true
	const text = "naïve 日本語 🙂"
	if err := write(&pb.ClipboardContent{Content: &pb.ClipboardContent_Text{Text: text}}); err != nil {
		t.Fatal(err)
	}
	if got, err := w.portal.Paste("text/plain;charset=utf-8"); err != nil || string(got) != text {
		t.Errorf("another program pastes %q, %v", got, err)
	}
	refused(t, "no picture", write(&pb.ClipboardContent{Content: &pb.ClipboardContent_Image{Image: []byte("x")}}), codes.InvalidArgument)
	w.portal.Copy(map[string][]byte{"text/html": []byte("<b>hi</b>"), "text/plain": []byte("hi")})
	desk.Until(t, "what another program copied", func() bool {
		c := must[*pb.Clipboard](t)(read())
		return c.GetContent().GetText() == "hi" && slices.Contains(c.GetAvailableTypes(), pb.ContentType_CONTENT_TYPE_HTML)
	})
	history := must[*pb.ClipboardHistory](t)(b.GetClipboardHistory(ctx, &pb.GetClipboardHistoryRequest{Name: "clipboard/history"})).GetEntries()
	if len(history) < 2 || history[0].GetContent().GetText() != "hi" {
		t.Errorf("%v", history)
	}
	b.Halt()
	refused(t, "reading after the halt", second(read()), codes.PermissionDenied, "stopped")
	refused(t, "writing after the halt", write(&pb.ClipboardContent{Content: &pb.ClipboardContent_Text{Text: "x"}}), codes.PermissionDenied, "stopped")
	b.Resume()
	must[*pb.ClearClipboardResponse](t)(b.ClearClipboard(ctx, &pb.ClearClipboardRequest{}))
	if got := w.portal.Types(); len(got) > 0 {
		t.Errorf("after Clear: %v", got)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.asked != 2 {
		t.Errorf("the user was asked %d times", w.asked)
	}
}

// "Stop everything" closes the dialogs for keys and for the clipboard, even if no call waits for
// them, and the error of a waiting call reports why it ends. They used to stay open for five
// minutes. The next call asks again.
func TestHaltClosesTheDialogsOfTheDesktop(t *testing.T) {
	asked, agree := make(chan struct{}, 8), make(chan struct{}) // so that a failed test does not hang
	w, b := openWayland(t, func(w *waylandDesk, _ *backend.Options) {
		w.portal.Keyboard = func() (uint32, uint32) { asked <- struct{}{}; <-agree; return portaltest.Agree, 7 }
	})
	defer close(agree)
	_, say := w.run(t, "Form")
	say("active")
	closed := 0
	for what, call := range map[string]func(context.Context) error{
		"keys": func(ctx context.Context) error { return second(b.CreateInput(ctx, typed("a", 0))) },
		"clipboard": func(ctx context.Context) error {
			return second(b.GetClipboard(ctx, &pb.GetClipboardRequest{Name: "clipboard"}))
		},
	} {
		for _, waits := range []bool{true, false} {
			ctx, cancel := context.WithCancel(t.Context())
			failed := make(chan error, 1)
			go func() { failed <- call(ctx) }()
			waittest.Receive(t, "the dialog for "+what, asked)
			if !waits {
				cancel()
				refused(t, what+" whose call ends", waittest.Receive(t, "the end of the call", failed), codes.FailedPrecondition, "dialog")
			}
			b.Halt()
			if waits {
				refused(t, what+" that are halted", waittest.Receive(t, "the end of the call", failed), codes.PermissionDenied, "stopped")
			}
			cancel()
			closed++
			waittest.Until(t, "the end of the dialog for "+what, func() bool {
				open, n := w.portal.Requests()
				return open == 0 && n == closed
			})
			b.Resume()
		}
	}
}

// After Tab, a program may need a moment to focus the next field. Text that was typed right after
// Tab went into a password field, because the program still reported the previous field.
func TestWaylandTextAfterTab(t *testing.T) {
	for what, r := range map[string][]*pb.CreateInputRequest{"one text": {typed("a\tb", 0)}, "a key and a text": {key("Tab"), typed("b", 0)}} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			w, b := openWayland(t, func(w *waylandDesk, _ *backend.Options) {
				pressed := w.portal.Pressed
				w.portal.Pressed = func(k portaltest.Key) {
					if pressed(k); k.Sym == 0xff09 && k.Down {
						w.mu.Lock()
						send := w.send
						w.mu.Unlock()
						send("tab") // the program receives the key, but the test does not wait for its answer
					}
				}
			})
			_, say := w.run(t, "Form")
			say("active")
			for _, r := range r[:len(r)-1] {
				must[*pb.Input](t)(b.CreateInput(soon(t), r))
			}
			refused(t, "the text after Tab", second(b.CreateInput(soon(t), r[len(r)-1])), codes.PermissionDenied, "password field")
			if slices.Contains(w.keys(), 'b') {
				t.Error("the text went into a password field")
			}
		})
	}
}

// A shown acts as goated's window and keeps what the server reports.
type shown struct {
	mu  sync.Mutex
	key string
}

func (s *shown) Call(ctx context.Context, _ string, params, _ any) error {
	b, err := json.Marshal(params)
	if err != nil {
		return err
	}
	var state struct {
		Key *string `json:"key"`
	}
	if err := json.Unmarshal(b, &state); err != nil {
		return err
	}
	if state.Key == nil { // waits for orders of the user, who gives none
		<-ctx.Done()
		return ctx.Err()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.key = *state.Key
	return nil
}

func (s *shown) is(want string) func() bool {
	return func() bool { s.mu.Lock(); defer s.mu.Unlock(); return s.key == want }
}

// TestWaylandHaltKey checks that the key granted by the desktop stops everything within 100 ms.
func TestWaylandHaltKey(t *testing.T) {
	window := new(shown)
	w, b := openWayland(t, func(_ *waylandDesk, o *backend.Options) { o.Sign, o.Live = true, window })
	ctx := soon(t)
	_, say := w.run(t, "Form")
	say("active")
	desk.Until(t, "the key in goated's window", window.is("Press <ctrl><alt>Escape"))
	fastest := time.Hour
	for range 5 { // other programs use the processor too
		type end struct {
			err error
			at  time.Time
		}
		ended := make(chan end, 1)
		go func() {
			_, err := b.CreateInput(ctx, typed(strings.Repeat("a", 5000), 0.05))
			ended <- end{err, time.Now()}
		}()
		desk.Until(t, "typing", func() bool { return len(w.keys()) > 0 })
		begun := time.Now()
		if !w.portal.Press("halt") {
			t.Fatal("the desktop has no key")
		}
		e := waittest.Receive(t, "the action ends", ended)
		fastest = min(fastest, e.at.Sub(begun))
		refused(t, "the halted text", e.err, codes.PermissionDenied, "stopped")
		refused(t, "an action after it", second(b.CreateInput(ctx, key("a"))), codes.PermissionDenied, "stopped")
		b.Resume()
	}
	if fastest > 100*time.Millisecond {
		t.Errorf("it stopped after %v", fastest)
	}
	w.keys()
	w.portal.End()
	desk.Until(t, "goated's window without the key", window.is(""))
	must[*pb.Input](t)(b.CreateInput(ctx, key("a")))
	desk.Until(t, "the key after the next action", window.is("Press <ctrl><alt>Escape"))
}

// TestWaylandWithoutHaltKey works on a desktop that lacks the portal for the key. goated's window
// shows no key, and its Stop button works.
func TestWaylandWithoutHaltKey(t *testing.T) {
	window := &shown{key: "?"}
	w, b := openWayland(t, func(w *waylandDesk, o *backend.Options) {
		o.Sign, o.Live, w.portal.Lacks = true, window, []string{"GlobalShortcuts"}
	})
	_, say := w.run(t, "Form")
	say("active")
	desk.Until(t, "a report", window.is(""))
	must[*pb.Input](t)(b.CreateInput(soon(t), key("a")))
	if w.portal.Press("halt") {
		t.Error("there is a key")
	}
	b.Halt()
	refused(t, "after Stop", second(b.CreateInput(soon(t), key("a"))), codes.PermissionDenied, "stopped")
}

// The dialog that asks for the key does not block the server, and closing the backend closes the
// dialog.
func TestWaylandKeyIsAskedInTheBackground(t *testing.T) {
	never, asked := make(chan struct{}), make(chan struct{})
	t.Cleanup(func() { close(never) })
	w, b := openWayland(t, func(w *waylandDesk, o *backend.Options) {
		o.Sign, w.portal.Shortcut = true, func() (uint32, string) { close(asked); <-never; return portaltest.Other, "" }
	})
	waittest.Receive(t, "the user is asked for the key", asked)
	_, say := w.run(t, "Form")
	say("active")
	must[*pb.Input](t)(b.CreateInput(soon(t), key("a")))
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	if open, closed := w.portal.Requests(); open != 0 || closed != 1 {
		t.Errorf("%d dialogs are open, %d closed", open, closed)
	}
}

// The key of the user's session halts a hidden desktop, even if the session is Wayland. A key of
// XWayland would reach goated only while an X program has the focus.
func TestHiddenDesktopIsHaltedByTheKeyOfWayland(t *testing.T) {
	desk.Need(t)
	window := new(shown)
	w, b := openWayland(t, func(_ *waylandDesk, o *backend.Options) {
		o.Sign, o.Live, o.Hidden = true, window, &hidden.Options{Bare: true, Width: 200, Height: 200}
	})
	desk.Until(t, "the key in goated's window", window.is("Press <ctrl><alt>Escape"))
	if !w.portal.Press("halt") {
		t.Fatal("the desktop has no key")
	}
	desk.Until(t, "the halt", b.Halted)
}
