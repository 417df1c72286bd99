package exact

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

func TestEncodeWritesNoEscapesForBrowsers(t *testing.T) {
	for _, tt := range []struct {
		value any
		want  string
	}{
		{"a <b> & c", `"a <b> & c"`},
		{map[string]any{"a&b": []any{"<", `\u003c`}}, `{"a&b":["<","\\u003c"]}`},
		{json.RawMessage(`{"html": "\u003Cb\u003e \u0026 \\u0026 \\\u0026 \u00e9 \n"}`), `{"html":"<b> & \\u0026 \\& \u00e9 \n"}`},
		{json.RawMessage(`1.0`), `1.0`},
	} {
		got, err := Encode(tt.value)
		if err != nil || string(got) != tt.want {
			t.Errorf("%v: %s, %v, want %s", tt.value, got, err, tt.want)
		}
	}
	if _, err := Encode(make(chan int)); err == nil {
		t.Error("a channel was encoded")
	}
	if got := String([]any{"<", math.Inf(1)}); got != "[< +Inf]" {
		t.Errorf("the text of what JSON does not have is %s", got)
	}
	if got := String([]any{"<"}); got != `["<"]` {
		t.Errorf("the text is %s", got)
	}
}

// A text is decoded unchanged, even if another encoder has escaped it before.
func TestEncodeKeepsTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune("<>&\\u0036ceé\"n\n/"))).Draw(t, "text")
		var v any = text
		if rapid.Bool().Draw(t, "raw") {
			data, err := json.Marshal(text)
			if err != nil {
				t.Fatal(err)
			}
			v = json.RawMessage(data)
		}
		data, err := Encode(v)
		if err != nil {
			t.Fatal(err)
		}
		var back string
		if err := json.Unmarshal(data, &back); err != nil || !reflect.DeepEqual(back, text) {
			t.Fatalf("%q became %s, which reads %q (%v)", text, data, back, err)
		}
	})
}
