// Package selector decides which elements of a user interface match a description. Descriptions
// consist of role, text, position and attributes, combined with AND, OR and NOT (seed 002,
// ElementSelector). A selector is checked and compiled once.
//
// The package is pure logic. If some parts of an element are still unknown, the answer may be
// Maybe, so that a caller asks an application only for the parts that matter.
package selector

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"

	"goated/servers/desktop/element"
)

// An Answer is the result of matching an element.
type Answer int8

// The possible answers. Maybe means that the result depends on an unknown part.
const (
	No Answer = iota
	Maybe
	Yes
)

// not returns the opposite of an answer.
func (a Answer) not() Answer { return Yes - a }

// answerOf converts a bool to an answer.
func answerOf(yes bool) Answer {
	if yes {
		return Yes
	}
	return No
}

// A Selector describes elements. The zero value matches every element. It is safe for concurrent
// use.
type Selector struct {
	match func(e *element.Element, known element.Fields) Answer
	needs element.Fields
}

// Match reports whether an element matches. known are the parts of the element that are known. If
// all are known, the answer is never Maybe.
func (s Selector) Match(e *element.Element, known element.Fields) Answer {
	if s.match == nil {
		return Yes
	}
	return s.match(e, known)
}

// Fits reports whether an element matches if all of its fields are known.
func (s Selector) Fits(e *element.Element) bool { return s.Match(e, element.AllFields) == Yes }

// Needs returns the parts on which the answer may depend.
func (s Selector) Needs() element.Fields { return s.needs }

// The limits of a selector.
const (
	MaxDepth = 32        // nesting of selectors
	MaxParts = 256       // parts of one AND or OR
	MaxText  = 64 * 1024 // bytes of one text
)

// Role matches elements with a role. It accepts the names of AT-SPI ("push button"), ARIA
// ("button") and macOS ("AXButton"), ignoring case.
func Role(role string) (Selector, error) {
	if strings.TrimSpace(role) == "" {
		return Selector{}, errors.New("the selector's role is empty; name one, such as \"button\"")
	}
	names := rolesOf(role)
	return Selector{match: func(e *element.Element, _ element.Fields) Answer { return answerOf(names[e.Role]) }}, nil
}

// Roles matches elements with one of the roles, or every element if there are no roles.
func Roles(roles []string) (Selector, error) {
	if len(roles) == 0 {
		return Selector{}, nil
	}
	parts := make([]Selector, len(roles))
	for i, role := range roles {
		var err error
		if parts[i], err = Role(role); err != nil {
			return Selector{}, err
		}
	}
	return Or(parts...)
}

// Text matches elements whose label or content is exactly text, which may be empty.
func Text(text string) (Selector, error) {
	if err := checkLength(text); err != nil {
		return Selector{}, err
	}
	return byText(func(s string) bool { return s == text }), nil
}

// Contains matches elements whose label or content contains part, ignoring case.
func Contains(part string) (Selector, error) {
	if part == "" {
		return Selector{}, errors.New("the selector's text_contains is empty; every text contains it")
	}
	if err := checkLength(part); err != nil {
		return Selector{}, err
	}
	part = strings.ToLower(part)
	return byText(func(s string) bool { return strings.Contains(strings.ToLower(s), part) }), nil
}

// regex matches elements whose label or content matches an RE2 regular expression.
func regex(pattern string) (Selector, error) {
	if err := checkLength(pattern); err != nil {
		return Selector{}, err
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return Selector{}, fmt.Errorf("the selector's text_regex is not a regular expression of RE2: %w", err)
	}
	return byText(re.MatchString), nil
}

func checkLength(text string) error {
	if len(text) > MaxText {
		return fmt.Errorf("a text of the selector has %d bytes; at most %d are allowed", len(text), MaxText)
	}
	return nil
}

func byText(fits func(string) bool) Selector {
	return Selector{needs: element.FieldText, match: func(e *element.Element, known element.Fields) Answer {
		switch {
		case fits(e.Name):
			return Yes
		case known&element.FieldText == 0:
			return Maybe
		}
		return answerOf(fits(e.Text))
	}}
}

// Position matches elements whose top left corner or center is at most tolerance pixels from a
// point. It matches no element whose position is unknown.
func Position(at element.Point, tolerance float64) (Selector, error) {
	switch {
	case math.IsNaN(at.X) || math.IsInf(at.X, 0) || math.IsNaN(at.Y) || math.IsInf(at.Y, 0):
		return Selector{}, errors.New("the selector's position is not a number")
	case !(tolerance >= 0) || math.IsInf(tolerance, 0):
		return Selector{}, fmt.Errorf("the selector's tolerance is %v; it must be 0 or more pixels", tolerance)
	}
	near := func(p element.Point) bool { return math.Hypot(p.X-at.X, p.Y-at.Y) <= tolerance }
	return Selector{needs: element.FieldBounds, match: func(e *element.Element, known element.Fields) Answer {
		if known&element.FieldBounds == 0 {
			return Maybe
		}
		return answerOf(e.Placed && (near(element.Point{X: e.Bounds.X, Y: e.Bounds.Y}) || near(e.Bounds.Center())))
	}}, nil
}

// Attributes matches elements that have all of these attributes. The names role, name, text,
// enabled, focused and visible refer to the element's own fields.
func Attributes(want map[string]string) (Selector, error) {
	if len(want) == 0 {
		return Selector{}, errors.New("the selector's attributes are empty; name at least one")
	}
	var parts []Selector
	for key, value := range want {
		parts = append(parts, attribute(key, value))
	}
	return join("AND", parts)
}

func attribute(key, value string) Selector {
	own := func(get func(*element.Element) string) Selector {
		return Selector{match: func(e *element.Element, _ element.Fields) Answer { return answerOf(get(e) == value) }}
	}
	truth := func(get func(*element.Element) bool) Selector {
		return own(func(e *element.Element) string { return fmt.Sprint(get(e)) })
	}
	switch key {
	case "role":
		names := rolesOf(value)
		return Selector{match: func(e *element.Element, _ element.Fields) Answer { return answerOf(names[e.Role]) }}
	case "name":
		return own(func(e *element.Element) string { return e.Name })
	case "text":
		return byText(func(s string) bool { return s == value })
	case "enabled":
		return truth(func(e *element.Element) bool { return e.Enabled })
	case "focused":
		return truth(func(e *element.Element) bool { return e.Focused })
	case "visible":
		return truth(func(e *element.Element) bool { return e.Visible })
	}
	return Selector{needs: element.FieldAttributes, match: func(e *element.Element, known element.Fields) Answer {
		if have, ok := e.Attributes[key]; ok {
			return answerOf(have == value)
		}
		if known&element.FieldAttributes == 0 {
			return Maybe
		}
		return answerOf(value == "false") // states that are false are left out
	}}
}

// And matches elements that match all parts.
func And(parts ...Selector) (Selector, error) { return join("AND", parts) }

// Or matches elements that match at least one part.
func Or(parts ...Selector) (Selector, error) { return join("OR", parts) }

// Not matches elements that do not match its single part.
func Not(parts ...Selector) (Selector, error) {
	if len(parts) != 1 {
		return Selector{}, fmt.Errorf("NOT joins %d selectors; it needs exactly one", len(parts))
	}
	p := parts[0]
	return Selector{needs: p.needs, match: func(e *element.Element, known element.Fields) Answer { return p.Match(e, known).not() }}, nil
}

// join combines parts with AND or OR. It evaluates the parts that need no fields first.
func join(operator string, parts []Selector) (Selector, error) {
	switch {
	case len(parts) == 0:
		return Selector{}, fmt.Errorf("%s joins no selectors; it needs at least one", operator)
	case len(parts) > MaxParts:
		return Selector{}, fmt.Errorf("%s joins %d selectors; at most %d are allowed", operator, len(parts), MaxParts)
	}
	s := Selector{}
	for _, p := range parts {
		s.needs |= p.needs
	}
	parts = append([]Selector(nil), parts...)
	and := operator == "AND"
	s.match = func(e *element.Element, known element.Fields) Answer {
		result := answerOf(and)
		for _, p := range parts {
			a := p.Match(e, known)
			if and {
				result = min(result, a)
			} else {
				result = max(result, a)
			}
			if result == answerOf(!and) {
				break
			}
		}
		return result
	}
	return s, nil
}
