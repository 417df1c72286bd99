package desktop

import (
	"strings"
	"testing"
)

// An empty text clears an element, and is no text to type. A model that fills in every argument used
// to get the error of the empty text, and the key was not pressed.
func TestAnEmptyTextIsTypedOnlyIntoAnElement(t *testing.T) {
	f := newFake(t)
	s := connect(t, Options{Getenv: f.environ}, nil)
	text, _, failed := do(t, s, "type", `{"text":"","key":"return"}`)
	if got := f.last("CreateInput"); failed || !strings.Contains(got, `"press_key":{"key":"return"}`) || strings.Contains(text, "typed") {
		t.Errorf("sends %s: %s", got, text)
	}
	text, _, failed = do(t, s, "type", `{"text":"","element":"12:e"}`)
	if got := f.last("WriteElementValue"); failed || got != `{"element_id":"the element_id","parent":"applications/12"}` {
		t.Errorf("sends %s: %s", got, text)
	}
	for args, want := range map[string]string{
		`{"text":""}`:              "ass text, or key, or both",
		`{"text":"x","seconds":2}`: "seconds needs key",
	} {
		if text, _, failed := do(t, s, "type", args); !failed || !strings.Contains(text, want) {
			t.Errorf("%s answers %q, without %q", args, text, want)
		}
		if got := f.last("CreateInput"); got != "no request" {
			t.Errorf("%s sends %s", args, got)
		}
	}
}
