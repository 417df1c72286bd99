package agent

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A search finds each match in a long line, such as the JSON of most results. The model can
// continue where the answer ends.
func TestSearchOfOneLongLine(t *testing.T) {
	var items []map[string]any
	for i := range 2000 {
		items = append(items, map[string]any{"id": i, "name": fmt.Sprint("needle ", i)})
		if i%3 == 0 {
			items = append(items, map[string]any{"id": i, "text": strings.Repeat("hay ", 200)})
		}
	}
	data, _ := json.Marshal(items)
	s := &Session{Results: resultStore(t)}
	id, err := s.Results.Put(data)
	if err != nil {
		t.Fatal(err)
	}
	seen := make(map[string]bool)
	offset, rounds := 0, 0
	for next := regexp.MustCompile(`from the offset (\d+)`); ; rounds++ {
		said, err := s.searchResult(map[string]any{"id": id, "query": "needle", "offset": float64(offset)})
		if err != nil || len(said) > resultPageSize {
			t.Fatalf("%d bytes, %v", len(said), err)
		}
		if rounds == 0 && !strings.Contains(said, "[2000 places in 1 of 1 lines match.") {
			t.Errorf("the first answer ends with %q", said[max(len(said)-200, 0):])
		}
		for _, m := range regexp.MustCompile(`needle (\d+)"`).FindAllStringSubmatch(said, -1) {
			seen[m[1]] = true
		}
		m := next.FindStringSubmatch(said)
		if m == nil || rounds > 200 {
			break
		}
		offset, _ = strconv.Atoi(m[1])
	}
	if len(seen) != 2000 {
		t.Errorf("%d places were found in %d rounds", len(seen), rounds)
	}
}
