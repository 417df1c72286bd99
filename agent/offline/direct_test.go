package offline

import (
	"strings"
	"testing"

	"goated/agent"
	"goated/agent/modeltest"
)

// The answer to a syntax error in the JSON of "/tool {json}" describes it once, with its line and
// column in the user's message.
func TestDirectCallNamesThePlaceOfAMistake(t *testing.T) {
	for request, want := range map[string]string{
		`/add {"a": 1, "b": x}`:            "(line 1, column 20)",
		"/add {\n  \"ä\": 1,\n  b: 2\n}\n": "(line 3, column 3)",
		`/add [1]`:                         "are not a JSON object: this is a list. An example: ",
		`/add 3`:                           "are not a JSON object: this is a number. ",
	} {
		events, err := modeltest.Collect(t.Context(), &agent.Session{Model: &Model{}, Tools: offlineTools()}, request)
		if err != nil {
			t.Fatal(err)
		}
		if said := modeltest.Said(events); strings.Count(said, want) != 1 || strings.Count(said, "not a JSON object") != 1 {
			t.Errorf("%q: %q has not %q once", request, said, want)
		}
	}
}
