package x11_test

import (
	"testing"

	"github.com/jezek/xgb/xproto"
)

// The X server gives the numbers of a closed connection to the next one. A window manager that notices
// the end of the old windows only then used to hide the new windows of the next test.
func TestNoNewWindowIsMistakenForAnOldOne(t *testing.T) {
	for range 40 {
		var old []xproto.Window
		t.Run("managed", func(t *testing.T) {
			d := desk.Open(t, nil)
			for i := range 6 {
				old = append(old, window(t, d.Conn(), d.Conn().Root, int16(100*i), 300, 0, "old"))
			}
			desk.Until(t, "managed windows", func() bool { all, err := d.Windows(); return err == nil && len(all) >= len(old) })
		})
		t.Run("unmanaged", func(t *testing.T) {
			d := desk.Open(t, nil)
			c := d.Conn()
			var all []xproto.Window
			for i := range len(old) {
				all = append(all, window(t, c, c.Root, int16(100*i), 300, 1, "new"))
			}
			for _, w := range all {
				for range 3 { // gives the window manager time
					if a, err := xproto.GetWindowAttributes(c.X, w).Reply(); err != nil || a.MapState != xproto.MapStateViewable {
						t.Fatalf("the window 0x%x is not visible: %+v, %v", w, a, err)
					}
				}
			}
		})
	}
}
