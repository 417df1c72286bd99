package rank

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"parseHTTPRequest":                 "[pars http request]",
		"snake_case_names of Δelta":        "[snak cas nam δelta]",
		"How are the CACHES invalidated?":  "[cach invalidat]",
		"x1y2 v2API ÄpfelSaft":             "[x1y2 v2api äpfel saft]",
		"A b C":                            "[]",
		"Straße\xffqueue.Add(item *Thing)": "[straß queu add item thing]",
		"":                                 "[]",
	} {
		if have := fmt.Sprint(Words(text)); have != want {
			t.Errorf("%q has the words %s, want %s", text, have, want)
		}
	}
}

// A question reads all names and comments in a workspace, so a word must not cause an allocation.
func TestWordsCostNoAllocation(t *testing.T) {
	text := strings.Repeat("func (q *Queue) AddItem(ctx context.Context, naïve string) error writes changes ", 50)
	buf, n := make([]byte, 0, 64), 0
	if per := testing.AllocsPerRun(20, func() {
		buf = eachWord(text, buf, func(w []byte) { n += len(w) })
	}); per > 2 || n == 0 {
		t.Errorf("a text of %d words has %v allocations", len(slices.Collect(strings.FieldsSeq(text))), per)
	}
}
