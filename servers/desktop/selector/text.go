package selector

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"google.golang.org/protobuf/encoding/protojson"

	"goated/servers/desktop/macosusesdk"
)

// ParseText reads the short form of a selector, as macros and tools use it:
//
//	OK                                   the text
//	role:button AND text:OK              both
//	role:entry AND NOT text_contains:a   … but not
//	text:Yes OR text_regex:^No           one of them; AND binds before OR
//	position:10,20,5                     at a point, with a tolerance
//	attribute.checked:true               an attribute
//
// A text that begins with { is a selector in JSON. Use it for texts that contain these words.
func ParseText(text string) (*macosusesdk.ElementSelector, error) {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		return nil, errors.New("the selector is empty; write one such as \"role:button AND text:OK\"")
	case strings.HasPrefix(text, "{"):
		s := &macosusesdk.ElementSelector{}
		if err := protojson.Unmarshal([]byte(text), s); err != nil {
			return nil, fmt.Errorf("the selector is not the JSON of an ElementSelector: %w", err)
		}
		return s, nil
	}
	return several(text, " OR ", macosusesdk.CompoundSelector_OPERATOR_OR, func(part string) (*macosusesdk.ElementSelector, error) {
		return several(part, " AND ", macosusesdk.CompoundSelector_OPERATOR_AND, term)
	})
}

// several splits a text at a separator and combines the parsed parts with an operator.
func several(text, separator string, operator macosusesdk.CompoundSelector_Operator, parse func(string) (*macosusesdk.ElementSelector, error)) (*macosusesdk.ElementSelector, error) {
	parts := strings.Split(text, separator)
	var all []*macosusesdk.ElementSelector
	for _, part := range parts {
		s, err := parse(part)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	if len(all) == 1 {
		return all[0], nil
	}
	return compound(operator, all...), nil
}

func compound(operator macosusesdk.CompoundSelector_Operator, parts ...*macosusesdk.ElementSelector) *macosusesdk.ElementSelector {
	return &macosusesdk.ElementSelector{Criteria: &macosusesdk.ElementSelector_Compound{Compound: &macosusesdk.CompoundSelector{Operator: operator, Selectors: parts}}}
}

func term(text string) (*macosusesdk.ElementSelector, error) {
	text = strings.TrimSpace(text)
	if rest, ok := strings.CutPrefix(text, "NOT "); ok {
		s, err := term(rest)
		if err != nil {
			return nil, err
		}
		return compound(macosusesdk.CompoundSelector_OPERATOR_NOT, s), nil
	}
	key, value, ok := strings.Cut(text, ":")
	value = strings.TrimSpace(value)
	s := &macosusesdk.ElementSelector{}
	switch key = strings.TrimSpace(key); {
	case ok && key == "role":
		s.Criteria = &macosusesdk.ElementSelector_Role{Role: value}
	case ok && (key == "text" || key == "name" || key == "title"):
		s.Criteria = &macosusesdk.ElementSelector_Text{Text: value}
	case ok && (key == "text_contains" || key == "contains"):
		s.Criteria = &macosusesdk.ElementSelector_TextContains{TextContains: value}
	case ok && (key == "text_regex" || key == "regex"):
		s.Criteria = &macosusesdk.ElementSelector_TextRegex{TextRegex: value}
	case ok && key == "position":
		var n [3]float64
		numbers := strings.Split(value, ",")
		for i, number := range numbers {
			v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
			if err != nil || i > 2 || len(numbers) < 2 {
				return nil, fmt.Errorf("the selector's position %q is wrong; write x,y or x,y,tolerance", value)
			}
			n[i] = v
		}
		s.Criteria = &macosusesdk.ElementSelector_Position{Position: &macosusesdk.PositionSelector{X: n[0], Y: n[1], Tolerance: n[2]}}
	case ok && strings.HasPrefix(key, "attribute."):
		s.Criteria = &macosusesdk.ElementSelector_Attributes{Attributes: &macosusesdk.AttributeSelector{Attributes: map[string]string{strings.TrimPrefix(key, "attribute."): value}}}
	default:
		s.Criteria = &macosusesdk.ElementSelector_Text{Text: text}
	}
	return s, nil
}
