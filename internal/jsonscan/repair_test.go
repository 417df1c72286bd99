package jsonscan

import (
	"bytes"
	"testing"
)

// Repair agrees with the standard library, and respects its limit.
func TestRepair(t *testing.T) {
	for _, text := range []string{
		"", "a", "ö€😀", "\xff", "a\xffb", "\xff\xfea\xfd", "a\xe2\x82", "\xed\xa0\x80x", "\xf0\x9f\x98", "\xc0\x80", "a\uFFFDb\xff", "\xffa\xffb\xff",
	} {
		want := bytes.ToValidUTF8([]byte(text), []byte("\uFFFD"))
		if got := Repair([]byte(text), len(want)); !bytes.Equal(got, want) {
			t.Errorf("%q becomes %q, not %q", text, got, want)
		}
		if got := Repair([]byte(text), len(want)-1); len(want) > len(text) && got != nil {
			t.Errorf("%q becomes %q, which is too long", text, got)
		}
	}
}
