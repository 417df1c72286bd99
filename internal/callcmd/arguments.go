package callcmd

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"goated/internal/enumeration"
	"goated/internal/exact"
)

// maxArguments limits arguments from a file or from stdin, in bytes.
const maxArguments = 64 << 20

// Example is an example of a correct --args.
const Example = `--args '{"text": "hi"}'`

// Arguments reads the value of --args: a JSON object, an @ with the path of a file that contains
// one, or - to read one from stdin.
func Arguments(text string, stdin io.Reader) (map[string]any, error) {
	from := "--args"
	switch {
	case text == "-":
		data, err := bounded(stdin)
		if err != nil {
			return nil, fmt.Errorf("reading the arguments from stdin: %w", err)
		}
		text, from = data, "stdin"
	case strings.HasPrefix(text, "@"):
		file, err := os.Open(text[1:])
		if err != nil {
			return nil, fmt.Errorf("reading the file of --args: %w", err)
		}
		defer file.Close()
		data, err := bounded(file)
		if err != nil {
			return nil, fmt.Errorf("reading the file of --args: %w", err)
		}
		from, text = text[1:], data
	}
	var values map[string]any
	if err := exact.Decode([]byte(text), &values); err != nil || values == nil {
		return nil, fmt.Errorf("%s must be a JSON object%s. Write it like this: %s", from, fault(text), Example)
	}
	return values, nil
}

func bounded(r io.Reader) (string, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxArguments+1))
	if err == nil && len(data) > maxArguments {
		err = fmt.Errorf("it is longer than %d MB", maxArguments>>20)
	}
	return string(data), err
}

// fault describes what is wrong with a text that is not a JSON object.
func fault(text string) string {
	var v any
	err := json.Unmarshal([]byte(text), &v)
	var syntax *json.SyntaxError
	switch {
	case strings.TrimSpace(text) == "":
		return ": it is empty"
	case errors.As(err, &syntax) && strings.Contains(err.Error(), "unexpected end"):
		return ": its end is missing"
	case errors.As(err, &syntax):
		rest := []rune(strings.ToValidUTF8(text[max(syntax.Offset-1, 0):], "\ufffd"))
		if len(rest) > 20 {
			rest = append(rest[:20], '…')
		}
		return fmt.Sprintf(": it is wrong from %q on", string(rest))
	}
	switch v.(type) {
	case []any:
		return ", and this is a list"
	case string:
		return ", and this is a text"
	case nil:
		return ", and this is null"
	}
	return ""
}

// With adds the arguments of --arg, each in the form NAME=VALUE, to values. The tool's schema
// decides whether a value is text or JSON.
func With(values map[string]any, pairs []string, schema any) (map[string]any, error) {
	for _, pair := range pairs {
		name, text, ok := strings.Cut(pair, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("--arg %s has no value. Write it like this: --arg text=hi", pair)
		}
		if _, twice := values[name]; twice {
			return nil, fmt.Errorf("the argument %s is given twice", name)
		}
		kinds := kindsOf(schema, name)
		var value any = text
		if len(kinds) > 0 && !slices.Contains(kinds, "string") {
			if err := exact.Decode([]byte(text), &value); err != nil {
				return nil, fmt.Errorf("--arg %s: the tool takes %s here, not %q", name, enumeration.Or(inWords(kinds)), text)
			}
		}
		values[name] = value
	}
	return values, nil
}

// inWords describes types as --arg accepts them.
func inWords(kinds []string) []string {
	words := make([]string, len(kinds))
	for i, kind := range kinds {
		switch kind {
		case "boolean":
			words[i] = "true or false"
		case "integer":
			words[i] = "a whole number"
		case "number":
			words[i] = "a number"
		case "array":
			words[i] = "a list like [1, 2]"
		case "object":
			words[i] = `an object like {"a": 1}`
		default:
			words[i] = kind
		}
	}
	return words
}

// kindsOf returns the types that a schema allows for a property, or none if it declares no type.
func kindsOf(schema any, property string) []string {
	data, err := json.Marshal(schema)
	if err != nil {
		return nil
	}
	var read struct {
		Properties map[string]struct {
			Type any `json:"type"`
		} `json:"properties"`
	}
	if json.Unmarshal(data, &read) != nil {
		return nil
	}
	switch t := read.Properties[property].Type.(type) {
	case string:
		return []string{t}
	case []any:
		var kinds []string
		for _, k := range t {
			if s, ok := k.(string); ok {
				kinds = append(kinds, s)
			}
		}
		return kinds
	}
	return nil
}
