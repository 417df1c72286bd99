package question

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"goated/agent"
)

// The terminal asked for JSON if a schema contains objects and lists. Now it asks for each member
// and item.
func TestFormAsksFieldByField(t *testing.T) {
	const schema = `{"type":"object","required":["name","address","tags","points"],"properties":{
		"name":{"type":"string"},
		"address":{"type":"object","required":["street"],"properties":{"street":{"type":"string"},"floor":{"type":"integer"},"zone":{"type":"object","properties":{"id":{"type":"integer"}}}}},
		"tags":{"type":"array","minItems":1,"items":{"type":"string"}},
		"points":{"type":"array","items":{"type":"object","required":["x"],"properties":{"x":{"type":"number"},"label":{"type":"string"}}}},
		"extra":{"type":"object","properties":{"a":{"type":"string"}}},
		"more":{"type":"array","items":{"type":"integer"}}}}`
	for name, tt := range map[string]struct {
		all     bool
		answers string // one per line
		want    string
		asked   []string
	}{
		"required": {false, "Ada\nMain St\n\nred\nblue\n\ny\n1.5\ny\n12345678901234567890\nn\n",
			`{"name":"Ada","address":{"street":"Main St"},"tags":["red","blue"],"points":[{"x":1.5},{"x":12345678901234567890}]}`,
			[]string{"name: ", "address › street: ", "tags must have at least 1 item.", "tags 2, Enter ends the list: ", "points 1, add it? [y/N] ", "points 1 › x: "}},
		"all": {true, "Ada\nMain St\nhigh\n3\ny\n7\nred\n\nn\n\n4\nx\n5\n\n",
			`{"name":"Ada","address":{"street":"Main St","floor":3,"zone":{"id":7}},"tags":["red"],"points":[],"more":[4,5]}`,
			[]string{"address › floor (optional): ", "floor must be a number.", "address › zone (optional), fill it in? [y/N] ", "address › zone › id (optional): ", "extra (optional), fill it in? [y/N] "}},
	} {
		t.Run(name, func(t *testing.T) {
			rest := strings.Split(tt.answers, "\n")
			var seen strings.Builder
			q := Form{Say: func(line string) { seen.WriteString(line + "\n") }, Ask: func(prompt string, _ bool) (string, error) {
				seen.WriteString(prompt + "\n")
				if len(rest) == 0 {
					return "", io.EOF
				}
				answer := rest[0]
				rest = rest[1:]
				return answer, nil
			}}
			values := make(map[string]any)
			if err := q.Fill(json.RawMessage(schema), values, tt.all); err != nil {
				t.Fatalf("%v\n%s", err, seen.String())
			}
			got, err := json.Marshal(values)
			if err != nil {
				t.Fatal(err)
			}
			var a, b any
			if json.Unmarshal(got, &a) != nil || json.Unmarshal([]byte(tt.want), &b) != nil {
				t.Fatal(string(got))
			}
			x, _ := json.Marshal(a) // both come from JSON
			y, _ := json.Marshal(b)
			if string(x) != string(y) || strings.Contains(tt.want, "890") && !strings.Contains(string(got), "12345678901234567890") {
				t.Errorf("filled %s, want %s\n%s", got, tt.want, seen.String())
			}
			for _, line := range tt.asked {
				if !strings.Contains(seen.String(), line) {
					t.Errorf("it did not say %q:\n%s", line, seen.String())
				}
			}
		})
	}
	q := Form{Say: func(string) {}, Ask: func(string, bool) (string, error) { return "", io.EOF }}
	if err := q.Fill(json.RawMessage(schema), map[string]any{}, false); !errors.Is(err, agent.ErrDeclined) {
		t.Errorf("at the end of the input: %v", err)
	}
}

// The terminal required the exact text of an option, and the word true. Now it accepts the number
// of an option, and y.
func TestFormTakesNumbersAndYes(t *testing.T) {
	const schema = `{"type":"object","required":["one","two","many","sure","year"],"properties":{
		"one":{"type":"string","enum":["a","b"],"enumNames":["A – first","B"]},
		"two":{"type":"string","enum":["a","b"]},
		"many":{"type":"array","items":{"type":"string","enum":["x","y","z"],"enumNames":["X, the first","Y","Z"]}},
		"sure":{"type":"boolean","default":false},
		"year":{"type":"integer","enum":[3,2,1]}}}`
	for answers, want := range map[string]string{
		"1\nb\n1, 3\ny\n3":            `{"many":["x","z"],"one":"a","sure":true,"two":"b","year":3}`,
		"7\n2\n2\nX, the first\n\n1":  `{"many":["x"],"one":"b","sure":false,"two":"b","year":1}`,
		"A – first\n1\ny\nno\ntwo\n2": `{"many":["y"],"one":"a","sure":false,"two":"a","year":2}`,
	} {
		rest := strings.Split(answers, "\n")
		var seen strings.Builder
		q := Form{Say: func(line string) { seen.WriteString(line + "\n") }, Ask: func(prompt string, _ bool) (string, error) {
			seen.WriteString(prompt + "\n")
			if len(rest) == 0 {
				return "", io.EOF
			}
			answer := rest[0]
			rest = rest[1:]
			return answer, nil
		}}
		values := make(map[string]any)
		err := q.Fill(json.RawMessage(schema), values, true)
		if got, _ := json.Marshal(values); err != nil || string(got) != want || len(rest) != 0 {
			t.Errorf("%q: %s, %v, want %s\n%s", answers, got, err, want, seen.String())
		}
		for _, line := range []string{"  1. A – first\n", "one (number 1 to 2): ", "many (numbers 1 to 3 with commas): ", "sure (y or n; default n): "} {
			if !strings.Contains(seen.String(), line) {
				t.Errorf("it did not say %q:\n%s", line, seen.String())
			}
		}
	}
}
