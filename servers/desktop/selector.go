package desktop

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"google.golang.org/protobuf/reflect/protoreflect"

	"goated/servers/desktop/convert"
	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/selector"
)

// selectorParams returns the arguments that select elements. An element must match all arguments
// that are set.
func selectorParams() []param {
	text := &jsonschema.Schema{Type: "string"}
	some := &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{Type: "object"}}
	object := param{name: "selector", doc: "Conditions that all have to fit; and, or and not hold selectors again", schema: &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{
		"role": text, "text": text, "text_contains": text, "text_regex": text,
		"position":   {Type: "object", Description: "x, y and tolerance in pixels"},
		"attributes": {Type: "object"},
		"and":        some, "or": some, "not": {Type: "object"},
	}}}
	return []param{
		extraParam("role", "string", "Role, such as button, text field, AXButton"), extraParam("text", "string", "The whole text"),
		extraParam("text_contains", "string", "A part of the text"), extraParam("text_regex", "string", "A regular expression for the text"), object,
	}
}

// selector makes a selector from the arguments. It returns nil if there are none.
func (c *call) selector() (*pb.ElementSelector, error) {
	var all []*pb.ElementSelector
	flat := make(map[string]any)
	for _, name := range []string{"role", "text", "text_contains", "text_regex"} {
		if c.has(name) {
			flat[name] = c.args[name]
		}
	}
	if len(flat) > 0 {
		s, err := readSelector(flat, "the selector", 0)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	switch v := c.args["selector"].(type) {
	case nil:
	case string: // "role:button AND text:OK"
		s, err := selector.ParseText(v)
		if err != nil {
			return nil, invalid(err.Error())
		}
		all = append(all, s)
	default:
		s, err := readSelector(v, "selector", 0)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	if len(all) == 0 {
		return nil, nil
	}
	return joined(pb.CompoundSelector_OPERATOR_AND, all), nil
}

func joined(op pb.CompoundSelector_Operator, all []*pb.ElementSelector) *pb.ElementSelector {
	if len(all) == 1 && op != pb.CompoundSelector_OPERATOR_NOT {
		return all[0]
	}
	return &pb.ElementSelector{Criteria: &pb.ElementSelector_Compound{Compound: &pb.CompoundSelector{Operator: op, Selectors: all}}}
}

// readSelector reads a selector in the protocol's form, or an object whose members must all match.
func readSelector(v any, name string, depth int) (*pb.ElementSelector, error) {
	object, ok := v.(map[string]any)
	if !ok {
		return nil, invalid(name + " must be an object such as {\"role\": \"button\", \"text\": \"OK\"}")
	}
	if depth > 16 {
		return nil, invalid(name + " nests too deep")
	}
	var all []*pb.ElementSelector
	keys := make([]string, 0, len(object))
	for k := range object {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		op := pb.CompoundSelector_OPERATOR_UNSPECIFIED
		field := k
		switch k {
		case "and", "all":
			op = pb.CompoundSelector_OPERATOR_AND
		case "or", "any":
			op = pb.CompoundSelector_OPERATOR_OR
		case "not":
			op = pb.CompoundSelector_OPERATOR_NOT
		case "title", "name":
			field = "text"
		case "contains":
			field = "text_contains"
		case "regex":
			field = "text_regex"
		}
		one := new(pb.ElementSelector)
		if op == pb.CompoundSelector_OPERATOR_UNSPECIFIED {
			if one.ProtoReflect().Descriptor().Fields().ByName(protoreflect.Name(field)) == nil {
				return nil, invalid(fmt.Sprintf("%s.%s is unknown. Use role, text, text_contains, text_regex, position, attributes, and, or, not", name, k))
			}
			if err := convert.Set(one.ProtoReflect(), field, object[k], name+"."+k); err != nil {
				return nil, err
			}
			all = append(all, one)
			continue
		}
		items, ok := object[k].([]any)
		if !ok {
			items = []any{object[k]}
		}
		var below []*pb.ElementSelector
		for i, item := range items {
			s, err := readSelector(item, fmt.Sprintf("%s.%s[%d]", name, k, i), depth+1)
			if err != nil {
				return nil, err
			}
			below = append(below, s)
		}
		if op == pb.CompoundSelector_OPERATOR_NOT && len(below) != 1 || len(below) == 0 {
			return nil, invalid(fmt.Sprintf("%s.%s has %d selectors", name, k, len(below)))
		}
		all = append(all, joined(op, below))
	}
	if len(all) == 0 {
		return new(pb.ElementSelector), nil
	}
	return joined(pb.CompoundSelector_OPERATOR_AND, all), nil
}

// setSelector sets the selector of a request if the tool takes one.
func (c *call) setSelector(req protoreflect.Message) error {
	fd := req.Descriptor().Fields().ByName("selector")
	if fd == nil || !slices.ContainsFunc(c.tool.params, func(p param) bool { return p.name == "selector" }) {
		return nil
	}
	s, err := c.selector()
	if err != nil {
		return err
	}
	if s == nil && (fd.ContainingOneof() != nil || strings.HasPrefix(c.tool.method, "Wait")) {
		return nil
	}
	if s == nil {
		s = new(pb.ElementSelector) // matches every element
	}
	req.Set(fd, protoreflect.ValueOfMessage(s.ProtoReflect()))
	return nil
}

// appOf returns the application's part of the name of anything in it.
func appOf(name string) string {
	parts := strings.SplitN(name, "/", 3)
	if len(parts) < 2 {
		return name
	}
	return parts[0] + "/" + parts[1]
}

// element finds the element of the call and checks that it is the expected one. The call names it
// by element_id, or by a selector that matches only one element that shows, or only one hidden
// element.
func (c *call) element(ctx context.Context, parent string) (*pb.Element, error) {
	e, err := c.chosen(ctx, parent)
	if err != nil {
		return nil, err
	}
	if want := c.text("expect_role"); want != "" && !selector.IsRole(e.GetRole(), want) {
		return nil, refused(fmt.Sprintf("the element is %s, not a %s. Nothing was done", line(convert.Object(e.ProtoReflect())), quote(want)), "Look again: the window has changed.")
	}
	if want := c.text("expect_name"); want != "" && !strings.EqualFold(strings.TrimSpace(want), strings.TrimSpace(e.GetText())) {
		return nil, refused(fmt.Sprintf("the element is %s, and its text is not %s. Nothing was done", line(convert.Object(e.ProtoReflect())), quote(want)), "Look again: the window has changed.")
	}
	return e, nil
}

func (c *call) chosen(ctx context.Context, parent string) (*pb.Element, error) {
	if id := c.text("element_id"); id != "" {
		name := id
		if !strings.Contains(id, "/") {
			name = appOf(parent) + "/elements/" + id
		}
		e := new(pb.Element)
		if err := c.link.Call(ctx, "GetElement", &pb.GetElementRequest{Name: name}, e); err != nil {
			return nil, err
		}
		if e.GetElementId() == "" {
			e.ElementId = name[strings.LastIndex(name, "/")+1:]
		}
		return e, nil
	}
	s, err := c.selector()
	if err != nil {
		return nil, err
	}
	if s == nil {
		return nil, invalid("the element is missing. Pass element_id, or a selector: role, text, text_contains")
	}
	// An element that shows comes before those of hidden tabs. An item of a closed menu does not show.
	var found []*pb.Element
	for _, visible := range []bool{true, false} {
		reply := new(pb.FindElementsResponse)
		if err := c.link.Call(ctx, "FindElements", &pb.FindElementsRequest{Parent: parent, Selector: s, PageSize: 5, VisibleOnly: visible}, reply); err != nil {
			return nil, err
		}
		if found = reply.GetElements(); len(found) > 0 {
			break
		}
	}
	switch len(found) {
	case 0:
		return nil, &failure{codeServer, "NOT_FOUND", "no element fits", "Look at the window, or take a screenshot: some applications do not describe their elements."}
	case 1:
		return found[0], nil
	default:
		var lines []string
		for _, e := range found {
			lines = append(lines, line(convert.Object(e.ProtoReflect())))
		}
		return nil, invalid("several elements fit: " + strings.Join(lines, "; ") + ". Pass the element_id of one")
	}
}

// secret reports whether an element is a password field.
func secret(e *pb.Element) bool {
	role := strings.NewReplacer(" ", "", "_", "", "-", "").Replace(strings.ToLower(e.GetRole()))
	return strings.Contains(role, "password") || strings.Contains(role, "secure")
}

// errSecret returns the error that refuses to write a password.
func errSecret() error {
	return &failure{codeServer, "PERMISSION_DENIED", "this is a field for a password", "Passwords are the user's to type. Ask the user to do it, then go on."}
}
