package fields

import (
	"encoding/json"
	"fmt"
	"testing"
)

// The user's input becomes a value of the schema, or a phrase that explains what is wrong.
func TestInputBecomesValues(t *testing.T) {
	colours := []Option{{"Red", "r"}, {"Green", "g"}, {"r", "odd"}}
	for _, test := range []struct {
		name    string
		field   Field
		input   string
		want    string // in Go syntax
		present bool
		wrong   string
	}{
		{"no text", Field{Label: "Name"}, "", "<nil>", false, ""},
		{"no required number", Field{Label: "Count", Kind: Integer, Required: true}, "", "<nil>", false, "Count is required"},
		{"a required value that may be null", Field{Label: "Count", Kind: Integer, Required: true, nullable: true}, "", "<nil>", true, ""},
		{"a required switch that is off", Field{Label: "Loud", Kind: Toggle, Required: true}, "", "false", true, ""},
		{"a switch", Field{Label: "Loud", Kind: Toggle}, " true ", "true", true, ""},
		{"a switch by the word of other questions", Field{Label: "Loud", Kind: Toggle}, "Yes", "true", true, ""},
		{"a switch by a letter", Field{Label: "Loud", Kind: Toggle}, "n", "false", true, ""},
		{"half a switch", Field{Label: "Loud", Kind: Toggle}, "maybe", "<nil>", false, "Loud must be true or false"},
		{"a choice by its label", Field{Label: "Colour", Kind: Choice, Choices: colours}, "Green", "g", true, ""},
		{"a choice by its value", Field{Label: "Colour", Kind: Choice, Choices: colours}, "g", "g", true, ""},
		{"a label that is another value", Field{Label: "Colour", Kind: Choice, Choices: colours}, "r", "odd", true, ""},
		{"an unknown choice", Field{Label: "Colour", Kind: Choice, Choices: colours}, "blue", "<nil>", false, "Colour must be one of Red, Green, r"},
		{"choices", Field{Label: "Colours", Kind: MultiChoice, Choices: colours}, "Red\n\n  Green \n", "[r g]", true, ""},
		{"no choices", Field{Label: "Colours", Kind: MultiChoice, Choices: colours}, "", "[]", false, ""},
		{"no required choices", Field{Label: "Colours", Kind: MultiChoice, Choices: colours, Required: true}, "\n", "[]", true, ""},
		{"one unknown choice of two", Field{Label: "Colours", Kind: MultiChoice, Choices: colours}, "Red\nblue", "<nil>", false, "Colours must be one of Red, Green, r"},
		{"a number", Field{Label: "Price", Kind: Number}, "12345678901234567890.10", "12345678901234567890.10", true, ""},
		{"a number without its zero", Field{Label: "Price", Kind: Number}, ".5", "0.5", true, ""},
		{"no number", Field{Label: "Price", Kind: Number}, "cheap", "<nil>", false, "Price must be a number"},
		{"not a number", Field{Label: "Price", Kind: Number}, "NaN", "<nil>", false, "Price must be a number"},
		{"an endless number", Field{Label: "Price", Kind: Number}, "-Inf", "<nil>", false, "Price must be a number"},
		{"a number beyond all floats", Field{Label: "Price", Kind: Number}, "0x1p99999", "<nil>", false, "Price must be a number"},
		{"half of a whole number", Field{Label: "Count", Kind: Integer}, "2.5", "<nil>", false, "Count must be a whole number"},
		{"a whole number with a fraction of zero", Field{Label: "Count", Kind: Integer}, "5.0", "5", true, ""},
	} {
		value, present, err := test.field.Parse(test.input)
		wrong := ""
		if err != nil {
			wrong = err.Error()
			value, present = nil, false
		}
		if got := fmt.Sprint(value); got != test.want || present != test.present || wrong != test.wrong {
			t.Errorf("%s: %s, %v, %q", test.name, got, present, wrong)
		}
	}
}

// A form did not show the default of a choice with titles as chosen, and dropped the value of an
// edited call.
func TestAChoiceIsFormattedAsItsLabel(t *testing.T) {
	list, err := FromSchema(json.RawMessage(`{"type":"object","properties":{"size":{"enum":["s","l"],"enumNames":["Small","s"],"default":"s"}}}`))
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	f := list[0]
	for value, label := range map[string]string{"s": "Small", "l": "s", "other": "other"} {
		if got := f.Format(value); got != label {
			t.Errorf("%s is formatted as %q", value, got)
		}
	}
	for _, value := range []string{"s", "l"} {
		if got, _, err := f.Parse(f.Format(value)); got != value || err != nil {
			t.Errorf("%s becomes %v, %v", value, got, err)
		}
	}
}
