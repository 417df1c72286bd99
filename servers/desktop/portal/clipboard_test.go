package portal_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

	"goated/internal/bustest"
	"goated/internal/waittest"
	"goated/servers/desktop/copied"
	"goated/servers/desktop/portal"
	"goated/servers/desktop/portal/portaltest"
)

func agree() (uint32, uint32) { return portaltest.Agree, 7 }

// Text, HTML, pictures and files are transferred in both directions.
func TestClipboardInBothDirections(t *testing.T) {
	p := &portaltest.Portal{Keyboard: agree}
	b := serve(t, p).Clipboard()
	var picture bytes.Buffer
	m := image.NewRGBA(image.Rect(0, 0, 9, 7))
	m.Set(3, 4, color.RGBA{255, 0, 0, 255})
	if err := png.Encode(&picture, m); err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("naïve 日本語 🙂\n", 200_000) // several times the capacity of a pipe
	for name, test := range map[string]struct {
		content copied.Content
		form    string
		data    string
	}{
		"text":  {copied.Content{Kind: copied.Text, Text: "naïve 日本語 🙂"}, "text/plain;charset=utf-8", "naïve 日本語 🙂"},
		"long":  {copied.Content{Kind: copied.Text, Text: long}, "text/plain;charset=utf-8", long},
		"HTML":  {copied.Content{Kind: copied.HTML, Text: "<b>日本</b>"}, "text/html", "<b>日本</b>"},
		"image": {copied.Content{Kind: copied.Image, Data: picture.Bytes()}, "image/png", picture.String()},
		"files": {copied.Content{Kind: copied.Files, Files: []string{"/tmp/a b.txt", "/tmp/日本%.txt"}}, "text/uri-list", "file:///tmp/a%20b.txt\r\nfile:///tmp/%E6%97%A5%E6%9C%AC%25.txt\r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			ctx := soon(t)
			if err := b.Write(ctx, test.content); err != nil {
				t.Fatal(err)
			}
			if got, err := p.Paste(test.form); err != nil || string(got) != test.data {
				t.Errorf("another program pastes %d bytes, want %d: %v", len(got), len(test.data), err)
			}
			if slices.ContainsFunc(p.Types(), func(s string) bool { return !strings.Contains(s, "/") }) {
				t.Errorf("it offers forms of X11: %v", p.Types())
			}
			if _, err := p.Paste("image/tiff"); !errors.Is(err, portaltest.ErrPaste) {
				t.Errorf("a form that it does not have: %v", err)
			}
			if c, _, err := b.Read(ctx, test.content.Kind); err != nil || c.Kind != test.content.Kind || c.Text != test.content.Text {
				t.Errorf("its own: %v, %v", c.Kind, err)
			}
			p.Copy(map[string][]byte{test.form: []byte(test.data)})
			waittest.Until(t, "read what another program copied", func() bool { // the desktop reports that a moment later
				c, kinds, err := b.Read(ctx)
				if err != nil {
					t.Fatal(err)
				}
				return slices.Equal(kinds, []copied.Kind{test.content.Kind}) && c.Text == test.content.Text &&
					bytes.Equal(c.Data, test.content.Data) && slices.Equal(c.Files, test.content.Files)
			})
		})
	}
	if h := b.History(); len(h) == 0 || h[len(h)-1].Source != "goated" {
		t.Errorf("%d entries in the history", len(h))
	}
	if err := b.Clear(soon(t)); err != nil {
		t.Error(err)
	}
	if c, kinds, err := b.Read(soon(t)); err != nil || len(kinds) > 0 || c.Kind != 0 || len(p.Types()) > 0 {
		t.Errorf("after Clear: %v, %v, %v; %v", c, kinds, err, p.Types())
	}
}

// A busy desktop reports the contents of the clipboard late. Contents that were written since then are
// newer.
func TestLateSignalsOfTheClipboard(t *testing.T) {
	delay := new(portaltest.Delay)
	p := &portaltest.Portal{Keyboard: agree, Copying: portaltest.Copying{Delay: delay}}
	b := serve(t, p).Clipboard()
	settled := func(what string, kinds ...copied.Kind) {
		t.Helper()
		for end := time.Now().Add(100 * time.Millisecond); time.Now().Before(end); time.Sleep(time.Millisecond) {
			if c, got, err := b.Read(soon(t)); err != nil || !slices.Equal(got, kinds) || (c.Kind != 0) != (len(kinds) > 0) {
				t.Fatalf("%s: %v, %v, %v", what, c, got, err)
			}
		}
	}
	// Wait until the session has started and all signals about its start have arrived. Otherwise the
	// signal that nobody owned the clipboard before the first write would look like another program's
	// change.
	p.Copy(map[string][]byte{"text/plain": []byte("first")})
	waittest.Until(t, "what another program copied", func() bool {
		delay.Release()
		c, _, err := b.Read(soon(t))
		return err == nil && c.Text == "first"
	})
	if err := b.Write(soon(t), copied.Content{Kind: copied.Text, Text: "second"}); err != nil {
		t.Fatal(err)
	}
	if err := b.Write(soon(t), copied.Content{Kind: copied.HTML, Text: "<b>third</b>"}); err != nil {
		t.Fatal(err)
	}
	delay.Release() // reports a text, as after the second write
	settled("after the third", copied.HTML)
	if err := b.Clear(soon(t)); err != nil {
		t.Fatal(err)
	}
	settled("after Clear")
	for delay.Release() {
		settled("after a signal of a time before Clear")
	}
}

// The clipboard and the keys each need the user's consent. Consent to one does not include the other.
func TestClipboardNeedsItsOwnConsent(t *testing.T) {
	var asked atomic.Int32
	var board atomic.Bool
	p := &portaltest.Portal{
		Keyboard: func() (uint32, uint32) { asked.Add(1); return portaltest.Agree, 7 },
		Copying:  portaltest.Copying{Board: func() bool { return board.Load() }},
	}
	got := serve(t, p)
	p.Copy(map[string][]byte{"text/plain": []byte("secret")})
	if _, err := got.Allow(soon(t)); err != nil {
		t.Fatal(err)
	}
	text := copied.Content{Kind: copied.Text, Text: "x"}
	_, _, read := got.Clipboard().Read(soon(t))
	for what, err := range map[string]error{"reading": read, "writing": got.Clipboard().Write(soon(t), text), "clearing": got.Clipboard().Clear(soon(t))} {
		if !errors.Is(err, portal.ErrDenied) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if asked.Load() != 4 || p.Sessions() != 1 {
		t.Errorf("asked %d times, %d sessions", asked.Load(), p.Sessions())
	}
	board.Store(true)
	for range 3 {
		if c, _, err := got.Clipboard().Read(soon(t)); err != nil || c.Text != "secret" {
			t.Errorf("%v, %v", c, err)
		}
	}
	if asked.Load() != 5 {
		t.Errorf("asked %d times", asked.Load())
	}
	// The user ends both sessions. What goated copied is gone, and the next use asks again.
	if err := got.Clipboard().Write(soon(t), text); err != nil {
		t.Fatal(err)
	}
	p.End()
	waittest.Until(t, "the question after the end", func() bool {
		c, _, err := got.Clipboard().Read(soon(t))
		if err != nil && !errors.Is(err, portal.ErrEnded) {
			t.Fatal(err)
		}
		return asked.Load() == 6 && err == nil && c.Kind == 0
	})
}

// The consent to the clipboard is kept separately from the consent to keys.
func TestConsentToTheClipboardIsKept(t *testing.T) {
	var asked atomic.Int32
	p := &portaltest.Portal{Keyboard: func() (uint32, uint32) { asked.Add(1); return portaltest.Agree, 7 }}
	address := bustest.Start(t)
	conn, err := p.Serve(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	o := portal.Options{Session: filtered(t, address), Consent: filepath.Join(t.TempDir(), "keys"), Clipboard: filepath.Join(t.TempDir(), "clipboard")}
	for range 3 {
		got, err := portal.Open(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		if err := got.Clipboard().Write(soon(t), copied.Content{Kind: copied.Text, Text: "x"}); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(o.Consent); !os.IsNotExist(err) {
			t.Errorf("the clipboard kept a consent to keys: %v", err)
		}
		got.Close()
	}
	if f := p.Faults(); asked.Load() != 1 || len(f) > 0 {
		t.Errorf("asked %d times; %v", asked.Load(), f)
	}
}

// GNOME up to version 48 wraps the list of MIME types in a structure, which violates the interface.
func TestClipboardOfOldGNOME(t *testing.T) {
	p := &portaltest.Portal{Keyboard: agree, Copying: portaltest.Copying{Wrapped: true}}
	b := serve(t, p).Clipboard()
	p.Copy(map[string][]byte{"text/html": []byte("<b>x</b>")})
	if c, _, err := b.Read(soon(t)); err != nil || c.Kind != copied.HTML || c.Text != "<b>x</b>" {
		t.Errorf("%v, %v", c, err)
	}
}

// Contents that a password manager marked as secret are not read.
func TestClipboardKeepsSecrets(t *testing.T) {
	p := &portaltest.Portal{Keyboard: agree}
	b := serve(t, p).Clipboard()
	p.Copy(map[string][]byte{"text/plain": []byte("hunter2"), copied.Hint: []byte("secret")})
	if c, _, err := b.Read(soon(t)); !errors.Is(err, copied.ErrSecret) {
		t.Errorf("%v, %v", c, err)
	}
	if h := b.History(); len(h) > 0 {
		t.Errorf("the history has it: %v", h)
	}
}

// If the program that owns the clipboard hangs, a read fails with that reason. A halt ends the read at
// once.
func TestClipboardOfAHungProgram(t *testing.T) {
	stuck := make(chan struct{})
	defer close(stuck)
	p := &portaltest.Portal{Keyboard: agree, Copying: portaltest.Copying{Stuck: stuck}}
	b := serve(t, p).Clipboard()
	p.Copy(map[string][]byte{"text/plain": []byte("x")})
	if err := b.Write(soon(t), copied.Content{Kind: copied.Files}); !errors.Is(err, copied.ErrContent) {
		t.Errorf("no files: %v", err)
	}
	halted := errors.New("halted")
	took := time.Hour
	for n := 0; n < 5 && took > 100*time.Millisecond; n++ { // other programs also use the processors
		ctx, halt := context.WithCancelCause(t.Context())
		begun := time.Now()
		time.AfterFunc(200*time.Millisecond, func() { begun = time.Now(); halt(halted) })
		if _, _, err := b.Read(ctx); !errors.Is(err, halted) {
			t.Fatal(err)
		}
		took = time.Since(begun)
	}
	if took > 100*time.Millisecond {
		t.Errorf("it ended after %v", took)
	}
}

func TestClipboardOwnerDoesNotAnswer(t *testing.T) {
	stuck := make(chan struct{})
	defer close(stuck)
	p := &portaltest.Portal{Keyboard: agree, Copying: portaltest.Copying{Stuck: stuck}}
	b := serve(t, p).Clipboard()
	p.Copy(map[string][]byte{"text/plain": []byte("x")})
	if _, _, err := b.Read(soon(t)); !errors.Is(err, copied.ErrOwner) {
		t.Error(err)
	}
}

// On a desktop without the portal, the error is ErrMissing.
func TestNoClipboard(t *testing.T) {
	p := &portaltest.Portal{Keyboard: agree, Lacks: []string{"Clipboard"}}
	if _, _, err := serve(t, p).Clipboard().Read(soon(t)); !errors.Is(err, portal.ErrMissing) {
		t.Error(err)
	}
	waittest.Until(t, "the end of its session", func() bool { return p.Sessions() == 0 })
}

// TestPortaltestRefuses compares the fake with the real portal: it refuses each call that
// xdg-desktop-portal and its backends refuse.
func TestPortaltestRefuses(t *testing.T) {
	var keys atomic.Uint32
	keys.Store(1)
	var board atomic.Bool // the user's answer about the clipboard
	p := &portaltest.Portal{Keyboard: func() (uint32, uint32) { return portaltest.Agree, keys.Load() }, Copying: portaltest.Copying{Board: board.Load}}
	address := bustest.Start(t)
	served, err := p.Serve(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = served.Close() })
	dial := func() *dbus.Conn {
		conn, err := dbus.Connect(address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		return conn
	}
	type options = map[string]dbus.Variant
	const remote, boards, keyed = "org.freedesktop.portal.RemoteDesktop", "org.freedesktop.portal.Clipboard", "org.freedesktop.portal.GlobalShortcuts"
	call := func(c *dbus.Conn, method string, args ...any) *dbus.Call {
		return c.Object("org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop").Call(method, 0, args...)
	}
	conn, other := dial(), dial()
	answers := make(chan *dbus.Signal, 16)
	if err := conn.AddMatchSignal(dbus.WithMatchInterface("org.freedesktop.portal.Request")); err != nil {
		t.Fatal(err)
	}
	conn.Signal(answers)
	// asked makes a call that the user answers.
	asked := func(method string, args ...any) options {
		t.Helper()
		if err := call(conn, method, args...).Err; err != nil {
			t.Fatalf("%s: %v", method, err)
		}
		select {
		case s := <-answers:
			return s.Body[1].(options)
		case <-soon(t).Done():
			t.Fatalf("%s has no answer", method)
			return nil
		}
	}
	create := func(face, token string) dbus.ObjectPath {
		t.Helper()
		return dbus.ObjectPath(asked(face+".CreateSession", options{"session_handle_token": dbus.MakeVariant(token)})["session_handle"].Value().(string))
	}
	refused := func(what string, c *dbus.Call, name string) {
		t.Helper()
		var e dbus.Error
		if !errors.As(c.Err, &e) || !strings.HasSuffix(e.Name, name) {
			t.Errorf("%s: %v", what, c.Err)
		}
	}
	none := options{}
	s := create(remote, "a")
	refused("another caller's session", call(other, boards+".RequestClipboard", s, none), "AccessDenied")
	refused("no session", call(conn, boards+".RequestClipboard", dbus.ObjectPath("/no"), none), "AccessDenied")
	refused("an option", call(conn, boards+".RequestClipboard", s, options{"x": dbus.MakeVariant(1)}), "InvalidArgument")
	refused("Start without devices", call(conn, remote+".Start", s, "", none), "InvalidArgument")
	refused("a selection before Start", call(conn, boards+".SetSelection", s, options{"mime_types": dbus.MakeVariant([]string{"text/plain"})}), "AccessDenied")
	refused("a read before Start", call(conn, boards+".SelectionRead", s, "text/plain"), "AccessDenied")
	refused("a key before Start", call(conn, remote+".NotifyKeyboardKeysym", s, none, int32('a'), uint32(1)), "AccessDenied")
	asked(remote+".SelectDevices", s, options{"types": dbus.MakeVariant(uint32(1))})
	refused("devices twice", call(conn, remote+".SelectDevices", s, none), "InvalidArgument")
	asked(remote+".Start", s, "", none)
	refused("the clipboard after Start", call(conn, boards+".RequestClipboard", s, none), "Failed")
	refused("a clipboard that was not requested", call(conn, boards+".SelectionRead", s, "text/plain"), "AccessDenied")
	refused("Start twice", call(conn, remote+".Start", s, "", none), "InvalidArgument")
	refused("the pointer", call(conn, remote+".NotifyPointerMotion", s, none, 1.0, 1.0), "UnknownMethod")

	// The user refuses the clipboard, and gives no keyboard.
	keys.Store(2)
	s = create(remote, "b")
	if err := call(conn, boards+".RequestClipboard", s, none).Err; err != nil {
		t.Error(err)
	}
	asked(remote+".SelectDevices", s, options{"types": dbus.MakeVariant(uint32(1))})
	if got := asked(remote+".Start", s, "", none); got["clipboard_enabled"].Value() != nil {
		t.Errorf("%v", got)
	}
	refused("a clipboard that the user refused", call(conn, boards+".SetSelection", s, options{"mime_types": dbus.MakeVariant([]string{})}), "AccessDenied")
	refused("a device that the user did not give", call(conn, remote+".NotifyKeyboardKeysym", s, none, int32('a'), uint32(1)), "AccessDenied")

	// The order of calls for the clipboard.
	board.Store(true)
	keys.Store(1)
	s = create(remote, "c")
	if err := call(conn, boards+".RequestClipboard", s, none).Err; err != nil {
		t.Error(err)
	}
	asked(remote+".SelectDevices", s, options{"types": dbus.MakeVariant(uint32(1))})
	asked(remote+".Start", s, "", none)
	refused("a form that is not there", call(conn, boards+".SelectionRead", s, "text/plain"), "Failed")
	refused("a write that nobody asked for", call(conn, boards+".SelectionWrite", s, uint32(7)), "Failed")
	refused("the end of one", call(conn, boards+".SelectionWriteDone", s, uint32(7), true), "Failed")
	if err := call(conn, boards+".SetSelection", s, options{"mime_types": dbus.MakeVariant([]string{"text/plain"})}).Err; err != nil {
		t.Error(err)
	}
	refused("its own selection", call(conn, boards+".SelectionRead", s, "text/plain"), "Failed")

	// Shortcuts.
	list := []struct {
		ID      string
		Options options
	}{{"x", none}}
	refused("a shortcut in a session of another kind", call(conn, keyed+".BindShortcuts", s, list, "", none), "AccessDenied")
	s = create(keyed, "d")
	refused("keys in a session of shortcuts", call(conn, remote+".SelectDevices", s, none), "AccessDenied")
	refused("registering late", call(conn, "org.freedesktop.host.portal.Registry.Register", "goated", none), "Failed")
	asked(keyed+".BindShortcuts", s, list, "", none)
	refused("binding twice", call(conn, keyed+".BindShortcuts", s, list, "", none), "InvalidArgument")
}
