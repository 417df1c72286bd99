package intent

import (
	"fmt"
	"slices"
	"testing"
)

// Adjacent entities are both found, and an entity at the edge of the request is found completely.
func TestEntitiesSideBySide(t *testing.T) {
	for request, want := range map[string][]string{
		`{"a":1}`:       {`{"a":1}`},
		`5{"a":1}`:      {"5", `{"a":1}`},
		`{"a":1}5`:      {`{"a":1}`, "5"},
		"5. x":          {"5"},
		"5":             {"5"},
		"1 2 3":         {"1", "2", "3"},
		"1,000,000":     {"1000000"},
		"see a.txt?":    {"a.txt"},
		"say 'hi?'":     {"hi?"},
		"'a' 'b'":       {"a", "b"},
		"/tmp/a; go":    {"/tmp/a"},
		"a@b.org, /x/y": {"a@b.org", "/x/y"},
	} {
		var got []string
		for _, e := range entities(request) {
			got = append(got, e.text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q has %q, want %q", request, fmt.Sprint(got), fmt.Sprint(want))
		}
	}
}
