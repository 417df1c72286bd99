package agent

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"google.golang.org/genai"
)

// resultFunctions returns the declarations of the functions that read and search large results.
func resultFunctions() []*genai.FunctionDeclaration {
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

// A builtin is a function that the session itself runs. It changes nothing, so it needs no
// approval.
type builtin func(args map[string]any) (string, error)

// builtin returns the builtin with the given name, or nil if the session has none.
func (s *Session) builtin(name string) builtin {
	switch {
	case s.declarations.finder != nil && name == findTools:
		return s.find
	case s.Results != nil && name == "read_result":
		return s.readResult
	case s.Results != nil && name == "search_result":
		return s.searchResult
	}
	return nil
}

func (s *Session) readResult(args map[string]any) (string, error) {
	id, _ := args["id"].(string)
	text, err := s.Results.Get(strings.TrimPrefix(id, refPrefix))
	if err != nil {
		return "", err
	}
	offset := max(integer(args["offset"]), 0)
	if offset >= len(text) {
		return "", fmt.Errorf("the result has %d bytes, so there is nothing at the offset %d", len(text), offset)
	}
	offset = boundary(text, offset)
	end := boundary(text, min(offset+scaledToContext(s, resultPageSize), len(text)))
	page := strings.ToValidUTF8(string(text[offset:end]), "\uFFFD")
	if end == len(text) {
		return page + fmt.Sprintf("\n[The end: bytes %d to %d of %d.]", offset, end, len(text)), nil
	}
	return page + fmt.Sprintf("\n[Bytes %d to %d of %d. The next page begins at the offset %d.]", offset, end, len(text), end), nil
}

// integer converts a JSON number to an int. It returns 0 for any other value.
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
