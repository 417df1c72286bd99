package clipboard_test

import (
	"context"
	"strings"
	"testing"

	"github.com/jezek/xgb/xproto"

	"goated/servers/desktop/copied"
)

// A keyboard records what is pressed and typed. paste runs at ctrl+v.
type keyboard struct {
	did   []string
	paste func()
}

func (k *keyboard) Press(_ context.Context, chord string) error {
	if k.did = append(k.did, chord); chord == "ctrl+v" {
		k.paste()
	}
	return nil
}

func (k *keyboard) Type(_ context.Context, text string) error {
	k.did = append(k.did, "type "+text)
	return nil
}

// A long text is pasted, and the clipboard holds the same as before. If its contents cannot be read or
// restored, the text is typed instead. It used to fail after everything was selected, and contents of an
// unknown format were lost.
func TestReplaceKeepsTheClipboard(t *testing.T) {
	b, other := open(t), open(t)
	long := strings.Repeat("long", 75)
	seen := ""
	replace := func(text string) string {
		t.Helper()
		k := &keyboard{paste: func() {
			c, _, _ := other.Read(t.Context())
			seen = c.Text
		}}
		if err := b.Replace(t.Context(), k, text); err != nil {
			t.Error(err)
		}
		return strings.Join(k.did, ", ")
	}
	if err := other.Write(t.Context(), copied.Content{Kind: copied.Text, Text: "mine"}); err != nil {
		t.Fatal(err)
	}
	if got := replace(long); got != "ctrl+a, ctrl+v" || seen != long {
		t.Errorf("pressed %s, pasted %q", got, seen)
	}
	if c, _, err := b.Read(t.Context()); err != nil || c.Text != "mine" {
		t.Errorf("the clipboard holds %q, %v", c.Text, err)
	}
	if got := replace("short") + "; " + replace(""); got != "ctrl+a, type short; ctrl+a, Delete" {
		t.Errorf("pressed %s", got)
	}

	const text, custom = "UTF8_STRING", "application/x-custom"
	for name, o := range map[string]struct {
		target  string
		refuses bool
	}{"never answers": {text, false}, "refuses": {text, true}, "has a format of its own": {custom, false}} {
		owner := ownsTarget(t, o.target, o.refuses)
		if got := replace(long); got != "ctrl+a, type "+long {
			t.Errorf("the owner %s: pressed %s", name, got)
		}
		if now, err := xproto.GetSelectionOwner(owner.c.X, owner.c.Atom("CLIPBOARD")).Reply(); err != nil || now.Owner != owner.window {
			t.Errorf("the owner %s, and lost the clipboard: %v", name, err)
		}
	}

	if err := b.Clear(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := replace(long); got != "ctrl+a, ctrl+v" {
		t.Errorf("with an empty clipboard: pressed %s", got)
	}
	if c, kinds, err := b.Read(t.Context()); err != nil || len(kinds) > 0 {
		t.Errorf("the clipboard was empty, and holds %+v, %v", c, err)
	}
}
