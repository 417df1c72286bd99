package selector

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"pgregory.net/rapid"

	"goated/servers/desktop/element"
	"goated/servers/desktop/macosusesdk"
)

func TestShortForms(t *testing.T) {
	ok := &element.Element{Role: "push button", Name: "OK", Text: "OK", Attributes: map[string]string{"checked": "true"}, Placed: true, Bounds: element.Rect{X: 10, Y: 20, Width: 4, Height: 4}}
	for text, want := range map[string]bool{
		"OK": true, "role:button": true, "role:button AND text:OK": true, "role:button AND NOT text:OK": false, "text:No OR text:OK": true, "text:No OR role:button AND text:No": false,
		"text_contains:k": true, "text_regex:^O.$": true, "position:10,20,1": true, "position: 50, 20": false, "attribute.checked:true": true, "attribute.checked:false": false,
		"http://example.com": false, `{"compound":{"operator":"OPERATOR_NOT","selectors":[{"text":"No"}]}}`: true,
	} {
		pb, err := ParseText(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		s, err := Parse(pb)
		if err != nil || s.Fits(ok) != want {
			t.Errorf("%s: fits %v, %v", text, s.Fits(ok), err)
		}
	}
	for _, bad := range []string{"", "  ", "position:1", "position:1,2,3,4", "position:a,b", "{", `{"role":1}`} {
		if _, err := ParseText(bad); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}

func TestSelectorsOfTheProtocol(t *testing.T) {
	for text, good := range map[string]bool{
		`{}`: true, `{"text":""}`: true, `{"role":""}`: false, `{"textContains":""}`: false, `{"textRegex":"("}`: false, `{"position":{"tolerance":-1}}`: false,
		`{"attributes":{}}`: false, `{"compound":{"operator":"OPERATOR_AND"}}`: false, `{"compound":{"selectors":[{"role":"a"}]}}`: false,
		`{"compound":{"operator":"OPERATOR_NOT","selectors":[{"role":"a"},{"role":"b"}]}}`: false, `{"compound":{"operator":"OPERATOR_OR","selectors":[{},{"role":"b"}]}}`: true,
		strings.Repeat(`{"compound":{"operator":"OPERATOR_NOT","selectors":[`, 40) + "{}" + strings.Repeat(`]}}`, 40): false,
	} {
		pb := &macosusesdk.ElementSelector{}
		if err := protojson.Unmarshal([]byte(text), pb); err != nil {
			t.Fatal(err)
		}
		if _, err := Parse(pb); (err == nil) != good {
			t.Errorf("%.80s: %v", text, err)
		}
	}
	if s, err := Parse(nil); err != nil || !s.Fits(&element.Element{}) {
		t.Error("no selector does not fit everything", err)
	}
}

// No text makes the parser panic.
func TestAnyShortForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOf(rapid.SampledFrom([]string{"role:", "text", ":", " AND ", " OR ", "NOT ", "position:", "1,2", "attribute.", "{", "a"})).Draw(t, "words")
		if pb, err := ParseText(strings.Join(words, "")); err == nil {
			_, _ = Parse(pb)
		}
	})
}
