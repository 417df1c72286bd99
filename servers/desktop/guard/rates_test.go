package guard_test

import (
	"errors"
	"testing"

	"goated/servers/desktop/guard"
)

// Reads and screenshots have separate limits, like actions.
func TestRates(t *testing.T) {
	const slow = 0.001 // one passes, and the next one would wait longer than the maximum
	refused := func(p guard.Paces, method string) bool {
		t.Helper()
		err := p.Admit(t.Context(), method)
		var fast *guard.TooFastError
		if err != nil && !errors.As(err, &fast) {
			t.Fatal(err)
		}
		return err != nil
	}
	p := guard.Rates{Pictures: slow}.Paces()
	for i := range 3 {
		if got := refused(p, "CaptureWindowScreenshot"); got != (i > 0) {
			t.Errorf("picture %d is refused: %t", i, got)
		}
		if refused(p, "ListWindows") {
			t.Errorf("a reading beside picture %d is refused", i)
		}
	}
	p = guard.Rates{Requests: slow}.Paces()
	if refused(p, "FindElements") || !refused(p, "FindElements") {
		t.Error("readings have no limit")
	}
	p = guard.Rates{}.Paces()
	for range guard.DefaultPictures { // the default rates allow the usual steps of a model
		if refused(p, "CaptureScreenshot") {
			t.Error("an ordinary step is refused")
		}
	}
}
