package dialog

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"goated/registry"
	"goated/servers/arguments"
)

// CheckNames returns an error if the arguments of a tool contain a name that its question does not have.
// If a model wrote "dangerous" instead of "isDangerous", a dangerous question would look harmless.
// [Parse] ignores such names, because a question may come from a newer program.
func CheckNames(kind Kind, arguments json.RawMessage) error {
	q, err := empty(kind)
	if err != nil {
		return err
	}
	given := map[string]json.RawMessage{}
	if len(arguments) == 0 || json.Unmarshal(arguments, &given) != nil {
		return nil // Parse returns the error
	}
	if err := checkFields(reflect.TypeOf(q).Elem(), given, ""); err != nil {
		return err
	}
	for name, value := range given {
		var options []map[string]json.RawMessage
		if !strings.EqualFold(name, "options") || json.Unmarshal(value, &options) != nil {
			continue
		}
		for i, o := range options {
			if err := checkFields(reflect.TypeFor[Option](), o, fmt.Sprintf("options[%d]", i)); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkFields looks for a name for which a struct has no field. It compares names like encoding/json.
func checkFields(of reflect.Type, given map[string]json.RawMessage, object string) error {
	var names []string
	for field := range of.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		names = append(names, name)
	}
	var unknown []string
	for name := range given {
		if !slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) }) {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	slices.Sort(unknown)
	if right := nearest(unknown[0], names); right != "" {
		return fmt.Errorf("%s Did you mean %s?", arguments.Unknown(object, unknown[:1], nil), right)
	}
	return errors.New(arguments.Unknown(object, unknown[:1], names))
}

// nameCorrections maps wrong names that models use to the right ones.
var nameCorrections = map[string][]string{
	"prompt": {"question", "decision_context"}, "message": {"question", "decision_context"}, "text": {"question", "decision_context", "label"},
	"question": {"decision_context"}, "choices": {"options"}, "details": {"description"}, "hint": {"placeholder"}, "destructive": {"isDangerous"},
	"id": {"value"}, "name": {"label"}, "title": {"label"},
}

// nearest returns the name that the caller probably meant, or "" if none is similar.
func nearest(wrong string, names []string) string {
	bare := func(s string) string { return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(s)) }
	for _, name := range nameCorrections[bare(wrong)] {
		if slices.Contains(names, name) {
			return name
		}
	}
	best, least := "", len(bare(wrong))/3+1
	for _, name := range names {
		a, b := bare(wrong), bare(name)
		if d := registry.Distance(a, b); d < least {
			best, least = name, d
		}
		if len(a) >= 4 && strings.Contains(b, a) || len(b) >= 4 && strings.Contains(a, b) {
			return name
		}
	}
	return best
}
