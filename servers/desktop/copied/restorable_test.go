package copied

import "testing"

// A long text is pasted only if a single write can restore the clipboard. After a paste, a copied
// table used to be plain text.
func TestOnlyPlainTextIsGivenBack(t *testing.T) {
	for _, c := range []struct {
		kinds []Kind
		want  bool
	}{
		{nil, true},
		{[]Kind{Text}, true},
		{[]Kind{Text, HTML}, false},
		{[]Kind{Text, RTF}, false},
		{[]Kind{Image}, false},
		{[]Kind{Files, Text}, false},
	} {
		if got := Restorable(c.kinds); got != c.want {
			t.Errorf("%v: %t", c.kinds, got)
		}
	}
}
