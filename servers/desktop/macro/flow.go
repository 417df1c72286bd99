package macro

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/selector"
)

// selectorOf parses a selector in text form. It also compiles it, only to report mistakes.
func selectorOf(text string) (*pb.ElementSelector, error) {
	s, err := selector.ParseText(text)
	if err != nil {
		return nil, err
	}
	_, err = selector.Parse(s)
	return s, err
}

// find returns the elements that match a selector in text form. It substitutes variables after
// parsing, so that their values cannot change the structure of the selector.
func (r *run) find(ctx context.Context, text string) ([]*pb.Element, error) {
	if name, ok := soleVariable(text); ok { // the variable contains the whole selector
		v, err := r.value(name)
		if err != nil {
			return nil, err
		}
		text = strings.ReplaceAll(v, "${", "$${")
	}
	s, err := selector.ParseText(text)
	if err != nil {
		return nil, err
	}
	if s, err = expand(r, s); err != nil {
		return nil, err
	}
	return r.world.Find(ctx, s)
}

// window reports whether a window's title contains a text, ignoring case.
func (r *run) window(ctx context.Context, part string) (bool, error) {
	titles, err := r.world.Windows(ctx)
	for _, t := range titles {
		if strings.Contains(strings.ToLower(t), strings.ToLower(part)) {
			return true, nil
		}
	}
	return false, err
}

// evaluateCondition evaluates a condition.
func (r *run) evaluateCondition(ctx context.Context, c *pb.MacroCondition) (bool, error) {
	switch c := c.GetCondition().(type) {
	case *pb.MacroCondition_ElementExists:
		found, err := r.find(ctx, c.ElementExists)
		return len(found) > 0, err
	case *pb.MacroCondition_WindowExists:
		part, err := r.text(c.WindowExists)
		if err != nil {
			return false, err
		}
		return r.window(ctx, part)
	case *pb.MacroCondition_ApplicationRunning:
		app, err := r.text(c.ApplicationRunning)
		if err != nil {
			return false, err
		}
		return r.world.Running(ctx, app)
	case *pb.MacroCondition_VariableEquals:
		want, err := r.text(c.VariableEquals.GetValue())
		if err != nil {
			return false, err
		}
		have, err := r.value(c.VariableEquals.GetVariable())
		return have == want, err
	case *pb.MacroCondition_Compound:
		op := c.Compound.GetOperator()
		for _, part := range c.Compound.GetConditions() {
			holds, err := r.evaluateCondition(ctx, part)
			switch {
			case err != nil:
				return false, err
			case op == pb.CompoundCondition_OPERATOR_NOT:
				return !holds, nil
			case op == pb.CompoundCondition_OPERATOR_AND && !holds:
				return false, nil
			case op == pb.CompoundCondition_OPERATOR_OR && holds:
				return true, nil
			}
		}
		return op == pb.CompoundCondition_OPERATOR_AND, nil
	}
	return false, errors.New("the condition is empty")
}

// loop runs the actions of a loop repeatedly.
func (r *run) loop(ctx context.Context, l *pb.LoopAction) error {
	switch kind := l.GetLoopType().(type) {
	case *pb.LoopAction_Count:
		for i := range kind.Count {
			if err := r.set("index", strconv.Itoa(int(i))); err != nil {
				return err
			}
			if err := r.all(ctx, l.GetActions(), false); err != nil {
				return err
			}
		}
		return nil
	case *pb.LoopAction_WhileCondition:
		for i := 0; ; i++ {
			holds, err := r.evaluateCondition(ctx, kind.WhileCondition)
			if err != nil || !holds {
				return err
			}
			if i >= MaxLoop {
				return fmt.Errorf("the loop's condition still holds after %d rounds", MaxLoop)
			}
			if err := r.set("index", strconv.Itoa(i)); err != nil {
				return err
			}
			if err := r.all(ctx, l.GetActions(), false); err != nil {
				return err
			}
		}
	case *pb.LoopAction_Foreach:
		items, err := r.items(ctx, kind.Foreach)
		if err != nil {
			return err
		}
		if len(items) > MaxLoop {
			return fmt.Errorf("the loop has %d items; at most %d are allowed", len(items), MaxLoop)
		}
		for i, item := range items {
			item["index"] = strconv.Itoa(i)
			for name, v := range item {
				if err := r.set(name, v); err != nil {
					return err
				}
			}
			if err := r.all(ctx, l.GetActions(), false); err != nil {
				return err
			}
		}
		return nil
	}
	return errors.New("the loop is neither a count, nor a condition, nor a list")
}

// items returns the variables for each round of a loop over a list. An element sets the item's
// variable to its id, and variables such as item.text to its parts.
func (r *run) items(ctx context.Context, f *pb.ForEachLoop) (items []map[string]string, err error) {
	name := f.GetItemVariable()
	switch c := f.GetCollection().(type) {
	case *pb.ForEachLoop_ElementSelector:
		found, err := r.find(ctx, c.ElementSelector)
		if err != nil {
			return nil, err
		}
		for _, e := range found {
			item := map[string]string{name: e.GetElementId()}
			for _, part := range []string{"text", "role", "x", "y", "width", "height", "enabled", "focused"} {
				item[name+"."+part] = attribute(e, part)
			}
			items = append(items, item)
		}
	case *pb.ForEachLoop_WindowPattern:
		pattern, err := r.text(c.WindowPattern)
		if err != nil {
			return nil, err
		}
		re, err := regexp.Compile(pattern)
		if err != nil {
			return nil, fmt.Errorf("the pattern of windows is not a regular expression of RE2: %w", err)
		}
		titles, err := r.world.Windows(ctx)
		if err != nil {
			return nil, err
		}
		for _, t := range titles {
			if re.MatchString(t) {
				items = append(items, map[string]string{name: t})
			}
		}
	case *pb.ForEachLoop_Values:
		text, err := r.text(c.Values)
		if err != nil {
			return nil, err
		}
		for _, v := range values(text) {
			items = append(items, map[string]string{name: v})
		}
	default:
		return nil, errors.New("the loop has no list")
	}
	return items, nil
}

// values parses a list, which is a JSON array, otherwise one item per line, or otherwise separated
// by commas.
func values(text string) (list []string) {
	var array []any
	if json.Unmarshal([]byte(text), &array) == nil {
		for _, v := range array {
			if s, ok := v.(string); ok {
				list = append(list, s)
			} else {
				data, _ := json.Marshal(v)
				list = append(list, string(data))
			}
		}
		return list
	}
	separator := ","
	if strings.Contains(text, "\n") {
		separator = "\n"
	}
	for v := range strings.SplitSeq(text, separator) {
		if v = strings.TrimSpace(v); v != "" {
			list = append(list, v)
		}
	}
	return list
}

// assign sets a variable.
func (r *run) assign(ctx context.Context, a *pb.AssignAction) error {
	var v string
	var err error
	switch value := a.GetValue().(type) {
	case *pb.AssignAction_Literal:
		v, err = r.text(value.Literal)
	case *pb.AssignAction_Parameter:
		var ok bool
		if v, ok = r.params[value.Parameter]; !ok {
			err = fmt.Errorf("the macro has no parameter %q", value.Parameter)
		}
	case *pb.AssignAction_Expression:
		v, err = evaluate(value.Expression, r.value)
	case *pb.AssignAction_ElementAttribute:
		var found []*pb.Element
		if found, err = r.find(ctx, value.ElementAttribute.GetElementSelector()); err != nil {
			break
		}
		if len(found) == 0 {
			err = fmt.Errorf("no element fits %q", value.ElementAttribute.GetElementSelector())
			break
		}
		v = attribute(found[0], value.ElementAttribute.GetAttribute())
	default:
		err = errors.New("the assignment has no value")
	}
	if err != nil {
		return err
	}
	return r.set(a.GetVariable(), v)
}

// attribute returns a part of an element by name, or "" if the element has no such part.
func attribute(e *pb.Element, name string) string {
	number := func(f *float64) string {
		if f == nil {
			return ""
		}
		return strconv.FormatFloat(*f, 'f', -1, 64)
	}
	switch name {
	case "role":
		return e.GetRole()
	case "text":
		return e.GetText()
	case "element_id", "id":
		return e.GetElementId()
	case "x":
		return number(e.X)
	case "y":
		return number(e.Y)
	case "width":
		return number(e.Width)
	case "height":
		return number(e.Height)
	case "enabled":
		return strconv.FormatBool(e.GetEnabled())
	case "focused":
		return strconv.FormatBool(e.GetFocused())
	}
	return e.GetAttributes()[name]
}
