package properties_test

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"pgregory.net/rapid"

	"goated/agent"
	"goated/ui/view"
)

// read decodes the one JSON value in text and keeps all digits.
func read(text string) (v any, ok bool) {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	return v, dec.Decode(&v) == nil && !dec.More()
}

// Property 4: "For any tool execution with arguments and results, the Tool
// Execution UI SHALL display both the arguments and results in a formatted,
// parseable representation that preserves all data."
func TestProperty4FormatJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := jsonValues(exactNumbers(), 3).Draw(t, "value")
		text := view.FormatJSON(v)
		if back, ok := read(text); !ok || !reflect.DeepEqual(back, v) {
			t.Fatalf("%#v is shown as\n%s\nwhich is %#v", v, text, back)
		}
	})
}

// Property 4, for results: a result that consists of texts shows each text. Any other result shows
// its JSON.
func TestProperty4FormatResult(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		if r := results().Draw(t, "result"); !isFormatted(r) {
			t.Fatalf("%s\nis shown as\n%s", marshalled(r), view.FormatResult(r))
		}
	})
}

// A text that repeats the structured content may stand beside other texts.
func TestFormatResultBesideOtherTexts(t *testing.T) {
	for _, texts := range [][]string{{"[]", ""}, {"", "[]"}, {"There are none.", "[]"}} {
		r := &mcp.CallToolResult{StructuredContent: []any{}}
		for _, text := range texts {
			r.Content = append(r.Content, &mcp.TextContent{Text: text})
		}
		if text := view.FormatResult(r); text != strings.Join(texts, "\n") || !isFormatted(r) {
			t.Errorf("%s\nis shown as\n%s", marshalled(r), text)
		}
	}
}

// isFormatted reports whether FormatResult loses nothing of a result: it returns the whole result as
// JSON, or the texts of a result that has nothing else.
func isFormatted(r *mcp.CallToolResult) bool {
	text := view.FormatResult(r)
	want, _ := read(marshalled(r))
	if got, ok := read(text); ok && reflect.DeepEqual(got, want) {
		return true
	}
	said, alone := saidAlone(r)
	return alone && consists(text, said)
}

// marshalled returns a result as JSON.
func marshalled(r *mcp.CallToolResult) string {
	data, err := json.Marshal(r)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// saidAlone returns the texts of a result that contains only texts. It ignores isError, which the
// card shows, see below.
func saidAlone(r *mcp.CallToolResult) (said []string, alone bool) {
	for _, c := range r.Content {
		t, ok := c.(*mcp.TextContent)
		if !ok || t.Annotations != nil || len(t.Meta) > 0 {
			return nil, false
		}
		said = append(said, t.Text)
	}
	for name := range r.Meta {
		if !strings.HasPrefix(name, protocolMeta) {
			return nil, false
		}
	}
	if len(said) == 0 {
		return nil, false
	}
	if r.StructuredContent == nil {
		return said, true
	}
	// The texts may repeat the structure, or the only value that an SDK wraps in it: one of the texts
	// with its JSON or the string itself, or one text for each item of a list.
	structured, _ := json.Marshal(r.StructuredContent)
	whole, _ := read(string(structured))
	values := []any{whole}
	if m, ok := whole.(map[string]any); ok && len(m) == 1 {
		values = slices.AppendSeq(values, maps.Values(m))
	}
	return said, slices.ContainsFunc(values, func(v any) bool {
		list, ok := v.([]any)
		one := slices.ContainsFunc(said, func(text string) bool { return repeats(text, v) })
		return one || ok && len(list) > 0 && (slices.EqualFunc(said, list, repeats) || slices.EqualFunc(withoutBlank(said), list, repeats))
	})
}

// withoutBlank returns the texts that are not blank.
func withoutBlank(texts []string) []string {
	return slices.DeleteFunc(slices.Clone(texts), func(text string) bool { return strings.TrimSpace(text) == "" })
}

// repeats reports whether a text contains a value, either plain or as JSON.
func repeats(text string, v any) bool {
	spoken, isJSON := read(text)
	return v == any(text) || isJSON && sameNumbers(spoken, v)
}

// sameNumbers compares numbers as float64, because the SDK converts the numbers in structured
// content to that.
func sameNumbers(a, b any) bool {
	var x, y any
	p, _ := json.Marshal(a)
	q, _ := json.Marshal(b)
	return json.Unmarshal(p, &x) == nil && json.Unmarshal(q, &y) == nil && reflect.DeepEqual(x, y)
}

// consists reports whether text contains the texts in order, each on separate lines, either
// unchanged or as equal JSON.
func consists(text string, said []string) bool {
	then := func(rest string) bool {
		if len(said) == 1 {
			return rest == ""
		}
		rest, ok := strings.CutPrefix(rest, "\n")
		return ok && consists(rest, said[1:])
	}
	if rest, ok := strings.CutPrefix(text, said[0]); ok && then(rest) {
		return true
	}
	want, isJSON := read(said[0])
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var got any
	return isJSON && dec.Decode(&got) == nil && reflect.DeepEqual(got, want) && then(text[dec.InputOffset():])
}

// Property 4, on the card: the arguments parse to the same value, the result looks as formatted,
// and an error looks like an error.
func TestProperty4Card(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		args := jsonObjects(exactNumbers()).Draw(t, "args")
		result := results().Draw(t, "result")
		chat := view.Chat{}.
			Apply(agent.ToolCalled{ID: "1", Name: "box__x", Server: "box", Tool: "x", Args: args}).
			Apply(agent.ToolDecided{ID: "1", Decision: agent.AllowOnce}).
			Apply(agent.ToolReturned{ID: "1", Result: result})
		card := chat.At(0).(view.Card)
		if back, ok := read(card.Arguments); !ok || !reflect.DeepEqual(back, any(args)) {
			t.Fatalf("%#v is shown as\n%s", args, card.Arguments)
		}
		if card.Result != view.FormatResult(result) {
			t.Fatalf("the card shows\n%s\nof\n%s", card.Result, view.FormatResult(result))
		}
		if failed := card.Status == view.Failed && card.Error != ""; failed != result.IsError {
			t.Fatalf("isError is %v, the card says %s %q", result.IsError, card.Status, card.Error)
		}
	})
}
