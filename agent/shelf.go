package agent

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strings"

	"google.golang.org/genai"

	"goated/internal/exact"
	"goated/registry"
)

// A Shelf keeps large results. internal/results implements it. It is safe for
// concurrent use.
type Shelf interface {
	Put(text []byte) (id string, err error)
	Get(id string) ([]byte, error)
}

// The largest sizes of results in requests, in bytes. They are less for a small context:
// see [Session.part].
const (
	largeResult = 24 << 10        // a larger one is kept on the shelf
	shownResult = largeResult / 2 // the beginning of it, which the model gets at once
	pageResult  = 24 << 10        // a page that the model reads
)

// refPrefix begins an argument that stands for a whole result.
const refPrefix = "result://"

// reference finds references in arguments.
var reference = regexp.MustCompile(`^result://([0-9a-f]{12})$`)

// shelve returns the text of a result for the model: all of it, or its beginning and a
// handle. Without a shelf, or if it fails, the text is cut.
func (s *Session) shelve(text string) string {
	if s.Shelf == nil || len(text) <= scaled(s, largeResult) {
		return cut(text)
	}
	id, err := s.Shelf.Put([]byte(text))
	if err != nil {
		if s.Logger != nil {
			s.Logger.Error("keeping a large result failed", errorAttrs("result error", err)...)
		}
		return cut(text)
	}
	s.shelved = true
	end := boundary(text, scaled(s, largeResult)/2)
	return fmt.Sprintf("%s\n[The result goes on: these are the first %d of %d bytes. Its id is %s. Read more with read_result, search it with search_result, "+
		"or pass all of it to another tool by writing %q as the whole value of an argument.]", strings.ToValidUTF8(text[:end], "\uFFFD"), end, len(text), id, refPrefix+id)
}

// values returns the arguments of a call with the whole results in the place of references,
// in the form that the tool's schema accepts: as text, or as the JSON in them. If it accepts
// neither, they are text.
func (c *catalog) values(from Shelf, e registry.Entry, args map[string]any) (map[string]any, error) {
	if from == nil || !refers(args) {
		return args, nil
	}
	texts, err := dereference(from, args, func(text []byte) any { return string(text) })
	if err != nil || c.check(e, texts) == nil {
		return texts, err
	}
	decoded, err := dereference(from, args, func(text []byte) any {
		var v any
		if exact.Decode(text, &v) != nil {
			return string(text)
		}
		return v
	})
	if err == nil && c.check(e, decoded) == nil {
		return decoded, nil
	}
	return texts, err
}

// checkCall compares the arguments of a call with the schema of its tool, with the whole
// results in the place of references.
func (c *catalog) checkCall(from Shelf, e registry.Entry, args map[string]any) error {
	values, err := c.values(from, e, args)
	if err != nil {
		return err
	}
	return c.check(e, values)
}

// dereference returns arguments with each reference replaced by what value makes of the whole
// result. It copies what it changes.
func dereference(from Shelf, args map[string]any, value func(text []byte) any) (map[string]any, error) {
	var first error
	var walk func(v any) any
	walk = func(v any) any {
		switch v := v.(type) {
		case map[string]any:
			out := make(map[string]any, len(v))
			for k, e := range v {
				out[k] = walk(e)
			}
			return out
		case []any:
			out := make([]any, len(v))
			for i, e := range v {
				out[i] = walk(e)
			}
			return out
		case string:
			m := reference.FindStringSubmatch(v)
			if m == nil {
				return v
			}
			text, err := from.Get(m[1])
			if err != nil && first == nil {
				first = fmt.Errorf("the argument %q: %w", v, err)
			}
			return value(text)
		}
		return v
	}
	out, _ := walk(args).(map[string]any)
	return out, first
}

// refers reports whether arguments hold a reference.
func refers(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		for _, e := range v {
			if refers(e) {
				return true
			}
		}
	case []any:
		for _, e := range v {
			if refers(e) {
				return true
			}
		}
	case string:
		return reference.MatchString(v)
	}
	return false
}

// shelfFunctions declares the functions for large results.
func shelfFunctions() []*genai.FunctionDeclaration {
	id := map[string]any{"type": "string", "description": "The id of the result, 12 characters."}
	return []*genai.FunctionDeclaration{
		{Name: "read_result", Description: "Reads a page of a large result of an earlier tool call.", ParametersJsonSchema: map[string]any{
			"type": "object", "required": []any{"id"}, "properties": map[string]any{
				"id": id, "offset": map[string]any{"type": "integer", "minimum": 0, "description": "The first byte of the page. Default: 0."},
			}}},
		{Name: "search_result", Description: "Finds the places in a large result of an earlier tool call that contain a text or match a regular expression.", ParametersJsonSchema: map[string]any{
			"type": "object", "required": []any{"id", "query"}, "properties": map[string]any{
				"id": id, "query": map[string]any{"type": "string", "description": "A text, or a regular expression. Capital and small letters are the same."},
				"offset": map[string]any{"type": "integer", "minimum": 0, "description": "The byte to search from. Default: 0."},
			}}},
	}
}

// A builtin is a function of the session itself. It changes nothing, so it needs no
// approval.
type builtin func(args map[string]any) (string, error)

// builtins returns the function with a name; nil if the session has none.
func (s *Session) builtin(name string) builtin {
	switch {
	case s.catalog.finder != nil && name == findTools:
		return s.find
	case s.Shelf != nil && name == "read_result":
		return s.readResult
	case s.Shelf != nil && name == "search_result":
		return s.searchResult
	}
	return nil
}

func (s *Session) readResult(args map[string]any) (string, error) {
	id, _ := args["id"].(string)
	text, err := s.Shelf.Get(strings.TrimPrefix(id, refPrefix))
	if err != nil {
		return "", err
	}
	offset := max(integer(args["offset"]), 0)
	if offset >= len(text) {
		return "", fmt.Errorf("the result has %d bytes, so there is nothing at the offset %d", len(text), offset)
	}
	offset = boundary(text, offset)
	end := boundary(text, min(offset+scaled(s, pageResult), len(text)))
	page := strings.ToValidUTF8(string(text[offset:end]), "\uFFFD")
	if end == len(text) {
		return page + fmt.Sprintf("\n[The end: bytes %d to %d of %d.]", offset, end, len(text)), nil
	}
	return page + fmt.Sprintf("\n[Bytes %d to %d of %d. The next page begins at the offset %d.]", offset, end, len(text), end), nil
}

// integer reads a number of JSON.
func integer(v any) int {
	switch v := v.(type) {
	case float64:
		return int(max(min(v, math.MaxInt32), 0))
	case json.Number:
		n, _ := v.Float64()
		return int(max(min(n, math.MaxInt32), 0))
	case int:
		return v
	}
	return 0
}
