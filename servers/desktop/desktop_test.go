package desktop

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"goated/servers/desktop/link"
	pb "goated/servers/desktop/macosusesdk"
)

// cases contains a call of every tool: its arguments, the request that reaches the service, and
// part of the answer's text.
var cases = map[string]struct{ args, request, text string }{
	"open_application":   {`{"id":"Calculator","background":true}`, `{"background":true,"id":"Calculator"}`, "the display_name"},
	"get_application":    {`{"name":"12"}`, `{"name":"applications/12"}`, "the display_name (the name, PID 7)"},
	"list_applications":  {`{"page_size":5,"filter":"name=\"x\"","order_by":"pid desc"}`, `{"filter":"name=\"x\"","order_by":"pid desc","page_size":5}`, "Found 1 application:\n- the display_name"},
	"delete_application": {`{"application":"applications/12"}`, `{"name":"applications/12"}`, "Done."},

	"get_window":       {`{"window":"applications/1/windows/2"}`, `{"name":"applications/1/windows/2"}`, `"the title" (the name) 100×100 at (100, 100)`},
	"list_windows":     {`{"parent":"12"}`, `{"parent":"applications/12"}`, "Found 1 window:"},
	"get_window_state": {`{"name":"applications/1/windows/2"}`, `{"name":"applications/1/windows/2/state"}`, "minimized: true"},
	"focus_window":     {`{"name":"applications/1/windows/2"}`, `{"name":"applications/1/windows/2"}`, "the title"},
	"move_window":      {`{"name":"applications/1/windows/2","x":-5,"y":"7"}`, `{"name":"applications/1/windows/2","x":-5,"y":7}`, "the title"},
	"resize_window":    {`{"name":"applications/1/windows/2","width":640,"height":480}`, `{"height":480,"name":"applications/1/windows/2","width":640}`, "the title"},
	"minimize_window":  {`{"name":"applications/1/windows/2"}`, `{"name":"applications/1/windows/2"}`, "the title"},
	"restore_window":   {`{"name":"applications/1/windows/2"}`, `{"name":"applications/1/windows/2"}`, "the title"},
	"close_window":     {`{"name":"applications/1/windows/2","force":true}`, `{"force":true,"name":"applications/1/windows/2"}`, "Done."},

	"find_elements": {`{"parent":"applications/1","role":"button","selector":{"or":[{"text":"OK"},{"not":{"text_regex":"^C"}}]}}`,
		`{"parent":"applications/1","selector":{"compound":{"operator":"OPERATOR_AND","selectors":[{"role":"button"},{"compound":{"operator":"OPERATOR_OR","selectors":[{"text":"OK"},{"compound":{"operator":"OPERATOR_NOT","selectors":[{"text_regex":"^C"}]}}]}}]}}}`, "Found 1 element:\n- the role \"the text\" [the element_id]"},
	"find_region_elements":   {`{"parent":"applications/1","x":1,"y":2,"width":3,"height":4}`, `{"parent":"applications/1","region":{"height":4,"width":3,"x":1,"y":2},"selector":{}}`, "Found 1 element"},
	"get_element":            {`{"element":"applications/1/elements/e"}`, `{"name":"applications/1/elements/e"}`, `the role "the text"`},
	"get_element_actions":    {`{"name":"1:e"}`, `{"name":"applications/1/elements/e"}`, "the actions"},
	"click_element":          {`{"parent":"applications/1","element_id":"e","click_type":"double","expect_role":"The Role"}`, `{"click_type":"CLICK_TYPE_DOUBLE","element_id":"the element_id","parent":"applications/1"}`, "Done."},
	"write_element_value":    {`{"parent":"applications/1","role":"entry","value":"x"}`, `{"element_id":"the element_id","parent":"applications/1","value":"x"}`, `The field now reads "the text"`},
	"perform_element_action": {`{"parent":"applications/1","element_id":"e","action":"press"}`, `{"action":"press","element_id":"the element_id","parent":"applications/1"}`, "Done."},
	"wait_element":           {`{"parent":"applications/1","text_contains":"OK","timeout":2}`, `{"parent":"applications/1","selector":{"text_contains":"OK"},"timeout":2}`, "the role"},
	"wait_element_state":     {`{"parent":"applications/1","element_id":"e","condition":"disabled"}`, `{"condition":{"enabled":false},"element_id":"e","parent":"applications/1"}`, "the role"},
	"traverse_accessibility": {`{"name":"applications/1","visible_only":true}`, `{"name":"applications/1","visible_only":true}`, "Found 1 element"},
	"watch_accessibility":    {`{"name":"applications/1","timeout":1}`, `{"name":"applications/1"}`, "Nothing changed."},

	"list_displays":   {`{}`, `{}`, "Found 1 display"},
	"get_display":     {`{"name":"displays/1"}`, `{"name":"displays/1"}`, "scale: 100"},
	"cursor_position": {`{}`, "", "x: 100"},

	"get_clipboard":         {`{}`, `{"name":"clipboard"}`, "The clipboard holds text:\nthe text"},
	"write_clipboard":       {`{"text":"naïve 日本語 🙂"}`, `{"content":{"text":"naïve 日本語 🙂","type":"CONTENT_TYPE_TEXT"}}`, "now holds text"},
	"clear_clipboard":       {`{}`, `{}`, "Done."},
	"get_clipboard_history": {`{}`, `{"name":"clipboard/history"}`, "Found 1 entry:"},

	"create_input":      {`{"action":{"press_key":{"key":"a","modifiers":["ctrl"]}},"parent":"applications/1"}`, `{"input":{"action":{"press_key":{"key":"a","modifiers":["MODIFIER_CONTROL"]}}},"parent":"applications/1"}`, "Done: "},
	"click":             {`{"x":10,"y":20,"button":"right","click_count":2}`, `{"input":{"action":{"click":{"click_count":2,"click_type":"CLICK_TYPE_RIGHT","position":{"x":10,"y":20}}}}}`, "Done: clicked at (100, 100)."},
	"type_text":         {`{"text":"naïve 日本語 🙂","char_delay":0.1}`, `{"input":{"action":{"type_text":{"char_delay":0.1,"text":"naïve 日本語 🙂"}}}}`, "Done: "},
	"press_key":         {`{"key":"ctrl+shift+t"}`, `{"input":{"action":{"press_key":{"key":"t","modifiers":["MODIFIER_CONTROL","MODIFIER_SHIFT"]}}}}`, "Done: "},
	"hold_key":          {`{"key":"a","duration":1.5}`, `{"input":{"action":{"press_key":{"hold_duration":1.5,"key":"a"}}}}`, "Done: "},
	"mouse_move":        {`{"x":1,"y":2}`, `{"input":{"action":{"move_mouse":{"position":{"x":1,"y":2}}}}}`, "Done: "},
	"scroll":            {`{"vertical":3}`, `{"input":{"action":{"scroll":{"vertical":3}}}}`, "Done: "},
	"drag":              {`{"start_x":1,"start_y":2,"end_x":3,"end_y":4}`, `{"input":{"action":{"drag":{"end_position":{"x":3,"y":4},"start_position":{"x":1,"y":2}}}}}`, "Done: "},
	"mouse_button_down": {`{"x":1,"y":2,"modifiers":["shift"]}`, `{"input":{"action":{"button_down":{"modifiers":["MODIFIER_SHIFT"],"position":{"x":1,"y":2}}}}}`, "Done: "},
	"mouse_button_up":   {`{"x":1,"y":2}`, `{"input":{"action":{"button_up":{"position":{"x":1,"y":2}}}}}`, "Done: "},
	"hover":             {`{"x":1,"y":2,"application":"applications/3"}`, `{"input":{"action":{"hover":{"duration":1,"position":{"x":1,"y":2}}}},"parent":"applications/3"}`, "Done: "},
	"gesture":           {`{"center_x":1,"center_y":2,"gesture_type":"swipe","direction":"up"}`, `{"input":{"action":{"gesture":{"center":{"x":1,"y":2},"direction":"DIRECTION_UP","gesture_type":"GESTURE_TYPE_SWIPE"}}}}`, "Done: "},
	"get_input":         {`{"name":"desktopInputs/1"}`, `{"name":"desktopInputs/1"}`, "state: completed"},
	"list_inputs":       {`{"parent":"applications/1"}`, `{"parent":"applications/1"}`, "Found 1 input"},

	"create_observation":  {`{"parent":"applications/1","type":"windows","roles":["button"]}`, `{"observation":{"filter":{"roles":["button"]},"type":"OBSERVATION_TYPE_WINDOW_CHANGES"},"parent":"applications/1"}`, "stream_observations"},
	"get_observation":     {`{"name":"applications/1/observations/2"}`, `{"name":"applications/1/observations/2"}`, "type: element_changes"},
	"list_observations":   {`{"parent":"applications/1"}`, `{"parent":"applications/1"}`, "Found 1 observation"},
	"cancel_observation":  {`{"name":"applications/1/observations/2"}`, `{"name":"applications/1/observations/2"}`, "type: element_changes"},
	"stream_observations": {`{"name":"applications/1/observations/3"}`, `{"name":"applications/1/observations/3"}`, "Found 1 event"},

	"execute_apple_script":       {`{"script":"beep","timeout":1.5}`, `{"script":"beep","timeout":{"nanos":500000000,"seconds":1}}`, "the output"},
	"execute_javascript":         {`{"script":"1","compile_only":true}`, `{"compile_only":true,"script":"1"}`, "the output"},
	"execute_shell_command":      {`{"command":"ls","args":["-l"],"environment":{"A":"b"}}`, `{"args":["-l"],"command":"ls","environment":{"A":"b"}}`, "stdout: the stdout"},
	"validate_script":            {`{"type":"javascript","script":"1"}`, `{"script":"1","type":"SCRIPT_TYPE_JXA"}`, "valid: true"},
	"get_scripting_dictionaries": {`{}`, `{"name":"scriptingDictionaries"}`, "Found 1 dictionary:"},

	"capture_screenshot":         {`{"format":"jpeg","quality":80}`, `{"format":"IMAGE_FORMAT_JPEG","quality":80}`, "has 40×20 pixels and is screenshot s"},
	"capture_window_screenshot":  {`{"window":"applications/1/windows/2","include_ocr":true}`, `{"include_ocr_text":true,"window":"applications/1/windows/2"}`, `The picture of window "the title"`},
	"capture_element_screenshot": {`{"parent":"applications/1","element_id":"e"}`, `{"element_id":"e","parent":"applications/1"}`, `The picture of the role`},
	"capture_region_screenshot":  {`{"x":1,"y":2,"width":3,"height":4}`, `{"region":{"height":4,"width":3,"x":1,"y":2}}`, "Text in it:\nthe ocr_text"},

	"create_session":       {`{"session_id":"a","metadata":{"k":"v"}}`, `{"session":{"metadata":{"k":"v"}},"session_id":"a"}`, "state: active"},
	"get_session":          {`{"name":"sessions/1"}`, `{"name":"sessions/1"}`, "state: active"},
	"list_sessions":        {`{}`, `{}`, "Found 1 session"},
	"delete_session":       {`{"name":"sessions/1","force":true}`, `{"force":true,"name":"sessions/1"}`, "Done."},
	"get_session_snapshot": {`{"name":"sessions/1"}`, `{"name":"sessions/1"}`, "Found 1 history"},
	"begin_transaction":    {`{"session":"sessions/1","isolation_level":"read_committed","timeout":9}`, `{"isolation_level":"ISOLATION_LEVEL_READ_COMMITTED","session":"sessions/1","timeout":9}`, "the transaction_id"},
	"commit_transaction":   {`{"name":"sessions/1","transaction_id":"t"}`, `{"name":"sessions/1","transaction_id":"t"}`, "the transaction_id"},
	"rollback_transaction": {`{"name":"sessions/1","transaction_id":"t"}`, `{"name":"sessions/1","revision_id":"t","transaction_id":"t"}`, "the transaction_id"},

	"create_macro":  {`{"display_name":"M","actions":[{"do":"repeat","count":2},{"do":"click","x":1,"y":2},{"do":"end"}]}`, `{"macro":{"actions":[{"loop":{"actions":[{"input":{"click":{"position":{"x":1,"y":2}}}}],"count":2}}],"display_name":"M"}}`, "the display_name"},
	"get_macro":     {`{"name":"macros/1"}`, `{"name":"macros/1"}`, "the display_name"},
	"list_macros":   {`{}`, `{}`, "Found 1 macro"},
	"update_macro":  {`{"name":"macros/1","description":"d","tags":["a"]}`, `{"macro":{"description":"d","name":"macros/1","tags":["a"]},"update_mask":{"paths":["description","tags"]}}`, "the display_name"},
	"delete_macro":  {`{"name":"macros/1"}`, `{"name":"macros/1"}`, "Done."},
	"execute_macro": {`{"macro":"macros/1","parameter_values":{"a":"b"},"speed":2}`, `{"macro":"macros/1","options":{"speed":2,"timeout":300},"parameter_values":{"a":"b"}}`, "The macro ran 7 actions."},

	"automate_open_file_dialog": {`{"application":"1","file_path":"/a"}`, `{"application":"applications/1","file_path":"/a"}`, "Done."},
	"automate_save_file_dialog": {`{"application":"1","file_path":"/a","confirm_overwrite":true}`, `{"application":"applications/1","confirm_overwrite":true,"file_path":"/a"}`, "Done."},
	"select_file":               {`{"application":"1","file_path":"/a","reveal_finder":true}`, `{"application":"applications/1","file_path":"/a","reveal_finder":true}`, "Done."},
	"select_directory":          {`{"application":"1","directory_path":"/a"}`, `{"application":"applications/1","directory_path":"/a"}`, "Done."},
	"drag_files":                {`{"application":"1","file_paths":["/a"],"target_element_id":"e"}`, `{"application":"applications/1","file_paths":["/a"],"target_element_id":"e"}`, "Done."},
}

// Every tool sends the request that its arguments describe, and answers with the reply. The answer
// matches the output schema and is short.
func TestEveryTool(t *testing.T) {
	f := newFake(t)
	s := connect(t, Options{AllTools: true, Scripting: true, Getenv: f.environ}, nil)
	list, err := s.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	there := make(map[string]bool)
	for _, tool := range list.Tools {
		there[tool.Name] = true
		test, ok := cases[tool.Name]
		if !ok {
			t.Errorf("%s has no case", tool.Name)
			continue
		}
		if tool.Title == "" || tool.Annotations.Title != tool.Title || tool.OutputSchema == nil || !strings.HasSuffix(tool.Description, ".") {
			t.Errorf("%s: title %q, description %q", tool.Name, tool.Title, tool.Description)
		}
		f.last("")
		text, data, failed := do(t, s, tool.Name, test.args)
		if failed || !strings.Contains(text, test.text) {
			t.Errorf("%s answers %q, without %q", tool.Name, text, test.text)
		}
		if m := allByName()[tool.Name].method; test.request != "" {
			if got := f.last(m); got != test.request {
				t.Errorf("%s sends\n%s, want\n%s", tool.Name, got, test.request)
			}
		}
		fits(t, tool, data)
		if n := len(text) + len(compactJSON(data)); n > defaultBytes {
			t.Errorf("%s answers with %d bytes", tool.Name, n)
		}
	}
	for name := range cases {
		if !there[name] {
			t.Errorf("%s has a case and is no tool", name)
		}
	}
}

func allByName() map[string]*tool {
	all := make(map[string]*tool)
	for _, t := range allTools() {
		all[t.name] = t
	}
	return all
}

// fits checks data against a tool's output schema as a client sees it.
func fits(t *testing.T, tool *mcp.Tool, data any) {
	t.Helper()
	b, err := json.Marshal(tool.OutputSchema)
	if err != nil {
		t.Fatal(err)
	}
	schema := new(jsonschema.Schema)
	if err := json.Unmarshal(b, schema); err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatalf("%s: %v", tool.Name, err)
	}
	if err := resolved.Validate(data); err != nil {
		t.Errorf("%s: %v", tool.Name, err)
	}
}

// Every tool reports every gRPC code with its name, the service's message and a hint.
func TestEveryToolReportsEveryCode(t *testing.T) {
	f := newFake(t)
	s := connect(t, Options{AllTools: true, Scripting: true, Getenv: f.environ}, nil)
	list, err := s.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for code := codes.Canceled; code <= codes.Unauthenticated; code++ {
		f.fail(code)
		want := (&link.Failure{Code: code}).Name()
		for _, tool := range list.Tools {
			if tool.Name == "watch_accessibility" && (code == codes.Canceled || code == codes.DeadlineExceeded) {
				continue // a normal end of this tool
			}
			text, data, failed := do(t, s, tool.Name, cases[tool.Name].args)
			e, _ := data["error"].(map[string]any)
			if !failed || e["reason"] != want || e["code"] != -32000.0 || !strings.Contains(text, "("+want+")") || e["message"] == "" || e["hint"] == "" {
				t.Errorf("%s with %s: failed=%t %q %v", tool.Name, want, failed, text, data)
			}
			said := !slices.Contains([]codes.Code{codes.Canceled, codes.DeadlineExceeded}, code)
			if said && !strings.Contains(text, "he reason of the server") {
				t.Errorf("%s with %s leaves out the reason: %q", tool.Name, want, text)
			}
			if code == codes.NotFound {
				fits(t, tool, data)
			}
		}
	}
}

// Scripts need the user's permission, no matter which tool runs them.
func TestScriptsAreOffByDefault(t *testing.T) {
	f := newFake(t)
	all := connect(t, Options{AllTools: true, Getenv: f.environ}, nil)
	few := connect(t, Options{Getenv: f.environ}, nil)
	for _, name := range []string{"execute_shell_command", "execute_apple_script", "execute_javascript"} {
		direct, _, failed := do(t, all, name, cases[name].args)
		through, _, failed2 := do(t, few, "run", fmt.Sprintf(`{"tool":%q,"arguments":%q}`, name, cases[name].args))
		for _, text := range []string{direct, through} {
			if !failed || !failed2 || !strings.Contains(text, "scripts and shell commands are off") && !strings.Contains(text, "Scripts and shell commands are off") {
				t.Errorf("%s answers %q", name, text)
			}
		}
		if got := f.last(allByName()[name].method); got != "no request" {
			t.Errorf("%s sent %s", name, got)
		}
	}
	const nested = `{"do":"if","condition":"app:x"},{"do":"repeat","count":2},{"do":"call","value":"ExecuteShellCommand","text":"x"},{"do":"end"},{"do":"end"}`
	const actions = `[{"loop":{"count":1,"actions":[{"method_call":{"method":"macosusesdk.v1.MacosUse/executeAppleScript","args":{"script":"beep"}}}]}}]`
	f.on("GetMacro", func(proto.Message) (proto.Message, error) {
		return &pb.Macro{Name: "macros/1", Actions: []*pb.MacroAction{{Action: &pb.MacroAction_MethodCall{MethodCall: &pb.MethodCall{Method: "ExecuteShellCommand"}}}}}, nil
	})
	for _, test := range []struct {
		s                  *mcp.ClientSession
		name, args, method string
	}{
		{few, "run", `{"steps":[` + nested + `]}`, "CreateMacro"},
		{all, "create_macro", `{"display_name":"M","actions":[` + nested + `]}`, "CreateMacro"},
		{all, "create_macro", `{"display_name":"M","actions":` + actions + `}`, "CreateMacro"},
		{all, "update_macro", `{"name":"macros/1","actions":` + actions + `}`, "UpdateMacro"},
		{all, "execute_macro", `{"macro":"macros/1"}`, "ExecuteMacro"}, // a macro that somebody else made
		{few, "run", `{"macro":"1"}`, "ExecuteMacro"},
	} {
		text, _, failed := do(t, test.s, test.name, test.args)
		if sent := f.last(test.method); !failed || sent != "no request" || !strings.Contains(strings.ToLower(text), "scripts and shell commands are off") {
			t.Errorf("%s %s: %q, and sends %s", test.name, test.args, text, sent)
		}
	}
	on := connect(t, Options{AllTools: true, Getenv: func(n string) string {
		if n == envScripting {
			return "true"
		}
		return f.environ(n)
	}}, nil)
	if text, _, failed := do(t, on, "execute_shell_command", cases["execute_shell_command"].args); failed {
		t.Error(text)
	}
}
