package adding

import (
	"io"
	"strings"
	"testing"
)

// A server that the user names twice is imported once.
func TestEachServerIsChosenOnce(t *testing.T) {
	list := []Importable{{}, {}, {}}
	for i, name := range []string{"one", "two", "three"} {
		list[i].Name = name
	}
	called := func(chosen []Importable) string {
		var names []string
		for _, c := range chosen {
			names = append(names, c.Name)
		}
		return strings.Join(names, " ")
	}
	for answer, want := range map[string]string{"1 1": "one", "3,1,3": "three one", "all": "one two three", "none": "", "": ""} {
		if chosen, err := picked(answer, list); err != nil || called(chosen) != want {
			t.Errorf("%q chooses %q, want %q: %v", answer, called(chosen), want, err)
		}
	}
	term := Terminal{Out: io.Discard, Aside: io.Discard}
	if chosen, err := term.Choose(t.Context(), list, false, []string{"two", "TWO", "one"}); err != nil || called(chosen) != "two one" {
		t.Errorf("the names choose %q: %v", called(chosen), err)
	}
}
