package desktop

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"goated/servers/desktop/convert"
	pb "goated/servers/desktop/macosusesdk"
)

// pick copies those of the named arguments that are present. "from=to" copies from under the name
// to.
func (a args) pick(names ...string) map[string]any {
	out := make(map[string]any)
	for _, n := range names {
		from, to, ok := strings.Cut(n, "=")
		if !ok {
			to = from
		}
		if a.has(from) {
			out[to] = a[from]
		}
	}
	return out
}

// checkTarget checks the arguments that define where an action must land, and turns in into the
// name of an application. The service refuses input that would reach a different application. An
// argument that cannot be checked is an error, because the model would assume that it was checked.
func checkTarget(ctx context.Context, c *call) error {
	if c.has("element") {
		if c.has("in") {
			return invalid("pass in without element: an element has its application already")
		}
		return nil
	}
	if c.has("expect_role") || c.has("expect_name") {
		return invalid("expect_role and expect_name need element: use find to get its ref. in checks the application without one")
	}
	if !c.has("in") {
		return nil
	}
	place, err := c.resolve(ctx, "place", c.text("in"))
	if err == nil {
		c.args["in"] = appOf(place)
	}
	return err
}

// withRef runs a tool whose answer contains an element, and adds the element's ref.
func (c *call) withRef(ctx context.Context, parent, name string, args map[string]any) (*answer, error) {
	a, err := c.runTool(ctx, name, args)
	if err != nil {
		return nil, err
	}
	if e, ok := a.data["element"].(map[string]any); ok {
		if id, ok := e["element_id"]; ok {
			e["ref"] = strings.TrimPrefix(appOf(parent), "applications/") + ":" + fmt.Sprint(id)
			delete(e, "element_id")
		}
		delete(e, "path")
		if !a.failed {
			a.text = render(a.data)
		}
	}
	return a, nil
}

// typeText writes text into an element, types text, or presses a key.
func typeText(ctx context.Context, c *call) (*answer, error) {
	if !c.has("element") && c.text("text") == "" {
		delete(c.args, "text") // an empty text clears an element, and types nothing
	}
	switch {
	case !c.has("text") && !c.has("key"):
		return nil, invalid("pass text, or key, or both")
	case c.has("seconds") && !c.has("key"):
		return nil, invalid("seconds needs key: it is how long the key is held")
	}
	if err := checkTarget(ctx, c); err != nil {
		return nil, err
	}
	var last *answer
	var err error
	switch {
	case c.has("element") && c.has("text"):
		parent, id, e := c.target(ctx)
		if e != nil {
			return nil, e
		}
		args := c.pick("text=value", "expect_role", "expect_name")
		args["parent"], args["element_id"] = parent, id
		last, err = c.withRef(ctx, parent, "write_element_value", args)
		if err == nil && !last.failed && c.has("key") {
			// A key goes to the focused element, and writing does not move the focus.
			c.args["in"] = appOf(parent)
			focus := map[string]any{"parent": parent, "element_id": id, "action": "focus"}
			focused, err := c.runTool(ctx, "perform_element_action", focus)
			switch {
			case err != nil && !isCode(err, "FAILED_PRECONDITION"):
				return nil, afterText(err)
			case err != nil || focused.failed:
				return last.unfocused(), nil
			}
		}
	case c.has("element"):
		return nil, invalid("element needs text. To press a key in an element, press the element first")
	case c.has("text"):
		last, err = c.runTool(ctx, "type_text", c.pick("text", "in=parent"))
	}
	if err != nil || !c.has("key") || last != nil && last.failed {
		return last, err
	}
	name, args := "press_key", c.pick("key", "in=parent")
	if c.has("seconds") {
		name, args = "hold_key", c.pick("key", "seconds=duration", "in=parent")
	}
	pressed, err := c.runTool(ctx, name, args)
	switch {
	case last == nil:
		return pressed, err
	case err != nil:
		return nil, afterText(err)
	}
	pressed.text = last.text + "\n" + pressed.text
	data := maps.Clone(last.data) // the element, and the note if it has another text
	maps.Copy(data, pressed.data)
	pressed.data = data
	return pressed, nil
}

// afterText returns the error of a key that follows a text. It says that the text is in, because a
// model that repeats the call would write the text twice.
func afterText(err error) error {
	f := *toFailure(err)
	f.text = "the text is in, but pressing the key failed: " + f.text
	f.hint = strings.TrimSpace("Do not send the text again. " + f.hint)
	return &f
}

// window focuses, moves, resizes, minimizes, restores or closes a window, or returns its state.
func window(ctx context.Context, c *call) (*answer, error) {
	name := map[string]string{"focus": "focus_window", "move": "move_window", "resize": "resize_window", "minimize": "minimize_window",
		"restore": "restore_window", "close": "close_window", "state": "get_window_state"}[c.text("action")]
	args := c.pick("window=name")
	switch name {
	case "move_window":
		args = c.pick("window=name", "x", "y")
	case "resize_window":
		args = c.pick("window=name", "width", "height")
	case "close_window":
		args = c.pick("window=name", "force")
	}
	return c.runTool(ctx, name, args)
}

// clipboard reads, writes or clears the clipboard.
func clipboard(ctx context.Context, c *call) (*answer, error) {
	switch c.text("action") {
	case "read":
		return c.runTool(ctx, "get_clipboard", c.pick("max_bytes"))
	case "write":
		if len(c.pick("text", "html", "files")) != 1 {
			return nil, invalid("write takes exactly one of text, html and files")
		}
		return c.runTool(ctx, "write_clipboard", c.pick("text", "html", "files"))
	case "clear":
		return c.runTool(ctx, "clear_clipboard", map[string]any{})
	}
	return c.runTool(ctx, "get_clipboard_history", c.pick("max_bytes"))
}

// app opens, lists, gets or forgets applications.
func app(ctx context.Context, c *call) (*answer, error) {
	if c.text("action") != "list" && c.text("name") == "" {
		return nil, invalid("name is missing")
	}
	switch c.text("action") {
	case "open":
		return c.runTool(ctx, "open_application", c.pick("name=id", "background"))
	case "list":
		return c.runTool(ctx, "list_applications", c.pick("page_token", "max_bytes"))
	case "get":
		return c.runTool(ctx, "get_application", c.pick("name"))
	}
	return c.runTool(ctx, "delete_application", c.pick("name"))
}

// runAny runs steps, a macro or another tool.
func runAny(ctx context.Context, c *call) (*answer, error) {
	given := 0
	for _, k := range []string{"steps", "macro", "tool"} {
		if c.has(k) {
			given++
		}
	}
	if given > 1 {
		return nil, invalid("pass one of steps, macro and tool")
	}
	switch {
	case c.has("tool"):
		return callFunction(ctx, c)
	case c.has("steps"):
		return runSteps(ctx, c)
	case c.has("macro"):
		return runMacro(ctx, c, c.text("macro"))
	}
	var functions []any
	for _, t := range allTools() {
		var args []string
		for _, p := range t.params {
			if n := p.name; p.required {
				args = append(args, n+"!")
			} else {
				args = append(args, n)
			}
		}
		functions = append(functions, t.name+"("+strings.Join(args, ", ")+")")
	}
	a, _ := fit(map[string]any{"functions": functions}, max(c.budget(), 16000)) // the model asked for this list
	return a, nil
}

// callFunction calls another tool by its name.
func callFunction(ctx context.Context, c *call) (*answer, error) {
	name := c.text("tool")
	if c.tools[name] == nil {
		var near []string
		for n := range c.tools {
			if word, _, _ := strings.Cut(name, "_"); strings.Contains(n, word) {
				near = append(near, n)
			}
		}
		slices.Sort(near)
		more := "run without arguments lists them"
		if len(near) > 0 && len(near) < 12 {
			more = "similar: " + strings.Join(near, ", ")
		}
		return nil, invalid(fmt.Sprintf("there is no function %s; %s", quote(name), more))
	}
	args := make(map[string]any)
	if s := strings.TrimSpace(c.text("arguments")); s != "" {
		if err := json.Unmarshal([]byte(s), &args); err != nil || args == nil {
			return nil, invalid("arguments must be a JSON object in a text, such as {\"name\": \"sessions/1\"}")
		}
	}
	a, err := c.runTool(ctx, name, args)
	if err == nil {
		a.data = map[string]any{"result": a.data, "error": a.data["error"]}
		if a.data["error"] == nil {
			delete(a.data, "error")
		}
	}
	return a, err
}

// runSteps runs steps as a temporary macro, which it deletes afterwards.
func runSteps(ctx context.Context, c *call) (*answer, error) {
	items, _ := c.args["steps"].([]any)
	actions, err := readSteps(items)
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(items, needsApp); i >= 0 && !c.has("app") {
		// Checked here, because the steps before it would have run.
		return nil, invalid(fmt.Sprintf("app is missing: steps[%d] looks for its element in an application", i))
	}
	req := new(pb.CreateMacroRequest)
	if err := convert.Set(req.ProtoReflect(), "macro.actions", actions, "steps"); err != nil {
		return nil, err
	}
	req.Macro.DisplayName = "Steps of one call"
	reply, err := c.send(ctx, "CreateMacro", req)
	if err != nil {
		return nil, err
	}
	macro := reply.(*pb.Macro)
	defer func() {
		// This runs even after a cancelled call. It is best effort, because macros end with the
		// server.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
		defer cancel()
		_, _ = c.send(ctx, "DeleteMacro", &pb.DeleteMacroRequest{Name: macro.GetName(), Force: true})
	}()
	return runMacro(ctx, c, macro.GetName())
}

func runMacro(ctx context.Context, c *call, name string) (*answer, error) {
	if !strings.Contains(name, "/") {
		name = "macros/" + name
	}
	values := make(map[string]any)
	for _, v := range c.texts("values") {
		k, value, ok := strings.Cut(v, "=")
		if !ok {
			return nil, invalid(fmt.Sprintf("values: %s is not NAME=VALUE", quote(v)))
		}
		values[k] = value
	}
	args := c.pick("app=application", "timeout", "max_bytes")
	args["macro"], args["parameter_values"], args["record_execution"] = name, values, true
	return c.runTool(ctx, "execute_macro", args)
}
