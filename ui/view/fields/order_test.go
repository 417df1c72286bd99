package fields

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"pgregory.net/rapid"
)

// The long content of write_file came before the path.
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

// The order of members in the text of a schema is kept, at each depth and behind references.
func TestFormsHaveTheOrderOfTheText(t *testing.T) {
	const text = `{"required":["z"],"properties":{"m":{"type":"string"},"a":{"$ref":"#/$defs/pair"},"z":{"type":"string"}},
		"$defs":{"pair":{"type":"object","properties":{"y":{"type":"string"},"b":{"type":"string"}}}}}`
	var decoded map[string]any
	if err := json.Unmarshal([]byte(text), &decoded); err != nil {
		t.Fatal(err)
	}
	for _, r := range []struct {
		schema any
		want   string
	}{
		{json.RawMessage(text), "m a(y b) z"},
		{decoded, "z a(b y) m"},
		{json.RawMessage(`{"properties":{"b":1,"a":{},"b":{"type":"object","properties":{"d":{},"c":{}}}}}`), "b(d c) a"},
	} {
		list, err := FromSchema(r.schema)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, f := range list {
			name := f.Name
			if len(f.Members) > 0 {
				name += "(" + f.Members[0].Name + " " + f.Members[1].Name + ")"
			}
			names = append(names, name)
		}
		if got := strings.Join(names, " "); got != r.want {
			t.Errorf("%s: %s, want %s", r.schema, got, r.want)
		}
	}
}
