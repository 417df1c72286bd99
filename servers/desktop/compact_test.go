package desktop

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"goated/servers/desktop/link"
	pb "goated/servers/desktop/macosusesdk"
)

// The ten tools cost a model at most 3,000 tokens, at four characters per token.
func TestCompactSetIsSmall(t *testing.T) {
	f := newFake(t)
	cost := func(o Options) (tools, tokens int) {
		o.Getenv = f.environ
		list, err := connect(t, o, nil).ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, tool := range list.Tools {
			b, err := json.Marshal(map[string]any{"name": tool.Name, "description": tool.Description, "parameters": tool.InputSchema})
			if err != nil {
				t.Fatal(err)
			}
			tokens += len(b) / 4
		}
		return len(list.Tools), tokens
	}
	few, tokens := cost(Options{})
	all, most := cost(Options{AllTools: true})
	t.Logf("%d tools cost %d tokens, all %d cost %d", few, tokens, all, most)
	if few > 10 || tokens > 3000 {
		t.Errorf("%d tools cost %d tokens", few, tokens)
	}
}

// compactForms contains the forms of the compact tools: the last request that each sends, and part
// of its answer. Forms without a method send no request.
var compactForms = []struct{ tool, args, method, request, text string }{
	{"see", `{}`, "ListWindows", `{"page_size":100,"parent":"the name"}`, "Found 1 application:\n- the display_name (the name, PID 7)\n  - \"the title\""},
	{"see", `{"in":"12"}`, "FindElements", `{"page_size":100,"parent":"applications/12","selector":{},"visible_only":true}`, "[12:the element_id]"},
	{"see", `{"element":"12:e"}`, "GetElementActions", `{"name":"applications/12/elements/e"}`, "the role"},
	{"find", `{"in":"12","role":"button","text_contains":"O"}`, "FindElements", `{"page_size":100,"parent":"applications/12","selector":{"compound":{"operator":"OPERATOR_AND","selectors":[{"role":"button"},{"text_contains":"O"}]}},"visible_only":true}`, "[12:the element_id]"},
	{"find", `{"in":"the display","x":1,"y":2,"width":3,"height":4}`, "FindRegionElements", `{"page_size":100,"parent":"the name","region":{"height":4,"width":3,"x":1,"y":2}}`, "Found 1 element"},
	{"press", `{"element":"12:e"}`, "ClickElement", `{"element_id":"the element_id","parent":"applications/12"}`, "Done."},
	{"press", `{"element":"12:e","button":"right"}`, "ClickElement", `{"click_type":"CLICK_TYPE_RIGHT","element_id":"the element_id","parent":"applications/12"}`, "Done."},
	{"press", `{"element":"12:e","action":"toggle"}`, "PerformElementAction", `{"action":"toggle","element_id":"the element_id","parent":"applications/12"}`, "Done."},
	{"press", `{"element":"12:e","to_x":5,"to_y":6}`, "CreateInput", `{"input":{"action":{"drag":{"end_position":{"x":5,"y":6},"start_position":{"x":150,"y":150}}}},"parent":"applications/12"}`, "Done: "},
	{"press", `{"x":5,"y":6,"in":"12"}`, "CreateInput", `{"input":{"action":{"click":{"position":{"x":5,"y":6}}}},"parent":"applications/12"}`, "Done: "},
	{"press", `{"x":5,"y":6,"seconds":2,"in":"applications/12/windows/3"}`, "CreateInput", `{"input":{"action":{"hover":{"duration":2,"position":{"x":5,"y":6}}}},"parent":"applications/12"}`, "Done: "},
	{"type", `{"text":"x","in":"12"}`, "CreateInput", `{"input":{"action":{"type_text":{"text":"x"}}},"parent":"applications/12"}`, "Done: "},
	{"type", `{"key":"a","in":"12"}`, "CreateInput", `{"input":{"action":{"press_key":{"key":"a"}}},"parent":"applications/12"}`, "Done: "},
	{"press", `{"x":5,"y":6,"count":2}`, "CreateInput", `{"input":{"action":{"click":{"click_count":2,"position":{"x":5,"y":6}}}}}`, "Done: "},
	{"press", `{"x":5,"y":6,"dy":3}`, "CreateInput", `{"input":{"action":{"scroll":{"position":{"x":5,"y":6},"vertical":3}}}}`, "Done: "},
	{"press", `{"x":5,"y":6,"seconds":2}`, "CreateInput", `{"input":{"action":{"hover":{"duration":2,"position":{"x":5,"y":6}}}}}`, "Done: "},
	{"type", `{"text":"é"}`, "CreateInput", `{"input":{"action":{"type_text":{"text":"é"}}}}`, "Done: "},
	{"type", `{"key":"ctrl+s"}`, "CreateInput", `{"input":{"action":{"press_key":{"key":"s","modifiers":["MODIFIER_CONTROL"]}}}}`, "Done: "},
	{"type", `{"key":"a","seconds":1}`, "CreateInput", `{"input":{"action":{"press_key":{"hold_duration":1,"key":"a"}}}}`, "Done: "},
	{"type", `{"text":"x","element":"12:e"}`, "WriteElementValue", `{"element_id":"the element_id","parent":"applications/12","value":"x"}`, "Done."},
	{"type", `{"text":"x","element":"12:e","key":"return"}`, "CreateInput", `{"input":{"action":{"press_key":{"key":"return"}}},"parent":"applications/12"}`, "Done: "},
	{"type", `{"text":"x","element":"12:e","key":"return"}`, "PerformElementAction", `{"action":"focus","element_id":"the element_id","parent":"applications/12"}`, "Done."},
	{"wait", `{"in":"12","role":"button","seconds":1}`, "WaitElement", `{"parent":"applications/12","selector":{"role":"button"},"timeout":1}`, "[12:the element_id]"},
	{"wait", `{"element":"12:e","state":"text_equals","value":"x"}`, "WaitElementState", `{"condition":{"text_equals":"x"},"element_id":"e","parent":"applications/12","timeout":30}`, "[12:the element_id]"},
	{"wait", `{"window":"title"}`, "ListWindows", `{"page_size":100,"parent":"the name"}`, "The window is there"},
	{"wait", `{"seconds":0}`, "", "", "Waited 0 seconds."},
	{"window", `{"action":"move","window":"the title","x":1,"y":2}`, "MoveWindow", `{"name":"the name","x":1,"y":2}`, "the title"},
	{"window", `{"action":"close","window":"the title","force":true}`, "CloseWindow", `{"force":true,"name":"the name"}`, "Done."},
	{"window", `{"action":"state","window":"applications/1/windows/2"}`, "GetWindowState", `{"name":"applications/1/windows/2/state"}`, "focused: true"},
	{"screenshot", `{}`, "CaptureScreenshot", `{}`, "The picture of the display"},
	{"screenshot", `{"window":"the title"}`, "CaptureWindowScreenshot", `{"window":"the name"}`, "The picture of window"},
	{"screenshot", `{"element":"12:e","ocr":true}`, "CaptureElementScreenshot", `{"element_id":"e","include_ocr_text":true,"parent":"applications/12"}`, "the ocr_text"},
	{"screenshot", `{"x":1,"y":2,"width":30,"height":40,"format":"jpeg"}`, "CaptureRegionScreenshot", `{"format":"IMAGE_FORMAT_JPEG","region":{"height":40,"width":30,"x":1,"y":2}}`, "screenshot s"},
	{"clipboard", `{"action":"read"}`, "GetClipboard", `{"name":"clipboard"}`, "the text"},
	{"clipboard", `{"action":"write","files":["/a","/b"]}`, "WriteClipboard", `{"content":{"files":{"paths":["/a","/b"]},"type":"CONTENT_TYPE_FILES"}}`, "now holds files"},
	{"clipboard", `{"action":"clear"}`, "ClearClipboard", `{}`, "Done."},
	{"clipboard", `{"action":"history"}`, "GetClipboardHistory", `{"name":"clipboard/history"}`, "the text"},
	{"app", `{"action":"open","name":"Calculator"}`, "OpenApplication", `{"id":"Calculator"}`, "the display_name"},
	{"app", `{"action":"list"}`, "ListApplications", `{}`, "Found 1 application"},
	{"app", `{"action":"get","name":"12"}`, "GetApplication", `{"name":"applications/12"}`, "PID 7"},
	{"app", `{"action":"forget","name":"12"}`, "DeleteApplication", `{"name":"applications/12"}`, "Done."},
	{"run", `{"macro":"m","values":["a=b=c"]}`, "ExecuteMacro", `{"macro":"macros/m","options":{"record_execution":true,"timeout":300},"parameter_values":{"a":"b=c"}}`, "The macro ran 7 actions."},
	{"run", `{"steps":[{"do":"if","condition":"not window:Save"},{"do":"key","key":"ctrl+s"},{"do":"else"},{"do":"wait","seconds":1},{"do":"end"}]}`, "CreateMacro",
		`{"macro":{"actions":[{"conditional":{"condition":{"compound":{"conditions":[{"window_exists":"Save"}],"operator":"OPERATOR_NOT"}},"else_actions":[{"wait":{"duration":1}}],"then_actions":[{"input":{"press_key":{"key":"s","modifiers":["MODIFIER_CONTROL"]}}}]}}],"display_name":"Steps of one call"}}`, "The macro ran"},
	{"run", `{"steps":[{"do":"scroll","x":5,"y":6,"dy":3},{"do":"scroll","dx":2}]}`, "CreateMacro",
		`{"macro":{"actions":[{"input":{"scroll":{"position":{"x":5,"y":6},"vertical":3}}},{"input":{"scroll":{"horizontal":2}}}],"display_name":"Steps of one call"}}`, "The macro ran"},
	{"run", `{"app":"12","steps":[{"do":"write","element":"role:entry","text":"a b"},{"do":"press","element":"text:OK"}]}`, "CreateMacro",
		`{"macro":{"actions":[{"method_call":{"args":{"selector":"{\"role\":\"entry\"}","value":"a b"},"method":"WriteElementValue"}},{"method_call":{"args":{"selector":"{\"text\":\"OK\"}"},"method":"ClickElement"}}],"display_name":"Steps of one call"}}`, "The macro ran"},
	{"run", `{"tool":"get_session","arguments":"{\"name\":\"sessions/1\"}"}`, "GetSession", `{"name":"sessions/1"}`, "state: active"},
	{"run", `{"tool":"execute_shell_command","arguments":"{\"command\":\"ls\"}"}`, "ExecuteShellCommand", `{"command":"ls"}`, "the stdout"},
	{"run", `{}`, "", "", "create_observation(parent!"},
}

// Each form of a compact tool sends the expected request.
func TestCompactTools(t *testing.T) {
	f := newFake(t)
	s := connect(t, Options{Getenv: f.environ, Scripting: true}, nil)
	for _, test := range compactForms {
		f.last("")
		text, _, failed := do(t, s, test.tool, test.args)
		if failed || !strings.Contains(text, test.text) {
			t.Errorf("%s %s answers %q, without %q", test.tool, test.args, text, test.text)
		}
		if test.method == "" {
			continue
		}
		if got := f.last(test.method); got != test.request {
			t.Errorf("%s %s sends\n%s, want\n%s", test.tool, test.args, got, test.request)
		}
	}
	if text, _, failed := do(t, s, "wait", `{"window":"another","gone":true}`); failed || text != "The window is gone." {
		t.Error(text)
	}
	if text, _, failed := do(t, s, "see", `{"in":"12"}`); failed || !strings.Contains(text, "describes few of its elements") {
		t.Error(text)
	}
	f.on("FindElements", func(proto.Message) (proto.Message, error) { return new(pb.FindElementsResponse), nil })
	if text, _, failed := do(t, s, "find", `{"in":"12","role":"button"}`); failed || !strings.Contains(text, "take a screenshot") {
		t.Error(text)
	}
	if text, _, failed := do(t, s, "wait", `{"in":"12","role":"button","gone":true}`); failed || text != "The element is gone." {
		t.Error(text)
	}
	if text, _, failed := do(t, s, "see", `{"in":"12"}`); failed || !strings.Contains(text, "ake a screenshot") {
		t.Error(text)
	}
}

// Answers mention Wayland only in a Wayland session, and positions only in other sessions.
func TestAnswersFitTheSession(t *testing.T) {
	f := newFake(t)
	s := connect(t, Options{Getenv: f.environ}, nil)
	f.on("GetElement", func(proto.Message) (proto.Message, error) { return &pb.Element{Role: "slider", ElementId: "e"}, nil })
	unlike := func(session, has, lacks string) {
		t.Helper()
		for _, test := range []struct{ tool, args string }{
			{"see", `{"in":"12"}`}, {"find", `{"in":"12","role":"button"}`}, {"press", `{"element":"12:e","to_x":1,"to_y":2}`},
		} {
			if text, _, _ := do(t, s, test.tool, test.args); !strings.Contains(text, has) || strings.Contains(text, lacks) {
				t.Errorf("%s: %s %s answers %q", session, test.tool, test.args, text)
			}
		}
	}
	few := new(pb.FindElementsResponse)
	f.on("FindElements", func(proto.Message) (proto.Message, error) { return few, nil })
	unlike("X11", "ake a screenshot, and p", "Wayland")
	f.on("ListDisplays", func(proto.Message) (proto.Message, error) {
		return nil, status.Error(codes.Unimplemented, "this is a Wayland session")
	})
	unlike("Wayland", "Wayland session has no positions", "and p")
	few = &pb.FindElementsResponse{Elements: []*pb.Element{{Role: "frame", Text: proto.String("Chat"), ElementId: "e"}}}
	if text, _, _ := do(t, s, "see", `{"in":"12"}`); !strings.Contains(text, "describes few of its elements. To reach the rest, take a screenshot, and type keys") {
		t.Error(text)
	}
}

// A key after a text goes to the element with the text, or nowhere, because another window may have
// the focus.
func TestAKeyAfterATextNeedsTheFocus(t *testing.T) {
	f := newFake(t)
	s := connect(t, Options{Getenv: f.environ}, nil)
	f.on("PerformElementAction", func(proto.Message) (proto.Message, error) {
		return nil, status.Error(codes.FailedPrecondition, "it does not take the focus")
	})
	text, _, failed := do(t, s, "type", `{"text":"x","element":"12:e","key":"return"}`)
	if !failed || !strings.Contains(text, "The text is in, but the element does not take the focus") || !strings.Contains(text, "the role") {
		t.Errorf("%t %q", failed, text)
	}
	if sent := f.last("CreateInput"); sent != "no request" {
		t.Errorf("the key is pressed: %s", sent)
	}
}

// Each form of a compact tool reports every gRPC code like the tool of the full list.
func TestEachCompactFormReportsEveryCode(t *testing.T) {
	f := newFake(t)
	s := connect(t, Options{Getenv: f.environ, Scripting: true}, nil)
	for code := codes.Canceled; code <= codes.Unauthenticated; code++ {
		f.fail(code)
		want := (&link.Failure{Code: code}).Name()
		for _, test := range compactForms {
			if test.method == "" {
				continue
			}
			text, data, failed := do(t, s, test.tool, test.args)
			e, _ := data["error"].(map[string]any)
			if !failed || e["reason"] != want || e["code"] != -32000.0 || !strings.Contains(text, "("+want+")") || e["message"] == "" || e["hint"] == "" {
				t.Errorf("%s %s with %s: failed=%t %q %v", test.tool, test.args, want, failed, text, data)
			}
			if code != codes.Canceled && code != codes.DeadlineExceeded && !strings.Contains(text, "he reason of the server") {
				t.Errorf("%s %s with %s leaves out the reason: %q", test.tool, test.args, want, text)
			}
		}
	}
}

// The ten tools reach every function.
func TestCompactToolsReachEverything(t *testing.T) {
	f := newFake(t)
	s := connect(t, Options{Getenv: f.environ, Scripting: true}, nil)
	listed, _, _ := do(t, s, "run", `{}`)
	for name, test := range cases {
		args, err := json.Marshal(map[string]any{"tool": name, "arguments": test.args})
		if err != nil {
			t.Fatal(err)
		}
		if text, _, failed := do(t, s, "run", string(args)); failed || !strings.Contains(text, test.text) {
			t.Errorf("%s answers %q", name, text)
		}
		if !strings.Contains(listed, "- "+name+"(") {
			t.Errorf("run does not list %s", name)
		}
	}
}

// The server refuses wrong arguments with the argument, the reason and advice, and sends no
// request.
func TestWrongArguments(t *testing.T) {
	f := newFake(t)
	all := connect(t, Options{AllTools: true, Getenv: f.environ, Scripting: true}, nil)
	few := connect(t, Options{Getenv: f.environ, Scripting: true}, nil)
	for _, test := range []struct {
		compact          bool
		tool, args, want string
	}{
		{false, "move_window", `{"name":"applications/1/windows/2","x":1}`, `The argument "y" is missing.`},
		{false, "move_window", `{"name":"applications/1/windows/2","x":"left","y":1}`, "x must be a number"},
		{false, "get_window", `{"name":"applications/1/windows/2","nme":1}`, `There is no argument "nme". Known: name.`},
		{false, "click", `{"x":1,"y":2,"button":"top"}`, "button must be left, right or middle"},
		{false, "click", `{"x":1,"y":2,"click_count":1.5}`, "click_count must be a whole number"},
		{false, "create_input", `{"action":{"click":{"position":{"x":1,"z":2}}}}`, "action.click.position.z is unknown. Use one of: x, y"},
		{false, "create_input", `{"action":{"click":{},"type_text":{}}}`, "Choose one"},
		{false, "create_input", `{"action":"click"}`, "action must be an object with"},
		{false, "find_elements", `{"parent":"applications/1","selector":{"colour":"red"}}`, "selector.colour is unknown"},
		{false, "find_elements", `{"parent":"applications/1","selector":{"not":[]}}`, "has 0 selectors"},
		{false, "click_element", `{"parent":"applications/1"}`, "element is missing"},
		{false, "wait_element", `{"parent":"applications/1"}`, "condition is missing"},
		{false, "wait_element_state", `{"parent":"applications/1","element_id":"e","condition":"happy"}`, "condition must be "},
		{false, "write_clipboard", `{}`, "exactly one of"},
		{false, "update_macro", `{"name":"macros/1"}`, "nothing to change"},
		{false, "list_displays", `{"x":1}`, `There is no argument "x". Known: `},
		{false, "cursor_position", `{"x":1}`, `There is no argument "x". Correct`},
		{false, "drag", `{"start_x":1,"start_y":2,"end_x":3}`, `The argument "end_y" is missing. Correct`},
		{false, "wait_element_state", `{"parent":"applications/1","element_id":"e","condition":"text_equals"}`, "text_equals needs value"},
		{true, "press", `{}`, "either element, or x and y"},
		{true, "press", `{"element":"12:e","x":1,"y":2}`, "either element, or x and y"},
		{true, "press", `{"element":"e"}`, "is not an element"},
		{true, "press", `{"x":1,"y":2,"screenshot":"s99"}`, "is not known any more"},
		{true, "find", `{"in":"12"}`, "condition is missing"},
		{true, "wait", `{}`, "what to wait for"},
		{true, "type", `{}`, "pass text, or key"},
		{true, "window", `{"action":"fly","window":"x"}`, "action must be "},
		{true, "see", `{"in":"Nothing"}`, `no window is named "Nothing" (NOT_FOUND). There are: "the title"`},
		{true, "run", `{"tool":"list_window"}`, "similar: "},
		{true, "run", `{"tool":"get_window","arguments":"[]"}`, "must be a JSON object"},
		{true, "run", `{"steps":[{"do":"repeat","count":2}]}`, "the block of repeat has no end"},
		{true, "run", `{"steps":[{"do":"end"}]}`, "has no block that it ends"},
		{true, "run", `{"steps":[{"do":"click","x":1}]}`, "steps[0]: click needs y"},
		{true, "run", `{"steps":[{"do":"while","condition":"maybe"},{"do":"end"}]}`, "is not a condition"},
		{true, "run", `{"steps":[{"do":"press","element":" "}]}`, "the selector is empty"},
		{true, "run", `{"steps":[{"do":"write","element":"OK"}]}`, "write needs text"},
		{true, "run", `{"steps":[],"macro":"m"}`, "one of steps, macro and tool"},
	} {
		s := all
		if test.compact {
			s = few
		}
		text, data, failed := do(t, s, test.tool, test.args)
		code := data["error"].(map[string]any)["code"]
		if !failed || !strings.Contains(strings.ToLower(text), strings.ToLower(test.want)) || code != -32602.0 && code != -32000.0 {
			t.Errorf("%s %s answers %q with %v", test.tool, test.args, text, code)
		}
	}
	for _, m := range []string{"CreateInput", "ClickElement", "MoveWindow", "ExecuteMacro"} {
		if got := f.last(m); got != "no request" {
			t.Errorf("%s was sent: %s", m, got)
		}
	}
}

// The server refuses an action if the element has changed in the meantime, is one of several
// matches, or is a password field.
func TestActionsVerifyTheirElement(t *testing.T) {
	f := newFake(t)
	s := connect(t, Options{Getenv: f.environ}, nil)
	f.on("GetElement", func(proto.Message) (proto.Message, error) {
		return &pb.Element{Role: "push button", Text: proto.String("Cancel"), ElementId: "e"}, nil
	})
	for args, want := range map[string]string{
		`{"element":"12:e","expect_name":"Save"}`:                             `push button "Cancel" [e], and its text is not "Save". Nothing was done`,
		`{"element":"12:e","expect_role":"text field"}`:                       `not a "text field". Nothing was done`,
		`{"element":"12:e","expect_name":"Save","to_x":1,"to_y":2}`:           "Nothing was done",
		`{"element":"12:e","expect_name":"Save","action":"press"}`:            "Nothing was done",
		`{"element":"12:e","expect_name":"Save","seconds":1,"button":"left"}`: "Nothing was done",
	} {
		if text, _, failed := do(t, s, "press", args); !failed || !strings.Contains(text, want) {
			t.Errorf("%s: %q", args, text)
		}
	}
	if text, _, failed := do(t, s, "press", `{"element":"12:e","expect_name":"cancel","expect_role":"AXButton"}`); failed {
		t.Error(text)
	}
	for tool, args := range map[string]string{
		"press": `{"x":1,"y":2,"expect_name":"Save"}`,
		"type":  `{"text":"x","expect_role":"text field"}`,
	} {
		if text, _, failed := do(t, s, tool, args); !failed || !strings.Contains(text, "need element") {
			t.Errorf("%s %s: an expectation that nobody checks: %q", tool, args, text)
		}
	}
	if text, _, failed := do(t, s, "type", `{"element":"12:e","text":"x","in":"12"}`); !failed || !strings.Contains(text, "ass in without element") {
		t.Error(text)
	}
	f.last("")
	f.on("GetElement", func(proto.Message) (proto.Message, error) {
		return &pb.Element{Role: "password text", ElementId: "e"}, nil
	})
	if text, _, failed := do(t, s, "type", `{"element":"12:e","text":"x"}`); !failed || !strings.Contains(text, "Passwords are the user's to type") {
		t.Error(text)
	}
	all := connect(t, Options{Getenv: f.environ, AllTools: true}, nil)
	f.on("FindElements", func(proto.Message) (proto.Message, error) {
		return &pb.FindElementsResponse{Elements: []*pb.Element{{Role: "button", ElementId: "a"}, {Role: "button", ElementId: "b"}}}, nil
	})
	if text, _, failed := do(t, all, "click_element", `{"parent":"applications/1","role":"button"}`); !failed || !strings.Contains(text, "everal elements fit: button [a]; button [b]") {
		t.Error(text)
	}
	if got := f.last("WriteElementValue") + f.last("ClickElement"); got != "no requestno request" {
		t.Error(got)
	}
	f.on("ClickElement", func(proto.Message) (proto.Message, error) { return nil, status.Error(codes.NotFound, "") })
	f.on("FindElements", nil)
	if text, _, failed := do(t, all, "click_element", `{"parent":"applications/1","role":"button"}`); !failed || !strings.HasPrefix(text, "ClickElement failed (NOT_FOUND). It is gone") {
		t.Error(text)
	}
}

// The texts for the model name arguments exactly as the model must write them, list their allowed
// values, and use correct plurals. A service may keep only the length of a text. The server used to
// count the characters of that service's note, so "(26 characters)" counted as 15.
func TestSentencesOfTheCompactTools(t *testing.T) {
	f := newFake(t)
	s := connect(t, Options{Getenv: f.environ, Scripting: true}, nil)
	f.on("ExecuteShellCommand", func(proto.Message) (proto.Message, error) {
		return &pb.ExecuteShellCommandResponse{Error: "exit status 1", ExitCode: 1}, nil
	})
	f.on("CreateInput", func(r proto.Message) (proto.Message, error) {
		in := proto.Clone(r.(*pb.CreateInputRequest).GetInput()).(*pb.Input)
		in.State = pb.Input_STATE_COMPLETED
		if t := in.GetAction().GetTypeText(); t != nil {
			t.Text = fmt.Sprintf("(%d characters)", len([]rune(t.Text)))
		}
		return in, nil
	})
	f.on("ListWindows", func(proto.Message) (proto.Message, error) { return new(pb.ListWindowsResponse), nil })
	f.on("ExecuteMacro", func(proto.Message) (proto.Message, error) {
		return &pb.ExecuteMacroResponse{Success: true, ActionsExecuted: 1}, nil
	})
	f.on("GetElement", func(proto.Message) (proto.Message, error) {
		return nil, status.Error(codes.NotFound, "there is no element 1:2; find the element again")
	})
	for _, test := range []struct{ tool, args, want string }{
		{"type", `{"text":"Twenty-six characters long"}`, "Done: typed 26 characters."},
		{"type", `{"text":"é"}`, "Done: typed 1 character."},
		{"app", `{}`, `The argument "action" is missing. It is open, list, get or forget. Correct the arguments and call again.`},
		{"app", `{"action":"fly"}`, "action must be open, list, get or forget. Correct the arguments and call again."},
		{"press", `{}`, "Pass either element, or x and y. Correct the arguments and call again."},
		{"wait", `{"window":"none","seconds":1}`, "The window \"none\" did not appear within 1 second (DEADLINE_EXCEEDED). Look at the desktop."},
		{"wait", `{"window":"none","seconds":0.5}`, "The window \"none\" did not appear within 0.5 seconds (DEADLINE_EXCEEDED). Look at the desktop."},
		{"run", `{"macro":"m"}`, "The macro ran 1 action."},
		{"run", `{"tool":"delete_macro","arguments":"{\"name\":\"macros/m\"}"}`, "Done."},
		{"run", `{"tool":"list_windows"}`, "Found no windows."},
		{"run", `{"tool":"execute_shell_command","arguments":"{\"command\":\"false\"}"}`, "It did not work: exit status 1 (FAILED_PRECONDITION). Read what it wrote, and correct it.\nexit_code: 1"},
		{"run", `{"steps":[{"do":"click","x":1}]}`, "steps[0]: click needs y. Correct the arguments and call again."},
		{"clipboard", `{"action":"write"}`, "write takes exactly one of text, html and files. Correct the arguments and call again."},
		{"clipboard", `{"action":"write","text":"a","html":"b"}`, "write takes exactly one of text, html and files. Correct the arguments and call again."},
		{"see", `{"element":"1:2"}`, "There is no element 1:2 (NOT_FOUND). Find the element again."},
	} {
		if text, _, _ := do(t, s, test.tool, test.args); text != test.want {
			t.Errorf("%s %s answers\n%s, want\n%s", test.tool, test.args, text, test.want)
		}
	}
}
