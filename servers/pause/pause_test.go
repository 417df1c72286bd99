package pause

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/state"
	"goated/internal/waittest"
	"goated/servers/pause/dialog"
)

// questions contains a call of each dialog tool, with an answer that fits.
var questions = map[dialog.Kind]struct {
	arguments string
	answer    dialog.Answer
	content   map[string]any // the same answer as the content of an elicitation result
	want      string         // part of the result
}{
	dialog.KindPlanner: {`{"decision_context":"How to begin?","visual_output":"## State","plan":"1. API","options":[{"label":"API first","value":"api"},{"label":"UI first","value":"ui"}]}`,
		dialog.Answer{Choice: "api", ThinkingMode: dialog.Ultra, Action: dialog.Plan, Context: "small steps"},
		map[string]any{"choice": "api", "thinkingMode": "ultra", "action": "plan", "additionalContext": "small steps"},
		`"choice":"api","label":"API first","thinkingMode":"ultra","action":"plan","additionalContext":"small steps","instruction":"Think as thoroughly`},
	dialog.KindTextInput:    {`{"question":"Name?","maxLength":10}`, dialog.Answer{Text: "Ada"}, map[string]any{"text": "Ada"}, `"text":"Ada"`},
	dialog.KindSingleChoice: {`{"question":"Which?","options":[{"label":"A"},{"label":"B"}]}`, dialog.Answer{Choice: "B"}, map[string]any{"choice": "B"}, `"choice":"B","label":"B"`},
	dialog.KindMultiChoice:  {`{"question":"Which?","minSelections":1,"options":[{"label":"A","value":"a"},{"label":"B","value":"b"}]}`, dialog.Answer{Choices: []string{"a", "b"}}, map[string]any{"choices": []any{"a", "b"}}, `"choices":["a","b"]`},
	dialog.KindScreenshot:   {`{"question":"Show me"}`, dialog.Answer{Attachments: []dialog.Attachment{{Name: "s.png", Type: "image/png", Data: []byte("png")}}, Context: "here"}, nil, `"attachments":[{"name":"s.png","type":"image/png","bytes":3}]`},
	dialog.KindConfirm:      {`{"question":"Delete all?","isDangerous":true}`, dialog.Answer{Confirmed: new(bool)}, map[string]any{"confirmed": false}, `"confirmed":false`},
}

type askFunc func(context.Context, dialog.Caller, dialog.Question) (dialog.Answer, error)

func (f askFunc) Ask(ctx context.Context, c dialog.Caller, q dialog.Question) (dialog.Answer, error) {
	return f(ctx, c, q)
}

// connect connects a client to the server, in memory.
func connect(t *testing.T, o Options, client *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	if o.Data == "" {
		o.Data = t.TempDir()
	}
	o.Log = slog.New(slog.DiscardHandler)
	here, there := mcp.NewInMemoryTransports()
	server, err := New(o).Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "editor", Version: "1"}, client).Connect(t.Context(), there, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close(); waittest.Return(t, "the server ends", func() { _ = server.Wait() }) })
	return session
}

func call(t *testing.T, s *mcp.ClientSession, name, arguments string) (*mcp.CallToolResult, string) {
	t.Helper()
	r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: json.RawMessage(arguments)})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	text := r.Content[0].(*mcp.TextContent).Text
	if !json.Valid([]byte(text)) {
		t.Errorf("%s returns no JSON: %s", name, text)
	}
	var fromText any
	_ = json.Unmarshal([]byte(text), &fromText)
	if r.StructuredContent != nil && !reflect.DeepEqual(fromText, r.StructuredContent) {
		t.Errorf("%s returns %s as text and %v as structured content", name, text, r.StructuredContent)
	}
	return r, text
}

func elicits(answer func(*mcp.ElicitParams) *mcp.ElicitResult) *mcp.ClientOptions {
	return &mcp.ClientOptions{ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		return answer(r.Params), nil
	}}
}

// Each dialog returns the same result by elicitation, by a client that shows the dialogs itself,
// and through the socket.
func TestThreeWaysToTheUser(t *testing.T) {
	for kind, tt := range questions {
		t.Run(string(kind), func(t *testing.T) {
			throughSocket := connect(t, Options{Socket: askFunc(func(_ context.Context, c dialog.Caller, q dialog.Question) (dialog.Answer, error) {
				if c.Name != "editor" || q.Kind() != kind {
					t.Errorf("%+v asks %s", c, q.Kind())
				}
				return tt.answer, nil
			})}, nil)
			ways := map[string]*mcp.ClientSession{"socket": throughSocket}
			rich := elicits(func(p *mcp.ElicitParams) *mcp.ElicitResult {
				text, _ := json.Marshal(p.Meta[Extension])
				var sent struct {
					Kind     dialog.Kind
					Question json.RawMessage
				}
				if err := json.Unmarshal(text, &sent); err != nil || sent.Kind != kind {
					t.Errorf("the client gets %s", text)
				}
				if _, err := dialog.Parse(sent.Kind, sent.Question); err != nil {
					t.Errorf("the client gets %s: %v", text, err)
				}
				return &mcp.ElicitResult{Action: "accept", Meta: mcp.Meta{Extension: tt.answer}}
			})
			rich.Capabilities = &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{Form: &mcp.FormElicitationCapabilities{}}}
			rich.Capabilities.AddExtension(Extension, nil)
			ways["client with dialogs"] = connect(t, Options{}, rich)
			if tt.content != nil {
				ways["elicitation"] = connect(t, Options{}, elicits(func(p *mcp.ElicitParams) *mcp.ElicitResult {
					checkForm(t, p.RequestedSchema, tt.content)
					return &mcp.ElicitResult{Action: "accept", Content: tt.content}
				}))
			}
			for way, session := range ways {
				r, text := call(t, session, string(kind), tt.arguments)
				if r.IsError || !strings.Contains(text, tt.want) {
					t.Errorf("%s: %s", way, text)
				}
				for i, file := range tt.answer.Attachments {
					if image, ok := r.Content[i+1].(*mcp.ImageContent); !ok || string(image.Data) != string(file.Data) {
						t.Errorf("%s: the picture is %+v", way, r.Content[i+1])
					}
				}
			}
		})
	}
}

// checkForm validates an answer with the form's schema.
func checkForm(t *testing.T, form any, content map[string]any) {
	t.Helper()
	text, _ := json.Marshal(form)
	var schema jsonschema.Schema
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(nil)
	if err == nil {
		err = resolved.Validate(content)
	}
	if err != nil {
		t.Errorf("%s does not allow %v: %v", text, content, err)
	}
}

func TestCancelledIsANormalResult(t *testing.T) {
	for _, action := range []string{"decline", "cancel"} {
		s := connect(t, Options{}, elicits(func(*mcp.ElicitParams) *mcp.ElicitResult { return &mcp.ElicitResult{Action: action} }))
		status, says := `"status":"cancelled"`, "The user closed the dialog without an answer."
		if action == "decline" {
			status, says = `"status":"declined"`, "The user declined to answer."
		}
		if r, text := call(t, s, "confirm", `{"question":"?"}`); r.IsError || !strings.Contains(text, status) || !strings.Contains(text, says) {
			t.Errorf("%s: %s", action, text)
		}
	}
}

// An empty text and an empty selection are answers. The model receives them as such, and not as a
// missing answer.
func TestEmptyAnswersAreAnswers(t *testing.T) {
	for _, test := range []struct{ tool, arguments, want string }{
		{"text_input", `{"question":"A note?","required":false}`, `"text":""`},
		{"multi_choice", `{"question":"Which?","options":[{"label":"A"}]}`, `"choices":[]`},
	} {
		s := connect(t, Options{Socket: askFunc(func(context.Context, dialog.Caller, dialog.Question) (dialog.Answer, error) {
			return dialog.Answer{}, nil
		})}, nil)
		if r, text := call(t, s, test.tool, test.arguments); r.IsError || !strings.Contains(text, test.want) || !strings.Contains(text, `"status":"answered"`) {
			t.Errorf("%s: %s", test.tool, text)
		}
	}
	s := connect(t, Options{Socket: askFunc(func(context.Context, dialog.Caller, dialog.Question) (dialog.Answer, error) {
		return dialog.Answer{SwitchToText: true, Text: "none of them"}, nil
	})}, nil)
	if _, text := call(t, s, "multi_choice", `{"question":"Which?","options":[{"label":"A"}]}`); strings.Contains(text, "choices") || !strings.Contains(text, `"text":"none of them"`) {
		t.Errorf("a switch to text gives %s", text)
	}
}

// If there is no user, the result tells the model to wait. It never contains an answer.
func TestNobodyCanBeAsked(t *testing.T) {
	for name, o := range map[string]Options{
		"no way": {},
		"closed socket": {Socket: askFunc(func(context.Context, dialog.Caller, dialog.Question) (dialog.Answer, error) {
			return dialog.Answer{}, errors.New("goated is not running")
		})},
		"wrong answer": {Socket: askFunc(func(context.Context, dialog.Caller, dialog.Question) (dialog.Answer, error) {
			return dialog.Answer{Text: "yes"}, nil
		})},
	} {
		if r, text := call(t, connect(t, o, nil), "confirm", `{"question":"?"}`); !r.IsError || !strings.Contains(text, stopAndWait) || strings.Contains(text, "confirmed") {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// No result makes the model call the same dialog again. If the user submits an empty form, or the
// client cannot send pictures, the next call would end in the same way.
func TestNoResultAsksForTheSameCall(t *testing.T) {
	s := &server{log: slog.New(slog.DiscardHandler)}
	for kind, tt := range questions {
		for name, content := range map[string]map[string]any{"empty": {}, "wrong": {"choice": 7, "choices": "x", "text": []any{}, "confirmed": "?"}} {
			if kind == dialog.KindMultiChoice && name == "empty" {
				content = map[string]any{"choices": []any{"z"}}
			}
			r := s.ask(t.Context(), kind, &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{
				Arguments: json.RawMessage(tt.arguments), InputResponses: mcp.InputResponseMap{inputID: &mcp.ElicitResult{Action: "accept", Content: content}},
			}})
			text := r.Content[0].(*mcp.TextContent).Text
			if !r.IsError || !strings.Contains(text, askInReply) || strings.Contains(text, "Ask again") {
				t.Errorf("%s, %s: %s", kind, name, text)
			}
		}
	}
	forms := connect(t, Options{}, elicits(func(*mcp.ElicitParams) *mcp.ElicitResult { return &mcp.ElicitResult{Action: "accept"} }))
	if r, text := call(t, forms, "screenshot_request", `{"question":"Show me"}`); !r.IsError || !strings.Contains(text, askInReply) || !strings.Contains(text, "attach a picture") {
		t.Errorf("a client without pictures gets %s", text)
	}
}

func TestWrongArguments(t *testing.T) {
	s := connect(t, Options{Socket: askFunc(func(context.Context, dialog.Caller, dialog.Question) (dialog.Answer, error) {
		t.Error("a wrong question reaches the user")
		return dialog.Answer{}, nil
	})}, nil)
	for _, tt := range []struct{ tool, arguments, want string }{
		{"confirm", `{}`, "question is empty"},
		{"text_input", `{"question":"?","maxLength":-1}`, "maxLength is -1"},
		{"text_input", `{"question":7}`, "question must be a string, and is a JSON number"},
		{"planner", `{"decision_context":"?","options":"a,b"}`, "options must be an array, and is a JSON string"},
		{"planner", `{"decision_context":"?","options":["a"]}`, `Each option must be an object, such as {\"label\": \"Yes\"}.`},
		{"confirm", `[1]`, "the value must be an object"},
		{"confirm", `{"question":"Delete all?","dangerous":true}`, `There is no argument \"dangerous\". Did you mean isDangerous?`},
		{"confirm", `{"question":"Delete all?","is_dangerous":true}`, `Did you mean isDangerous?`},
		{"confirm", `{"question":"Delete all?","yesLable":"Delete"}`, `Did you mean yesLabel?`},
		{"confirm", `{"question":"Delete all?","colour":"red"}`, `There is no argument \"colour\". Known: question, description, warning, `},
		{"text_input", `{"prompt":"Name?"}`, `There is no argument \"prompt\". Did you mean question?`},
		{"planner", `{"question":"Go?","options":[{"label":"a"}]}`, `Did you mean decision_context?`},
		{"single_choice", `{"question":"?","options":[{"label":"a"},{"label":"b","desc":"c"}]}`, `There is no field \"desc\" of options[1]. Did you mean description?`},
		{"set_dialog_frequency", `{"frequency":"low","for":"ever"}`, `There is no argument \"for\". Known: frequency.`},
		{"set_dialog_frequency", `{}`, `The argument \"frequency\" is missing.`},
		{"set_dialog_frequency", `{"frequency":"hourly"}`, "hourly"},
		{"remember_preference", `{"category":7}`, `"status":"error"`},
		{"single_choice", `{"question":"?","options":[]}`, "options is empty"},
		{"single_choice", `{"question":"?","options":[{"label":"a"},{"label":"a"}]}`, "occurs twice"},
		{"single_choice", `{"question":"?","options":[{"label":"a","value":"1"},{"label":"b","value":"2"},{"label":"a ","value":"3"}]}`, "options[2] reads the same as options[0]"},
		{"single_choice", `{"question":"?","options":[{"label":"a","disabled":true}]}`, "every option is disabled"},
		{"multi_choice", `{"question":"?","options":[{"label":"a","disabled":true}]}`, "every option is disabled"},
		{"planner", `{"decision_context":"?","options":[{"label":"a","disabled":true}]}`, "every option is disabled"},
		{"multi_choice", `{"question":"?","options":[{"label":"a"}],"minSelections":2}`, "minSelections is 2"},
		{"multi_choice", `{"question":"?","options":[{"label":"a","checked":true},{"label":"b","checked":true}],"maxSelections":1}`, "2 options are checked, which is more than maxSelections, 1"},
		{"planner", `{"decision_context":"?","options":[{"label":"a"}],"default_action":"b"}`, "default_action"},
		{"confirm", `{"question":"` + strings.Repeat("x", dialog.MaxSubject+1) + `"}`, "at most"},
	} {
		if r, text := call(t, s, tt.tool, tt.arguments); !r.IsError || !strings.Contains(text, tt.want) {
			t.Errorf("%s %s: %s", tt.tool, tt.arguments, text)
		}
	}
}

// While the user thinks, the caller gets progress notifications.
func TestProgressWhileTheUserThinks(t *testing.T) {
	answer := make(chan struct{})
	o := Options{Data: t.TempDir(), Socket: askFunc(func(context.Context, dialog.Caller, dialog.Question) (dialog.Answer, error) {
		<-answer
		return dialog.Answer{Text: "Ada"}, nil
	})}
	s := &server{socket: o.Socket, log: slog.New(slog.DiscardHandler), preferences: &preferences{file: state.File{Path: filepath.Join(o.Data, "p")}, log: slog.New(slog.DiscardHandler), now: time.Now}, progressInterval: time.Millisecond}
	m := mcp.NewServer(&mcp.Implementation{Name: "pause"}, nil)
	s.addDialogs(m)
	here, there := mcp.NewInMemoryTransports()
	if _, err := m.Connect(t.Context(), here, nil); err != nil {
		t.Fatal(err)
	}
	steps := 0
	c, err := mcp.NewClient(&mcp.Implementation{Name: "editor"}, &mcp.ClientOptions{ProgressNotificationHandler: func(context.Context, *mcp.ProgressNotificationClientRequest) {
		if steps++; steps == 3 {
			close(answer)
		}
	}}).Connect(t.Context(), there, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	params := &mcp.CallToolParams{Name: "text_input", Arguments: json.RawMessage(`{"question":"Name?"}`)}
	params.SetProgressToken("p")
	if r, err := c.CallTool(t.Context(), params); err != nil || r.IsError {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestPreferences(t *testing.T) {
	data := t.TempDir()
	s := connect(t, Options{Data: data}, nil)
	for _, step := range []struct{ tool, arguments, want string }{
		{"check_preference", `{"category":"style","decision":"quotes"}`, `"found":false,"shouldAsk":true`},
		{"remember_preference", `{"category":"style","decision":"quotes","value":"double","applyToSimilar":true}`, `style.quotes`},
		{"check_preference", `{"category":"style","decision":"quotes"}`, `"found":true,"shouldAsk":false,"value":"double"`},
		{"check_preference", `{"category":"style","decision":"tabs"}`, `"similar":true`},
		{"check_preference", `{"category":"style","decision":"quotes","importance":"critical"}`, `"shouldAsk":true`},
		{"should_ask_user", `{"type":"quotes","category":"style","importance":"high"}`, `"shouldAsk":false`},
		{"should_ask_user", `{"type":"security","category":"implementation","importance":"low"}`, `"shouldAsk":true`},
		{"should_ask_user", `{"type":"naming","category":"configuration","importance":"medium"}`, `"shouldAsk":true`},
		{"set_dialog_frequency", `{"frequency":"minimal"}`, `"dialogFrequency":"minimal"`},
		{"should_ask_user", `{"type":"naming","category":"configuration","importance":"medium"}`, `"shouldAsk":false`},
		{"reset_preferences", `{"confirm":true}`, `"removed":1`},
		{"check_preference", `{"category":"style","decision":"quotes"}`, `"found":false`},
	} {
		r, _ := call(t, s, step.tool, step.arguments)
		var all map[string]any
		text, _ := json.Marshal(r.StructuredContent)
		if r.IsError || json.Unmarshal(text, &all) != nil {
			t.Errorf("%s %s: %s", step.tool, step.arguments, text)
		}
		for part := range strings.SplitSeq(step.want, ",") {
			if !strings.Contains(string(text), part) {
				t.Errorf("%s %s: %s, want %s", step.tool, step.arguments, text, part)
			}
		}
	}
	for _, wrong := range []struct{ tool, arguments string }{
		{"reset_preferences", `{"confirm":false}`}, {"set_dialog_frequency", `{"frequency":"often"}`},
		{"remember_preference", `{"category":"","decision":"x","value":"y"}`}, {"should_ask_user", `{"type":"x","category":"y","importance":"low"}`},
	} {
		r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: wrong.tool, Arguments: json.RawMessage(wrong.arguments)})
		if err != nil || !r.IsError {
			t.Errorf("%s %s: %+v, %v", wrong.tool, wrong.arguments, r, err)
		}
	}
}

// If a client's answer does not fit the question, the result is an error. The model never gets a
// choice that was not offered.
func TestElicitedAnswersMustFit(t *testing.T) {
	for tool, c := range map[string]struct {
		arguments string
		answer    dialog.Answer
	}{
		"single_choice": {`{"question":"?","options":[{"label":"A"},{"label":"B","disabled":true}]}`, dialog.Answer{Choice: "B"}},
		"text_input":    {`{"question":"?","maxLength":3}`, dialog.Answer{Text: "long text"}},
		"confirm":       {`{"question":"?"}`, dialog.Answer{Text: "yes"}},
	} {
		options := elicits(func(*mcp.ElicitParams) *mcp.ElicitResult {
			return &mcp.ElicitResult{Action: "accept", Meta: mcp.Meta{Extension: c.answer}}
		})
		options.Capabilities = &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{Form: &mcp.FormElicitationCapabilities{}}}
		options.Capabilities.AddExtension(Extension, nil)
		if r, text := call(t, connect(t, Options{}, options), tool, c.arguments); !r.IsError || strings.Contains(text, `"status":"answered"`) {
			t.Errorf("%s: %s", tool, text)
		}
	}
}

// An elicitation form has the limits of its question.
func TestFormsHaveTheLimitsOfTheQuestion(t *testing.T) {
	for _, c := range []struct{ tool, arguments, want, not string }{
		{"single_choice", `{"question":"?","options":[{"label":"A"},{"label":"B","disabled":true}]}`, `"enum":["A","own_words"]`, `"B"`},
		{"text_input", `{"question":"?"}`, `"minLength":1`, "\n"},
		{"text_input", `{"question":"?","required":false}`, `"text"`, "minLength"},
		{"confirm", `{"question":"?","isDangerous":true}`, `"default":false`, "\n"},
	} {
		form := ""
		s := connect(t, Options{}, elicits(func(p *mcp.ElicitParams) *mcp.ElicitResult {
			text, _ := json.Marshal(p.RequestedSchema)
			form = string(text)
			return &mcp.ElicitResult{Action: "cancel"}
		}))
		if call(t, s, c.tool, c.arguments); !strings.Contains(form, c.want) || strings.Contains(form, c.not) {
			t.Errorf("%s %s: the form is %s", c.tool, c.arguments, form)
		}
	}
}
