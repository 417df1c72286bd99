package fields

import (
	"encoding/json"
	"testing"
)

// A number field accepts its bounds and rejects the next numbers outside them.
func TestNumberFieldsCheckBounds(t *testing.T) {
	list, err := FromSchema(map[string]any{"properties": map[string]any{
		"share": map[string]any{"type": "number", "minimum": 0.5, "maximum": 1.5},
		"count": map[string]any{"type": "integer", "minimum": -2, "maximum": 3},
		"free":  map[string]any{"type": "number"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	field := make(map[string]Field)
	for _, f := range list {
		field[f.Name] = f
	}
	for _, tt := range []struct {
		name, input string
		want        json.Number
		says        string // the expected error; "" if the field accepts the number
	}{
		{"share", "0.5", "0.5", ""},
		{"share", "1.5", "1.5", ""},
		{"share", "0.49", "", "share must be at least 0.5"},
		{"share", "1.51", "", "share must be at most 1.5"},
		{"count", "-2", "-2", ""},
		{"count", "3", "3", ""},
		{"count", "-3", "", "count must be at least -2"},
		{"count", "4", "", "count must be at most 3"},
		{"free", "-1e300", "-1e300", ""},
		{"free", "1234567890123456789012345.10", "1234567890123456789012345.10", ""},
		{"free", ".5", "0.5", ""},
		{"free", "1e99999999999", "", "free must be a number"},
		{"count", "2.0", "2", ""},
		{"count", "2.00000000000000000000001", "", "count must be a whole number"},
		{"count", "3.00000000000000000000001", "", "count must be a whole number"},
	} {
		value, present, err := field[tt.name].Parse(tt.input)
		if tt.says == "" {
			if err != nil || !present || value != tt.want {
				t.Errorf("%s: Parse(%s) = %v, %t, %v; want %v, true, nil", tt.name, tt.input, value, present, err, tt.want)
			}
			continue
		}
		if err == nil || err.Error() != tt.says || present {
			t.Errorf("%s: Parse(%s) error = %v, want %q", tt.name, tt.input, err, tt.says)
		}
	}
}
