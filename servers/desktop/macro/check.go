package macro

import (
	"errors"
	"fmt"

	"goated/internal/lazyregexp"
	pb "goated/servers/desktop/macosusesdk"
)

var variableName = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]*$`)

// Check reports mistakes in a macro that are visible without running it. A macro without actions
// does nothing and is valid.
func Check(m *pb.Macro) error {
	seen := make(map[string]bool)
	for _, p := range m.GetParameters() {
		switch {
		case !variableName.MatchString(p.GetKey()):
			return fmt.Errorf("the parameter key %q is not valid; use letters, digits and _", p.GetKey())
		case seen[p.GetKey()]:
			return fmt.Errorf("the parameter %q is declared twice", p.GetKey())
		case p.GetType() == pb.MacroParameter_PARAMETER_TYPE_UNSPECIFIED:
			return fmt.Errorf("the parameter %q has no type", p.GetKey())
		}
		seen[p.GetKey()] = true
	}
	left := MaxActions
	return checkAll(m.GetActions(), 0, &left)
}

func checkAll(actions []*pb.MacroAction, level int, left *int) error {
	if level > MaxDepth {
		return fmt.Errorf("the macro is nested more than %d times", MaxDepth)
	}
	for i, a := range actions {
		if *left--; *left < 0 {
			return fmt.Errorf("the macro has more than %d actions", MaxActions)
		}
		if err := check(a, level, left); err != nil {
			return fmt.Errorf("action %d (%s): %w", i+1, describe(a), err)
		}
	}
	return nil
}

func check(a *pb.MacroAction, level int, left *int) error {
	switch a := a.GetAction().(type) {
	case *pb.MacroAction_Input:
		if a.Input.GetInputType() == nil {
			return errors.New("the input action is empty")
		}
		return nil
	case *pb.MacroAction_Wait:
		if d := a.Wait.GetDuration(); !(d >= 0 && d <= MaxTimeout.Seconds()) {
			return fmt.Errorf("the wait lasts %v seconds; it is from 0 to %v", d, MaxTimeout.Seconds())
		}
		if c, ok := a.Wait.GetCondition().GetCondition().(*pb.WaitCondition_ElementSelector); ok {
			if _, variable := soleVariable(c.ElementSelector); !variable {
				_, err := selectorOf(c.ElementSelector)
				return err
			}
		}
		return nil
	case *pb.MacroAction_Conditional:
		if err := checkCondition(a.Conditional.GetCondition(), level+1); err != nil {
			return err
		}
		if err := checkAll(a.Conditional.GetThenActions(), level+1, left); err != nil {
			return err
		}
		return checkAll(a.Conditional.GetElseActions(), level+1, left)
	case *pb.MacroAction_Loop:
		if err := checkLoop(a.Loop, level+1); err != nil {
			return err
		}
		return checkAll(a.Loop.GetActions(), level+1, left)
	case *pb.MacroAction_Assign:
		if !variableName.MatchString(a.Assign.GetVariable()) {
			return fmt.Errorf("the variable %q is not valid; use letters, digits and _", a.Assign.GetVariable())
		}
		if e, ok := a.Assign.GetValue().(*pb.AssignAction_Expression); ok {
			_, err := parse(e.Expression)
			return err
		}
		if a.Assign.GetValue() == nil {
			return errors.New("the assignment has no value")
		}
		return nil
	case *pb.MacroAction_MethodCall:
		if a.MethodCall.GetMethod() == "" {
			return errors.New("the call names no method")
		}
		return nil
	}
	return errors.New("the action is empty")
}

func checkCondition(c *pb.MacroCondition, level int) error {
	if level > MaxDepth {
		return fmt.Errorf("the condition is nested more than %d times", MaxDepth)
	}
	switch c := c.GetCondition().(type) {
	case nil:
		return errors.New("the condition is empty")
	case *pb.MacroCondition_Compound:
		n := len(c.Compound.GetConditions())
		switch op := c.Compound.GetOperator(); {
		case op == pb.CompoundCondition_OPERATOR_UNSPECIFIED:
			return errors.New("the condition's operator is missing; it is AND, OR or NOT")
		case op == pb.CompoundCondition_OPERATOR_NOT && n != 1:
			return fmt.Errorf("NOT joins %d conditions; it needs exactly one", n)
		case n == 0:
			return errors.New("the condition joins no conditions; it needs at least one")
		}
		for _, part := range c.Compound.GetConditions() {
			if err := checkCondition(part, level+1); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkLoop(l *pb.LoopAction, level int) error {
	switch kind := l.GetLoopType().(type) {
	case *pb.LoopAction_Count:
		if kind.Count < 0 || kind.Count > MaxLoop {
			return fmt.Errorf("the loop has %d rounds; it can have 0 to %d", kind.Count, MaxLoop)
		}
		return nil
	case *pb.LoopAction_WhileCondition:
		return checkCondition(kind.WhileCondition, level)
	case *pb.LoopAction_Foreach:
		if !variableName.MatchString(kind.Foreach.GetItemVariable()) {
			return fmt.Errorf("the loop's item_variable %q is not valid; use letters, digits and _", kind.Foreach.GetItemVariable())
		}
		if kind.Foreach.GetCollection() == nil {
			return errors.New("the loop has no list")
		}
		return nil
	}
	return errors.New("the loop is neither a count, nor a condition, nor a list")
}
