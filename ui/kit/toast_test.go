package kit

import (
	"testing"

	"fyne.io/fyne/v2/test"
)

// After each change of a permission, a toast says that the server restarted. After some quick
// changes, the stack of equal toasts covered the switches and buttons for the next change.
func TestEqualToastsDoNotStack(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(Theme{})
	clock := NewClock(func(f func()) { f() })
	toasts := NewToasts(clock)
	for range 5 {
		toasts.Say("check", "echo restarted")
		clock.Tick(toastBeats / 5)
	}
	toasts.Say("check", "weather restarted")
	toasts.Offer("trash", "Deleted", "Undo", Shortcut{}, func() {})
	toasts.Offer("trash", "Deleted", "Undo", Shortcut{}, func() {}) // undoes something else
	if n := len(toasts.List.Objects); n != 4 {
		t.Errorf("the stack has %d toasts, want one of each text and both with a button", n)
	}
	clock.Tick(toastBeats * 4 / 5) // the newest equal toast has been visible for 4 s
	if n := len(toasts.List.Objects); n != 3 {
		t.Errorf("after 4 s the stack has %d toasts, want 3", n)
	}
	clock.Tick(offerBeats)
	if n := len(toasts.List.Objects); n != 0 || len(clock.Tickers) != 0 {
		t.Errorf("%d toasts and %d tickers are left", n, len(clock.Tickers))
	}
}
