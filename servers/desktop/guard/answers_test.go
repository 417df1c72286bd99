package guard

import (
	"errors"
	"strings"
	"testing"

	"goated/servers/desktop/element"
)

// A press or a key in a notification could answer goated's question, and an on-screen keyboard
// types into goated. The panel of a desktop that shows notifications itself stays usable.
func TestNothingAnswersForTheUser(t *testing.T) {
	const daemon = 300
	at := element.Point{X: 50, Y: 650}
	for name, c := range map[string]struct {
		window  element.Window
		refused bool
	}{
		"a notification":              {element.Window{Kind: "notification"}, true},
		"the notification daemon":     {element.Window{PID: daemon, Kind: "normal", Class: "Dunst"}, true},
		"a daemon without a kind":     {element.Window{PID: daemon}, true},
		"its panel":                   {element.Window{PID: daemon, Kind: "dock"}, false},
		"its background":              {element.Window{PID: daemon, Kind: "desktop"}, false},
		"Onboard":                     {element.Window{Class: "Onboard", Kind: "normal"}, true},
		"Florence":                    {element.Window{Class: "Florence", Kind: "dock"}, true},
		"xvkbd":                       {element.Window{Class: "XVkbd"}, true},
		"GNOME's former keyboard":     {element.Window{Class: "caribou"}, true},
		"Plasma's, by its desktop id": {element.Window{Class: "org.kde.plasma-keyboard"}, true},
		"a tool that sends input":     {element.Window{Class: "Xmacroplay"}, true},
		"an editor":                   {element.Window{Class: "Mousepad", Kind: "normal"}, false},
		"a program without a class":   {element.Window{}, false},
	} {
		t.Run(name, func(t *testing.T) {
			for _, shell := range []bool{false, true} {
				d, _ := newDesk()
				w := c.window
				w.ID, w.Title = 0xa00001, "Confirm"
				if w.PID == 0 {
					w.PID = otherPID
				}
				d.layers = append(d.layers, Layer{Window: w, Bounds: rect(0, 600, 100, 100)})
				d.focused = w
				g := New(Options{Screen: d, Own: Own{PIDs: []int{goatedPID}}, Shell: shell, Asks: func(pid int) bool { return pid == daemon }})
				for what, err := range map[string]error{"press": g.Press(t.Context(), at), "keys": g.Keys(t.Context())} {
					var refusal *Refusal
					if errors.As(err, &refusal) != c.refused {
						t.Errorf("%s, with shell commands: %t: %v", what, shell, err)
					}
				}
				if err := g.Pointer(t.Context(), at); err != nil {
					t.Errorf("the pointer may not even move there: %v", err)
				}
			}
		})
	}
	_, g := newDesk()
	if err := g.Use([]element.Window{{Class: "Onboard", Title: "Onboard"}}); err == nil || !strings.Contains(err.Error(), "Onboard") {
		t.Errorf("the keys of a keyboard are pressed as elements: %v", err)
	}
	if err := g.Open("/usr/bin/florence"); err == nil {
		t.Error("a keyboard on the screen starts")
	}
}
