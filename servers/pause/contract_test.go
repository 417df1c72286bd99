package pause

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/servertest"
)

// TestMain makes the test program act as the server over stdio if its arguments are "serve DATA".
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "serve" {
		if err := New(Options{Data: os.Args[2]}).Run(context.Background(), &mcp.StdioTransport{}); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		return
	}
	os.Exit(m.Run())
}

// options contains the options of the contract's questions.
var options = []any{
	map[string]any{"label": "API first", "value": "api", "description": "Slower"}, map[string]any{"label": "UI first", "value": "ui"},
}

// A contractCall is a step with its expected result, which must contain all of wants. It may
// contain no other fields except the time and the fields that tell the model what to do next.
type contractCall struct {
	step    servertest.Step
	asked   string // the beginning of the message to the user; empty: the user is not asked
	isError bool
	wants   string // as JSON; for an error, a part of its text
}

type object = map[string]any

// formCalls returns the calls of a client that answers with elicitation forms.
func formCalls() []contractCall {
	decision := object{"category": "architecture", "decision": "framework"}
	should := func(importance string) object {
		return object{"type": "api_design", "category": "architecture", "importance": importance}
	}
	call := func(tool string, args object) servertest.Step { return servertest.Step{Tool: tool, Args: args} }
	ask := func(tool string, args, answer object) servertest.Step {
		return servertest.Step{Tool: tool, Args: args, Answer: answer}
	}
	return []contractCall{
		{ask("planner", object{"decision_context": "How?", "plan": "1. Build", "options": options}, object{"choice": "ui", "thinkingMode": "deep", "action": "submit", "additionalContext": "äöü\n\"now\""}),
			"How?", false, `{"status":"answered","choice":"ui","label":"UI first","thinkingMode":"deep","action":"submit","additionalContext":"äöü\n\"now\""}`},
		{ask("text_input", object{"question": "Name?"}, object{"text": "Ada\tLovelace"}), "Name?", false, `{"status":"answered","text":"Ada\tLovelace"}`},
		{ask("single_choice", object{"question": "Which?", "options": options}, object{"choice": "api"}), "Which?", false, `{"status":"answered","choice":"api","label":"API first"}`},
		{ask("multi_choice", object{"question": "All?", "options": options}, object{"choices": []any{"api", "ui"}}), "All?", false, `{"status":"answered","choices":["api","ui"]}`},
		{ask("confirm", object{"question": "Delete?", "isDangerous": true}, object{"confirmed": true}), "Delete?", false, `{"status":"answered","confirmed":true}`},
		{ask("confirm", object{"question": "Delete?"}, object{"confirmed": false}), "Delete?", false, `{"status":"answered","confirmed":false}`},
		{call("confirm", object{"question": "Delete?"}), "Delete?", false, `{"status":"declined"}`},
		{call("screenshot_request", object{"question": "Show me"}), "", true, "cannot contain pictures"},

		{call("check_preference", decision), "", false, `{"found":false,"shouldAsk":true}`},
		{call("should_ask_user", should("medium")), "", false, `{"shouldAsk":true,"reason":"The user wants to decide this."}`},
		{call("remember_preference", object{"category": "architecture", "decision": "framework", "value": "Fyne, „native“", "applyToSimilar": true}), "", false, `{"remembered":"architecture.framework"}`},
		{call("check_preference", decision), "", false, `{"found":true,"value":"Fyne, „native“","shouldAsk":false}`},
		{call("check_preference", object{"category": "architecture", "decision": "other", "importance": "critical"}), "", false, `{"found":true,"value":"Fyne, „native“","similar":true,"shouldAsk":true}`},
		{call("should_ask_user", should("medium")), "", false, `{"shouldAsk":false,"reason":"The user decided this before: call check_preference."}`},
		{call("reset_preferences", object{"confirm": false}), "", true, "nothing was removed"},
		{call("reset_preferences", object{"confirm": true}), "", false, `{"removed":1}`},
		{call("check_preference", decision), "", false, `{"found":false,"shouldAsk":true}`},
		{call("set_dialog_frequency", object{"frequency": "minimal"}), "", false, `{"dialogFrequency":"minimal"}`},
		{call("should_ask_user", should("high")), "", false, `{"shouldAsk":false,"reason":"The user wants to be asked only about decisions of at least critical importance."}`},
		{call("should_ask_user", should("critical")), "", false, `{"shouldAsk":true,"reason":"The decision is critical."}`},

		{call("planner", nil), "", true, "decision_context"},
		{call("text_input", nil), "", true, "question"},
		{call("single_choice", object{"question": "Which?", "options": []any{}}), "", true, "options"},
		{call("multi_choice", object{"question": "Which?"}), "", true, "options"},
		{call("screenshot_request", nil), "", true, "question"},
		{call("confirm", object{"question": 7}), "", true, "question"},
		{ask("single_choice", object{"question": "Which?", "options": options}, object{"choice": "neither"}), "Which?", true, "neither"},
		{call("set_dialog_frequency", object{"frequency": "often"}), "", true, "often"},
		{call("remember_preference", object{"category": "a", "decision": "b", "value": " "}), "", true, "value must have"},
		{call("check_preference", object{"category": "a"}), "", true, "decision"},
		{call("reset_preferences", nil), "", true, "confirm"},
		{call("should_ask_user", object{"type": "x", "category": "food", "importance": "low"}), "", true, "food"},
	}
}

// pixel is a picture of one pixel.
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

// richCalls returns the calls of a client that shows the dialogs and can answer with files.
func richCalls() []contractCall {
	picture := object{"name": "a.png", "type": "image/png", "data": "data:image/png;base64," + pixel}
	return []contractCall{
		{servertest.Step{Tool: "screenshot_request", Args: object{"question": "Show me"}, Answer: object{"additionalContext": "Here", "attachments": []any{picture}}},
			"Show me", false, `{"status":"answered","additionalContext":"Here","attachments":[{"name":"a.png","type":"image/png","bytes":70}]}`},
		{servertest.Step{Tool: "single_choice", Args: object{"question": "Which?", "options": options}, Answer: object{"switchToText": true, "text": "Both"}},
			"Which?", false, `{"status":"text","text":"Both"}`},
	}
}

// The official clients call every tool over stdio, in both eras of the protocol. They answer by
// elicitation, and check each result against its output schema. The user's answer arrives complete,
// and a wrong argument causes a result with isError.
func TestOfficialClients(t *testing.T) {
	t.Parallel()
	for _, client := range servertest.OfficialClients() {
		t.Run(client.Name, func(t *testing.T) {
			t.Parallel()
			var visits [][]contract
			for _, era := range client.Eras {
				contracts := []contract{{"", formCalls()}}
				if era.Extends() {
					contracts = []contract{{Extension, richCalls()}, {"", formCalls()}} // these set preferences
				}
				visits = append(visits, contracts)
			}
			for i, all := range checkContracts(t, client, visits) {
				era := client.Eras[i]
				t.Run(era.Protocol, func(t *testing.T) { checkTools(t, era, all) })
			}
		})
	}
}

// checkTools checks the list of tools in an era, and the last drive's calls of each.
func checkTools(t *testing.T, era servertest.Era, all []servertest.Driven) {
	t.Helper()
	got := all[len(all)-1]
	for name, tool := range got.Tools {
		if tool.Title == "" || !tool.Output {
			t.Errorf("%s is listed as %+v", name, tool)
		}
		for _, mistake := range []bool{false, true} {
			if !slices.ContainsFunc(got.Calls, func(r servertest.Received) bool { return r.Tool == name && r.IsError == mistake }) && (mistake || name != "screenshot_request") {
				t.Errorf("no call of %s has isError %v", name, mistake)
			}
		}
	}
	if len(got.Tools) != 11 {
		t.Errorf("%d tools", len(got.Tools))
	}
	if !era.Extends() {
		return
	}
	if c := all[0].Calls[0].Content; len(c) != 2 || c[1]["type"] != "image" || c[1]["data"] != pixel || c[1]["mimeType"] != "image/png" {
		t.Errorf("the picture arrives as %v", c)
	}
}

// A contract is the calls of a client that has an extension, or none.
type contract struct {
	extension string
	calls     []contractCall
}

func checkContracts(t *testing.T, client servertest.OfficialClient, eras [][]contract) [][]servertest.Driven {
	t.Helper()
	var visits []servertest.Visit
	for i, contracts := range eras {
		visit := servertest.Visit{Era: client.Eras[i], Args: []string{t.TempDir()}}
		for _, c := range contracts {
			drive := servertest.Drive{Extension: c.extension}
			for _, call := range c.calls {
				drive.Steps = append(drive.Steps, call.step)
			}
			visit.Drives = append(visit.Drives, drive)
		}
		visits = append(visits, visit)
	}
	all := client.Run(t, visits, os.Args[0], "serve")
	for i, contracts := range eras {
		for n, c := range contracts {
			checkCalls(t, all[i][n], c.calls)
		}
	}
	return all
}

func checkCalls(t *testing.T, got servertest.Driven, calls []contractCall) {
	t.Helper()
	for i, c := range calls {
		r := got.Calls[i]
		where := fmt.Sprintf("call %d, %s %v", i, r.Tool, c.step.Args)
		if r.IsError != c.isError || c.asked == "" && r.Asked != "" || !strings.HasPrefix(r.Asked, c.asked) {
			t.Errorf("%s: isError %v after the question %q: %v", where, r.IsError, r.Asked, r.Content)
			continue
		}
		if text := fmt.Sprint(r.Content[0]["text"]); c.isError {
			if !strings.Contains(text, c.wants) || !strings.Contains(text, `"status":"error"`) {
				t.Errorf("%s: the error is %s, want %q in it", where, text, c.wants)
			}
			continue
		}
		var want map[string]any
		if err := json.Unmarshal([]byte(c.wants), &want); err != nil {
			t.Fatal(err)
		}
		have := maps.Clone(r.Structured)
		if have["status"] != nil && have["instruction"] == "" {
			t.Errorf("%s says not what to do next: %v", where, have)
		}
		delete(have, "instruction")
		delete(have, "timestamp")
		if !reflect.DeepEqual(have, want) {
			t.Errorf("%s returns %v, want %v", where, have, want)
		}
	}
}
