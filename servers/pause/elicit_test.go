package pause

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/servers/pause/dialog"
)

// A form contains all texts of a dialog: descriptions, groups, tags, both labels and the warning.
func TestFormHasTheWordsOfTheDialog(t *testing.T) {
	options := `"options":[{"label":"Red","value":"r","group":"Warm","description":"Like fire","tags":["loud"]},{"label":"Blue","value":"b","group":"Cold"},{"label":"Pink","value":"p","group":"Warm"},{"label":"Grey","value":"g"}]`
	for kind, tt := range map[dialog.Kind]struct {
		arguments string
		want      []string
	}{
		dialog.KindMultiChoice:  {`{"question":"Which?","description":"Take two.",` + options + `}`, []string{"Take two.", `"Grey"`, `"Warm: Red – Like fire #loud"`, `"Warm: Pink"`, `"Cold: Blue"`}},
		dialog.KindSingleChoice: {`{"question":"Which?","description":"Take one.",` + options + `}`, []string{"Take one.", `"Warm: Red – Like fire #loud"`}},
		dialog.KindPlanner:      {`{"decision_context":"Which?","plan":"Paint",` + options + `}`, []string{"Paint", "– Like fire"}},
		dialog.KindTextInput:    {`{"question":"Which?","description":"A name.","placeholder":"Teal"}`, []string{"A name.", `"Teal"`}},
		dialog.KindConfirm:      {`{"question":"Delete?","description":"All of it.","isDangerous":true,"yesLabel":"Delete","noLabel":"Keep"}`, []string{"All of it.", "Warning: this cannot be undone.", `"On: Delete. Off: Keep."`}},
	} {
		q, err := dialog.Parse(kind, json.RawMessage(tt.arguments))
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(request(q, false))
		if err != nil {
			t.Fatal(err)
		}
		from := 0
		for _, want := range tt.want { // options of a group are adjacent
			i := strings.Index(string(text)[from:], want)
			if i < 0 && kind == dialog.KindMultiChoice || !strings.Contains(string(text), want) {
				t.Errorf("%s: %s is missing, or too early, in %s", kind, want, text)
				continue
			}
			from += max(i, 0)
		}
	}
	q, err := dialog.Parse(dialog.KindConfirm, json.RawMessage(`{"question":"Send?","warning":"Everybody reads it."}`))
	if err != nil {
		t.Fatal(err)
	}
	if message, _ := describe(q); !strings.Contains(message, "Warning: Everybody reads it.") {
		t.Errorf("the form says %q", message)
	}
}

// Each field in the planner's form was called "Option".
func TestFieldsOfThePlannersForm(t *testing.T) {
	q, err := dialog.Parse(dialog.KindPlanner, json.RawMessage(`{"decision_context":"Which?","options":[{"label":"Red","value":"r"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	_, f := describe(q)
	var titles []string
	for _, name := range f.names {
		titles = append(titles, fmt.Sprint(f.properties[name]["title"]))
	}
	if got := strings.Join(titles, ", "); got != "Option, Or write what to do, Thinking, Then" {
		t.Errorf("the fields are %s", got)
	}
}

// A form with options accepts an answer in the user's own words, like "Switch to text" in goated's
// window. Every answer fits the form's schema.
func TestFormTakesOwnWords(t *testing.T) {
	const options = `"options":[{"label":"Red","value":"r"},{"label":"Blue","value":"own_words"}]`
	for name, tt := range map[string]struct {
		tool, arguments string
		content         map[string]any
		want, not       string
	}{
		"the option for it":           {"single_choice", `{"question":"Which?",` + options + `}`, map[string]any{"choice": "own_words_", "text": " neither "}, `"status":"text","text":"neither"`, `"choice"`},
		"an option and a text":        {"single_choice", `{"question":"Which?",` + options + `}`, map[string]any{"choice": "r", "text": "a darker red"}, `"status":"text","text":"a darker red"`, `"choice"`},
		"an option":                   {"single_choice", `{"question":"Which?",` + options + `}`, map[string]any{"choice": "own_words", "text": " "}, `"choice":"own_words"`, `"text"`},
		"the option without a text":   {"single_choice", `{"question":"Which?",` + options + `}`, map[string]any{"choice": "own_words_"}, `write an answer`, `"choice"`},
		"several and a text":          {"multi_choice", `{"question":"Which?","minSelections":2,` + options + `}`, map[string]any{"choices": []any{"own_words_"}, "text": "all but red"}, `"status":"text","text":"all but red"`, `"choices"`},
		"several":                     {"multi_choice", `{"question":"Which?","minSelections":2,` + options + `}`, map[string]any{"choices": []any{"r", "own_words"}}, `"choices":["r","own_words"]`, `"text"`},
		"too few of several":          {"multi_choice", `{"question":"Which?","minSelections":2,` + options + `}`, map[string]any{"choices": []any{"r"}}, `"status":"error"`, `"choices"`},
		"no option at all and a text": {"multi_choice", `{"question":"Which?","allowEmpty":true,` + options + `}`, map[string]any{"text": "none"}, `"status":"text","text":"none"`, `"choices"`},
	} {
		t.Run(name, func(t *testing.T) {
			s := connect(t, Options{}, elicits(func(*mcp.ElicitParams) *mcp.ElicitResult {
				return &mcp.ElicitResult{Action: "accept", Content: tt.content}
			}))
			if _, text := call(t, s, tt.tool, tt.arguments); !strings.Contains(strings.ReplaceAll(text, ": ", ":"), tt.want) || strings.Contains(text, tt.not) {
				t.Errorf("the model gets %s", text)
			}
		})
	}
}

// After the user said no to something dangerous, the model read "Go on with the user's answer."
func TestNoToADangerousQuestion(t *testing.T) {
	for arguments, want := range map[string]string{
		`{"question":"Delete all?","isDangerous":true}`: `"instruction":"The user said no. Do not do it."`,
		`{"question":"Is it green?"}`:                   `"instruction":"The user said no. Go on with that answer."`,
	} {
		s := connect(t, Options{}, elicits(func(*mcp.ElicitParams) *mcp.ElicitResult {
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"confirmed": false}}
		}))
		if r, text := call(t, s, "confirm", arguments); r.IsError || !strings.Contains(text, want) {
			t.Errorf("%s: %s", arguments, text)
		}
	}
}

// If an answer was too long, the model got an error about a schema, because in the older protocol
// the SDK checks the answer.
func TestAnswerThatIsTooLong(t *testing.T) {
	said := `multi-round-trip: fulfilling input request "answer": elicitation result content does not match requested schema: validating root: validating /properties/text: `
	if err := invalidAnswerError(errors.New(said + `maxLength: "nine char" contains 9 Unicode code points, more than 3`)); err.Error() != "The answer has 9 characters; at most 3 are allowed." {
		t.Error(err)
	}
	if err := invalidAnswerError(errors.New(said + `type: 7 has type "integer"`)); strings.Contains(err.Error(), "multi-round-trip") || !strings.Contains(err.Error(), "type: 7") {
		t.Error(err)
	}
	s := connect(t, Options{}, elicits(nil))
	r, err := s.CallTool(t.Context(), &mcp.CallToolParams{
		Name: "text_input", Arguments: json.RawMessage(`{"question":"Code?","maxLength":3}`),
		InputResponses: mcp.InputResponseMap{inputID: &mcp.ElicitResult{Action: "accept", Content: map[string]any{"text": "nine char"}}},
	})
	if err != nil || !r.IsError || !strings.Contains(r.Content[0].(*mcp.TextContent).Text, "the answer has 9 characters; at most 3 are allowed") {
		t.Errorf("%+v, %v", r, err)
	}
}
