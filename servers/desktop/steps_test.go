package desktop

import (
	"strings"
	"testing"
)

// Steps accept the arguments that their description and the other tools suggest. A scroll step used
// to take its amounts as to_x and to_y, and a list in over was lost.
func TestStepsTakeWhatTheirDescriptionSays(t *testing.T) {
	f := newFake(t)
	s := connect(t, Options{Getenv: f.environ}, nil)
	for steps, want := range map[string]string{
		`{"do":"scroll","x":5,"y":6,"dy":3}`:                                                           `{"input":{"scroll":{"position":{"x":5,"y":6},"vertical":3}}}`,
		`{"do":"scroll","dy":1,"seconds":2,"text":"","x":5,"y":6}`:                                     `{"input":{"scroll":{"duration":2,"position":{"x":5,"y":6},"vertical":1}}}`,
		`{"do":"type","text":"a","x":0,"element":""}`:                                                  `{"input":{"type_text":{"text":"a"}}}`,
		`{"do":"scroll","dx":-2}`:                                                                      `{"input":{"scroll":{"horizontal":-2}}}`,
		`{"do":"drag","x":1,"y":2,"to_x":3,"to_y":4,"button":"middle"}`:                                `{"input":{"drag":{"button":"CLICK_TYPE_MIDDLE","end_position":{"x":3,"y":4},"start_position":{"x":1,"y":2}}}}`,
		`{"do":"key","key":5}`:                                                                         `{"input":{"press_key":{"key":"5"}}}`,
		`{"do":"call","value":"FindRegionElements","region":{"x":1}}`:                                  `{"method_call":{"args":{"region":"{\"x\":1}"},"method":"FindRegionElements"}}`,
		`{"do":"for_each","variable":"v","over":["a,b","c"]},{"do":"type","text":"${v}"},{"do":"end"}`: `"foreach":{"item_variable":"v","values":"[\"a,b\",\"c\"]"}`,
	} {
		text, _, failed := do(t, s, "run", `{"steps":[`+steps+`]}`)
		if got := f.last("CreateMacro"); failed || !strings.Contains(got, want) {
			t.Errorf("%s sends\n%s, want\n%s: %s", steps, got, want, text)
		}
	}
	for steps, want := range map[string]string{
		`{"do":"write","element":"OK","value":"x"}`:                    "steps[0]: write does not take value. it takes element and text",
		`{"do":"click","x":1,"y":2,"text":"a"}`:                        "steps[0]: click does not take text. it takes x, y, button and count",
		`{"do":"if","condition":"a=b"},{"do":"end","text":"a"}`:        "steps[1]: end does not take text. it takes nothing else",
		`{"do":"type","text":"a"},{"do":"press","element":"OK"}`:       "app is missing: steps[1] looks for its element in an application",
		`{"do":"scroll","x":5,"y":6}`:                                  "steps[0]: scroll needs dx or dy",
		`{"do":"scroll","x":5,"dy":6}`:                                 "steps[0]: scroll needs y",
		`{"do":"for_each","variable":"v","over":{"a":1}},{"do":"end"}`: "steps[0]: over must be a text or a list",
	} {
		if text, _, failed := do(t, s, "run", `{"steps":[`+steps+`]}`); !failed || !strings.Contains(strings.ToLower(text), want) {
			t.Errorf("%s answers %q, without %q", steps, text, want)
		}
		if got := f.last("CreateMacro"); got != "no request" {
			t.Errorf("%s sends %s", steps, got)
		}
	}
}

// A step takes the ref of an element, which used to be taken for its text. A time is a text.
func TestAStepTakesARef(t *testing.T) {
	f := newFake(t)
	s := connect(t, Options{Getenv: f.environ}, nil)
	for element, want := range map[string]string{
		"12:e4":                       `{"args":{"element_id":"e4","parent":"applications/12"},"method":"ClickElement"}`,
		"[12:e4]":                     `{"args":{"element_id":"e4","parent":"applications/12"},"method":"ClickElement"}`,
		"applications/12/elements/e4": `{"args":{"element_id":"e4","parent":"applications/12"},"method":"ClickElement"}`,
		"12:30":                       `{"args":{"selector":"{\"text\":\"12:30\"}"},"method":"ClickElement"}`,
		"12: a word":                  `{"args":{"selector":"{\"text\":\"12: a word\"}"},"method":"ClickElement"}`,
	} {
		app := `,"app":"12"`
		if !strings.Contains(want, "selector") {
			app = ""
		}
		text, _, failed := do(t, s, "run", `{"steps":[{"do":"press","element":"`+element+`"}]`+app+`}`)
		if got := f.last("CreateMacro"); failed || !strings.Contains(got, want) {
			t.Errorf("%s sends\n%s, want\n%s: %s", element, got, want, text)
		}
	}
	if text, _, failed := do(t, s, "press", `{"element":"[12:e]"}`); failed || !strings.Contains(text, "12:") {
		t.Errorf("a ref as an answer shows it: %s", text)
	}
}
