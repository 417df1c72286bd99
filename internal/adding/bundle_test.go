package adding

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

// A yesNo is a [Prompter] that always gives the same answer.
type yesNo struct {
	answer string
	seen   string
}

func (y *yesNo) Says(_ context.Context, about, question string) string {
	y.seen = about + "\n" + question
	return y.answer
}
func (*yesNo) Secret(context.Context, string) (string, error) { return "", nil }
func (*yesNo) Line(context.Context, string) (string, error)   { return "", nil }

// A bundle from a URL runs code of an unknown author, so goated asks before it unpacks the bundle.
func TestBundlesOfAddressesNeedAYes(t *testing.T) {
	const program = "node ./server/index.js"
	for answer, agreed := range map[string]bool{"y": true, "yes": true, "": false, "n": false, "maybe": false} {
		who := &yesNo{answer: answer}
		err := Terminal{Aside: &bytes.Buffer{}, Prompter: who}.AgreesToBundle(t.Context(), program, false)
		if (err == nil) != agreed || !strings.Contains(who.seen, "It starts: "+program) || !strings.Contains(who.seen, "Install it? [y/N]") {
			t.Errorf("%q: %v after %q", answer, err, who.seen)
		}
	}
	if err := (Terminal{}).AgreesToBundle(t.Context(), program, false); err == nil || !strings.Contains(err.Error(), program) || !strings.Contains(err.Error(), "--allow-install") {
		t.Errorf("nobody to ask: %v", err)
	}
	var aside bytes.Buffer
	if err := (Terminal{Aside: &aside}).AgreesToBundle(t.Context(), program, true); err != nil || !strings.Contains(aside.String(), program) {
		t.Errorf("allowed: %v after %q", err, aside.String())
	}
	if err := (Terminal{}).AgreesToBundle(t.Context(), "", false); err != nil {
		t.Errorf("a bundle of the registry: %v", err)
	}
}
