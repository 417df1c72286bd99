package fields

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"pgregory.net/rapid"
)

// The long content of write_file stood before the path.
func TestArgumentsAreInTheOrderOfTheForm(t *testing.T) {
	args := map[string]any{"content": "a", "path": "b", "append": true, "zone": 1}
	list := map[string]any{"required": []any{"path", "content", "content", "mode", 1}}
	for _, r := range []struct {
		schema any
		want   string
	}{
		{list, "[path content append zone]"},
		{&jsonschema.Schema{Required: []string{"path"}}, "[path append content zone]"},
		{nil, "[append content path zone]"},
		{func() {}, "[append content path zone]"},
		{map[string]any{"required": "path"}, "[append content path zone]"},
	} {
		if got := fmt.Sprint(Order(r.schema, args)); got != r.want {
			t.Errorf("%v: %s, want %s", r.schema, got, r.want)
		}
	}
}

// No schema hides an argument or shows one twice.
func TestOrderNamesEachArgumentOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		args := rapid.MapOf(rapid.StringN(0, 2, -1), rapid.Just[any](1)).Draw(t, "args")
		var required []any
		for _, n := range rapid.SliceOf(rapid.StringN(0, 2, -1)).Draw(t, "required") {
			required = append(required, n)
		}
		got := Order(map[string]any{"required": required}, args)
		if slices.Sort(got); !slices.Equal(got, slices.Sorted(maps.Keys(args))) {
			t.Errorf("%q of %v", got, args)
		}
	})
}
