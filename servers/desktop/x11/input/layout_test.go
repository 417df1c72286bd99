package input_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/jezek/xgb/xproto"

	"goated/internal/bustest"
	"goated/servers/desktop/x11/hidden"
	"goated/servers/desktop/x11/input"
	"goated/servers/desktop/x11/x11test"
)

// Text arrives unchanged with any active keyboard layout, and with Caps Lock on: letters of the layout,
// letters that it lacks, and signs that it has on other keys. Caps Lock is still on afterwards.
func TestTextWithOtherLayoutsAndCapsLock(t *testing.T) {
	desk.Need(t, "mousepad", "xclip", "setxkbmap", "xkbcomp")
	display, err := hidden.Start(t.Context(), hidden.Options{}) // a separate display keeps the layouts of the other tests
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(display.Close)
	desk := x11test.Desk{Desktop: display}
	d := desk.Open(t, nil)
	in, err := input.New(t.Context(), input.Options{Display: display.Display, Authority: display.Authority()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(in.Close)
	desk.Start(t, "env", "DBUS_SESSION_BUS_ADDRESS="+bustest.Start(t), "mousepad")
	desk.Window(t, d, "Mousepad")
	const text = "aZ äÖß яЖ κΣ ïÏ é 日 🙂 @#{}[]\\|~^`'\"<>;:?/ yz YZ 0123"
	type keyboard struct {
		layout string
		group  int // the active layout
		caps   bool
	}
	keyboards := []keyboard{{"us", 0, true}, {"de", 0, false}, {"fr", 0, true}, {"ru", 0, true}, {"us,ru", 1, false}, {"us,de,ru", 2, true}}
	if os.Getenv("GOATED_DESKTOP_LONG") != "" {
		keyboards = append(keyboards, keyboard{"de", 0, true}, keyboard{"us,ru", 1, true})
	}
	for i, test := range keyboards {
		desk.Output(t, "setxkbmap", test.layout)
		if err := in.LockGroup(byte(test.group)); err != nil {
			t.Fatal(err)
		}
		if test.caps {
			desk.Output(t, "xdotool", "key", "Caps_Lock")
		}
		var err error
		for _, act := range []func() error{
			func() error { return in.Key(t.Context(), "ctrl+a", 0) },
			func() error { return in.Type(t.Context(), text+fmt.Sprint(i), 0) },
			func() error { return in.Key(t.Context(), "ctrl+a", 0) },
			func() error { return in.Key(t.Context(), "ctrl+c", 0) },
		} {
			if err = act(); err != nil {
				t.Fatalf("%+v: %v", test, err)
			}
		}
		p, err := xproto.QueryPointer(d.Conn().X, d.Conn().Root).Reply()
		if err != nil || p.Mask&xproto.ModMaskLock != 0 != test.caps || int(p.Mask>>13&3) != test.group {
			t.Errorf("%+v: the state of the keyboard is %#x afterwards, %v", test, p.Mask, err)
		}
		if test.caps {
			desk.Output(t, "xdotool", "key", "Caps_Lock")
		}
		got := ""
		desk.Until(t, "copied text", func() bool {
			out, err := desk.Command(t, "xclip", "-o", "-selection", "clipboard", "-t", "UTF8_STRING").Output()
			got = string(out)
			return err == nil && strings.HasSuffix(got, fmt.Sprint(i))
		})
		if got != text+fmt.Sprint(i) {
			t.Errorf("%+v: typed  %q\narrived %q", test, text, got)
		}
	}
}
