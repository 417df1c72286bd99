package desktop

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"google.golang.org/protobuf/encoding/protojson"

	"goated/internal/enumeration"
	"goated/servers/desktop/selector"
)

// stepsParam returns the argument for the actions of a macro as a flat list. Blocks begin with if,
// repeat, while or for_each, and close with end.
func stepsParam() param {
	text, number := &jsonschema.Schema{Type: "string"}, &jsonschema.Schema{Type: "number"}
	do := &jsonschema.Schema{Type: "string"}
	for _, k := range stepKinds() {
		do.Enum = append(do.Enum, k.do)
	}
	return param{name: "steps", doc: "Actions to run one after the other. press and write take element: a ref, or conditions such as role:button AND text:OK. scroll takes dx and dy in notches of the wheel. " +
		"call takes a method of the protocol as value, such as FocusWindow, and its fields. if, repeat, while and for_each begin a block that ends with end. repeat takes count. " +
		"for_each takes variable, and over: a list of texts, element:TEXT or window:PATTERN. A text may contain ${VARIABLE}. condition is [not ]element:TEXT, window:TITLE, app:NAME or NAME=VALUE of a variable", schema: &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{
		Type: "object", Required: []string{"do"}, Properties: map[string]*jsonschema.Schema{
			"do": do, "x": number, "y": number, "to_x": number, "to_y": number, "dx": number, "dy": number, "button": text, "count": {Type: "integer"},
			"element": text, "text": text, "key": text, "seconds": number, "condition": text, "variable": text, "value": text, "over": text,
		}}}}
}

// A stepKind is a kind of step with the members that it takes beside do. Those of call are the
// fields of the request.
type stepKind struct{ do, members string }

func stepKinds() []stepKind {
	return []stepKind{
		{"press", "element"}, {"write", "element text"}, {"click", "x y button count"}, {"type", "text"}, {"key", "key seconds"},
		{"move", "x y seconds"}, {"drag", "x y to_x to_y button seconds"}, {"scroll", "dx dy x y seconds"}, {"wait", "seconds condition"},
		{"set", "variable value"}, {"call", ""}, {"if", "condition"}, {"else", ""}, {"repeat", "count"}, {"while", "condition"},
		{"for_each", "over variable"}, {"end", ""},
	}
}

func stepNames() []string {
	var names []string
	for _, k := range stepKinds() {
		names = append(names, k.do)
	}
	return names
}

// checkMembers refuses members of a step that have no effect. An empty value counts as absent.
func checkMembers(do string, step object, i int) error {
	at := slices.IndexFunc(stepKinds(), func(k stepKind) bool { return k.do == do })
	if at < 0 || do == "call" {
		return nil // action reports an unknown step
	}
	takes := strings.Fields(stepKinds()[at].members)
	for _, name := range slices.Sorted(maps.Keys(step)) {
		switch step[name] {
		case nil, "", 0.0, false:
			continue
		}
		if name != "do" && !slices.Contains(takes, name) {
			why := "takes nothing else"
			if len(takes) > 0 {
				why = "takes " + enumeration.And(takes)
			}
			return invalid(fmt.Sprintf("steps[%d]: %s does not take %s. It %s", i, do, name, why))
		}
	}
	return nil
}

// isSteps reports whether the items are steps rather than actions of the protocol.
func isSteps(items []any) bool {
	return slices.ContainsFunc(items, func(v any) bool {
		m, ok := v.(map[string]any)
		return ok && m["do"] != nil
	})
}

// needsApp reports whether a step finds its element in the application of the macro.
func needsApp(step any) bool {
	m, _ := step.(map[string]any)
	text, _ := m["element"].(string)
	_, _, named := elementRef(text)
	return (m["do"] == "press" || m["do"] == "write") && !named
}

// A stepReader converts steps into actions of the protocol.
type stepReader struct {
	steps []any
	at    int
}

// readSteps converts steps into actions, as JSON of the protocol.
func readSteps(steps []any) ([]any, error) {
	r := &stepReader{steps: steps}
	actions, end, err := r.block(0)
	if err != nil {
		return nil, err
	}
	if end != "" {
		return nil, invalid(fmt.Sprintf("steps[%d]: %s has no block that it ends", r.at-1, end))
	}
	if len(actions) == 0 {
		return nil, invalid("steps are empty")
	}
	return actions, nil
}

// block reads steps up to a step "end" or "else", which it returns as end.
func (r *stepReader) block(depth int) (actions []any, end string, err error) {
	if depth > 16 {
		return nil, "", invalid("steps nest too deep")
	}
	for r.at < len(r.steps) {
		i := r.at
		r.at++
		step, ok := r.steps[i].(map[string]any)
		do, _ := step["do"].(string)
		if !ok || do == "" {
			return nil, "", invalid(fmt.Sprintf("steps[%d] has no do. It is one of: %s", i, strings.Join(stepNames(), ", ")))
		}
		if err := checkMembers(do, step, i); err != nil {
			return nil, "", err
		}
		if do == "end" || do == "else" {
			return actions, do, nil
		}
		action, err := r.action(do, step, i, depth)
		if err != nil {
			return nil, "", err
		}
		actions = append(actions, action)
	}
	return actions, "", nil
}

type object = map[string]any

// action converts one step into an action. It also reads the block that belongs to the step.
func (r *stepReader) action(do string, step object, i, depth int) (object, error) {
	need := func(names ...string) error {
		for _, n := range names {
			if step[n] == nil {
				return invalid(fmt.Sprintf("steps[%d]: %s needs %s", i, do, n))
			}
		}
		return nil
	}
	point := func(x, y string) object { return object{"x": step[x], "y": step[y]} }
	switch do {
	case "press", "write":
		return elementStep(do, step, i, need)
	case "click":
		return object{"input": object{"click": object{"position": point("x", "y"), "click_type": step["button"], "click_count": step["count"]}}}, need("x", "y")
	case "type":
		return object{"input": object{"type_text": object{"text": step["text"]}}}, need("text")
	case "key":
		key, modifiers := keyCombination(args(step).text("key"))
		press := object{"key": key, "hold_duration": step["seconds"]}
		if len(modifiers) > 0 {
			press["modifiers"] = modifiers
		}
		return object{"input": object{"press_key": press}}, need("key")
	case "move":
		return object{"input": object{"move_mouse": object{"position": point("x", "y"), "duration": step["seconds"]}}}, need("x", "y")
	case "drag":
		return object{"input": object{"drag": object{"start_position": point("x", "y"), "end_position": point("to_x", "to_y"), "button": step["button"], "duration": step["seconds"]}}}, need("x", "y", "to_x", "to_y")
	case "scroll":
		return scrollStep(step, i, need)
	case "wait":
		wait := object{"duration": step["seconds"]}
		if s, _ := step["condition"].(string); s != "" {
			kind, value, _ := strings.Cut(s, ":")
			field, ok := map[string]string{"element": "element_selector", "window": "window_title", "app": "application"}[kind]
			if !ok {
				return nil, invalid(fmt.Sprintf("steps[%d]: wait takes element:TEXT, window:TITLE or app:NAME, not %s", i, quote(s)))
			}
			wait["condition"] = object{field: strings.TrimSpace(value), "timeout": step["seconds"]}
			wait["duration"] = 0.0
		} else if err := need("seconds"); err != nil {
			return nil, err
		}
		return object{"wait": wait}, nil
	case "set":
		return object{"assign": object{"variable": step["variable"], "literal": step["value"]}}, need("variable", "value")
	case "call":
		return callStep(step), need("value")
	case "if", "repeat", "while", "for_each":
		return r.nested(do, step, i, depth, need)
	}
	return nil, invalid(fmt.Sprintf("steps[%d]: %s is unknown. Use one of: %s", i, quote(do), strings.Join(stepNames(), ", ")))
}

// scrollStep returns the action that turns the wheel at a position, or where the pointer is.
func scrollStep(step object, i int, need func(...string) error) (object, error) {
	if step["dx"] == nil && step["dy"] == nil {
		return nil, invalid(fmt.Sprintf("steps[%d]: scroll needs dx or dy", i))
	}
	scroll := object{"horizontal": step["dx"], "vertical": step["dy"], "duration": step["seconds"]}
	if step["x"] != nil || step["y"] != nil {
		if err := need("x", "y"); err != nil {
			return nil, err
		}
		scroll["position"] = object{"x": step["x"], "y": step["y"]}
	}
	return object{"input": object{"scroll": scroll}}, nil
}

// callStep returns the action that calls a method. The other members of the step are the fields of
// its request. A macro takes a message as JSON.
func callStep(step object) object {
	fields := object{}
	for k, v := range step {
		if k == "do" || k == "value" {
			continue
		}
		switch v.(type) {
		case map[string]any, []any:
			v = string(compactJSON(v))
		}
		fields[k] = v
	}
	return object{"method_call": object{"method": step["value"], "args": fields}}
}

// elementRef splits the ref or the name of an element into its application and its id. A text such as
// 12:30 is no ref, because it is more likely the text of an element.
func elementRef(text string) (parent, id string, ok bool) {
	if app, id, ok := strings.Cut(text, "/elements/"); ok && strings.HasPrefix(app, "applications/") {
		return app, id, true
	}
	pid, id, ok := strings.Cut(bare(text), ":")
	return "applications/" + pid, id, ok && digits(pid) && id != "" && !digits(id) && !strings.ContainsAny(id, " \t\n")
}

// elementStep returns the action that presses an element or writes into it. A selector finds the
// element when the step runs.
func elementStep(do string, step object, i int, need func(...string) error) (object, error) {
	if err := need("element"); err != nil {
		return nil, err
	}
	text, _ := step["element"].(string)
	args := object{}
	if parent, id, ok := elementRef(text); ok {
		args["parent"], args["element_id"] = parent, id
	} else {
		s, err := selector.ParseText(text)
		if err != nil {
			return nil, invalid(fmt.Sprintf("steps[%d]: element: %v", i, err))
		}
		b, err := protojson.Marshal(s)
		if err != nil {
			return nil, fmt.Errorf("encoding a selector: %w", err)
		}
		args["selector"] = string(b)
	}
	if do == "press" {
		return object{"method_call": object{"method": "ClickElement", "args": args}}, nil
	}
	args["value"] = step["text"]
	return object{"method_call": object{"method": "WriteElementValue", "args": args}}, need("text")
}

// nested returns a condition or a loop together with its block.
func (r *stepReader) nested(do string, step object, i, depth int, need func(...string) error) (object, error) {
	inside, end, err := r.block(depth + 1)
	if err != nil {
		return nil, err
	}
	var otherwise []any
	if end == "else" && do == "if" {
		if otherwise, end, err = r.block(depth + 1); err != nil {
			return nil, err
		}
	}
	if end != "end" {
		return nil, invalid(fmt.Sprintf("steps[%d]: the block of %s has no end", i, do))
	}
	var condition object
	if do == "if" || do == "while" {
		if err := need("condition"); err != nil {
			return nil, err
		}
		text, _ := step["condition"].(string)
		if condition, err = stepCondition(text, i); err != nil {
			return nil, err
		}
	}
	switch do {
	case "if":
		out := object{"condition": condition, "then_actions": inside}
		if len(otherwise) > 0 {
			out["else_actions"] = otherwise
		}
		return object{"conditional": out}, nil
	case "while":
		return object{"loop": object{"while_condition": condition, "actions": inside}}, nil
	case "repeat":
		return object{"loop": object{"count": step["count"], "actions": inside}}, need("count")
	}
	if err := need("over", "variable"); err != nil {
		return nil, err
	}
	over := args(step).text("over")
	switch v := step["over"].(type) {
	case []any:
		over = string(compactJSON(v))
	case string, float64:
	default:
		return nil, invalid(fmt.Sprintf("steps[%d]: over must be a text or a list", i))
	}
	kind, value, _ := strings.Cut(over, ":")
	each := object{"item_variable": step["variable"]}
	switch kind {
	case "element":
		each["element_selector"] = value
	case "window":
		each["window_pattern"] = value
	default:
		each["values"] = over
	}
	return object{"loop": object{"foreach": each, "actions": inside}}, nil
}

// stepCondition reads "[not ]element:TEXT", "window:TITLE", "app:NAME" or "NAME=VALUE".
func stepCondition(text string, i int) (object, error) {
	if rest, ok := strings.CutPrefix(text, "not "); ok {
		inner, err := stepCondition(rest, i)
		return object{"compound": object{"operator": "not", "conditions": []any{inner}}}, err
	}
	kind, value, colon := strings.Cut(text, ":")
	if colon {
		field, ok := map[string]string{"element": "element_exists", "window": "window_exists", "app": "application_running"}[kind]
		if ok {
			return object{field: strings.TrimSpace(value)}, nil
		}
	}
	if name, value, ok := strings.Cut(text, "="); ok && strings.TrimSpace(name) != "" {
		return object{"variable_equals": object{"variable": strings.TrimSpace(name), "value": strings.TrimSpace(value)}}, nil
	}
	return nil, invalid(fmt.Sprintf("steps[%d]: %s is not a condition. Write element:TEXT, window:TITLE, app:NAME or NAME=VALUE, with not before it if needed", i, quote(text)))
}
