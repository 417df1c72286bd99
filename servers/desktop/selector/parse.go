package selector

import (
	"errors"
	"fmt"

	"goated/servers/desktop/element"
	"goated/servers/desktop/macosusesdk"
)

// Parse compiles a selector of the protocol. A nil or empty selector matches every element. Errors
// are mistakes of the caller (INVALID_ARGUMENT).
func Parse(s *macosusesdk.ElementSelector) (Selector, error) { return parse(s, 0) }

func parse(s *macosusesdk.ElementSelector, level int) (Selector, error) {
	if level > MaxDepth {
		return Selector{}, fmt.Errorf("the selector is nested more than %d times", MaxDepth)
	}
	switch c := s.GetCriteria().(type) {
	case nil:
		return Selector{}, nil
	case *macosusesdk.ElementSelector_Role:
		return Role(c.Role)
	case *macosusesdk.ElementSelector_Text:
		return Text(c.Text)
	case *macosusesdk.ElementSelector_TextContains:
		return Contains(c.TextContains)
	case *macosusesdk.ElementSelector_TextRegex:
		return regex(c.TextRegex)
	case *macosusesdk.ElementSelector_Position:
		return Position(element.Point{X: c.Position.GetX(), Y: c.Position.GetY()}, c.Position.GetTolerance())
	case *macosusesdk.ElementSelector_Attributes:
		return Attributes(c.Attributes.GetAttributes())
	case *macosusesdk.ElementSelector_Compound:
		var parts []Selector
		for _, child := range c.Compound.GetSelectors() {
			p, err := parse(child, level+1)
			if err != nil {
				return Selector{}, err
			}
			parts = append(parts, p)
		}
		switch c.Compound.GetOperator() {
		case macosusesdk.CompoundSelector_OPERATOR_AND:
			return And(parts...)
		case macosusesdk.CompoundSelector_OPERATOR_OR:
			return Or(parts...)
		case macosusesdk.CompoundSelector_OPERATOR_NOT:
			return Not(parts...)
		}
		return Selector{}, errors.New("the selector's operator is missing; it is AND, OR or NOT")
	}
	return Selector{}, fmt.Errorf("the selector has the unknown criterion %T", s.GetCriteria())
}
