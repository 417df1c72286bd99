package backend

import (
	"testing"

	"goated/servers/desktop/copied"
)

// A long text is pasted only if one write gives the clipboard back: after a paste, a copied
// table was plain text.
func TestOnlyPlainTextIsGivenBack(t *testing.T) {
	for _, c := range []struct {
		kinds []copied.Kind
		want  bool
	}{
		{nil, true},
		{[]copied.Kind{copied.Text}, true},
		{[]copied.Kind{copied.Text, copied.HTML}, false},
		{[]copied.Kind{copied.Text, copied.RTF}, false},
		{[]copied.Kind{copied.Image}, false},
		{[]copied.Kind{copied.Files, copied.Text}, false},
	} {
		if got := restorable(c.kinds); got != c.want {
			t.Errorf("%v: %t", c.kinds, got)
		}
	}
}
