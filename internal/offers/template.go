package offers

import (
	"fmt"
	"strings"

	"github.com/yosida95/uritemplate/v3"

	"goated/internal/lazyregexp"
)

// expression matches an expression of a URI template (RFC 6570): an operator and variables.
var expression = lazyregexp.New(`\{([+#./;?&]?)([^{}=,!@|][^{}]*)\}`)

// invalid matches characters that the name of a variable must not contain. Some servers use names
// such as "user-id".
var invalid = lazyregexp.New(`[^A-Za-z0-9_.%]`)

// variables returns the variables of a URI template, each once. Variables in the query are
// optional.
func variables(template string) (all []Argument) {
	seen := make(map[string]bool)
	for _, e := range expression.FindAllStringSubmatch(template, -1) {
		for spec := range strings.SplitSeq(e[2], ",") {
			name, _ := modified(spec)
			if seen[name] || name == "" {
				continue
			}
			seen[name] = true
			all = append(all, Argument{Name: name, Title: name, Required: e[1] != "?" && e[1] != "&"})
		}
	}
	return all
}

// modified separates a variable from its modifier: a maximum length, or a star for a list.
func modified(spec string) (name, modifier string) {
	if at := strings.IndexAny(spec, ":*"); at >= 0 {
		return spec[:at], spec[at:]
	}
	return spec, ""
}

// Expand returns the URI of a template with its arguments. It omits empty values. A variable with a
// star is a list: its value contains the segments of a path, or words separated by commas.
func Expand(template string, args map[string]string) (string, error) {
	values := make(uritemplate.Values)
	known := expression.ReplaceAllStringFunc(template, func(m string) string {
		e := expression.FindStringSubmatch(m)
		specs := strings.Split(e[2], ",")
		for i, spec := range specs {
			name, modifier := modified(spec)
			own := invalid.ReplaceAllStringFunc(name, func(c string) string { return fmt.Sprintf("%%%X", c) })
			specs[i] = own + modifier
			between := ","
			if e[1] == "/" {
				between = "/"
			}
			switch value := args[name]; {
			case value == "":
			case modifier == "*":
				values.Set(own, uritemplate.List(strings.Split(strings.Trim(value, between), between)...))
			default:
				values.Set(own, uritemplate.String(value))
			}
		}
		return "{" + e[1] + strings.Join(specs, ",") + "}"
	})
	t, err := uritemplate.New(known)
	if err != nil {
		return "", fmt.Errorf("the address %s is not a template that goated can fill: %w", template, err)
	}
	uri, err := t.Expand(values)
	if err != nil {
		return "", fmt.Errorf("filling the address %s: %w", template, err)
	}
	return uri, nil
}
