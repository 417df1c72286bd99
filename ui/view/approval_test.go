package view

import (
	"encoding/json"
	"reflect"
	"testing"
)

// A closing bracket after the value was ignored, so the call ran with another value than the user
// had typed.
func TestAnEditedArgumentIsOneJSONValue(t *testing.T) {
	for typed, want := range map[string]any{
		`5`:        json.Number("5"),
		` [1, 2] `: []any{json.Number("1"), json.Number("2")},
		`{"a":1}}`: nil,
		`5]`:       nil,
		`5 6`:      nil,
		`[1`:       nil,
	} {
		got, err := EditArgument(json.Number("1"), typed)
		if (err == nil) != (want != nil) || !reflect.DeepEqual(got, want) {
			t.Errorf("%s becomes %v, %v", typed, got, err)
		}
	}
	if got, err := EditArgument("text", "a]"); got != "a]" || err != nil {
		t.Errorf("a text becomes %v, %v", got, err)
	}
}
