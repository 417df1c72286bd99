package agent

import (
	"errors"
	"strings"

	"goated/agent/contents"
)

// searchResult implements the function search_result.
func (s *Session) searchResult(args map[string]any) (string, error) {
	id, _ := args["id"].(string)
	query, _ := args["query"].(string)
	text, err := s.Results.Get(strings.TrimPrefix(id, refPrefix))
	if err != nil {
		return "", err
	}
	if query == "" {
		return "", errors.New("the query is empty")
	}
	from := min(max(integer(args["offset"]), 0), len(text))
	return contents.Search(text, query, boundary(text, from), scaledToContext(s, resultPageSize)), nil
}
