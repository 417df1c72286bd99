package llmem

import (
	"fmt"
	"testing"
)

// The first definition is the one that the reader looks for: not a variable that holds what
// another file defines, not what was built from the code, and no example or test.
func TestLikelyDefinitionsAndReferencesComeFirst(t *testing.T) {
	b := start(t, map[string]string{
		"dist/all.js":      "function Route() {}\n",
		"examples/a.js":    "function Route() {}\n",
		"lib/express.js":   "var Route = require('./route');\nexports.Route = Route;\n",
		"lib/route.js":     "module.exports = Route;\n\nfunction Route() {}\n",
		"lib/route.min.js": "function Route(){}\n",
		"test/a_test.js":   "function Route() {}\n",
	})
	f := b.ok("find_symbol", map[string]any{"name": "Route", "references": true})
	var definitions, references []string
	for _, d := range f.definitions(t) {
		definitions = append(definitions, fmt.Sprintf("%s:%d", d.Path, d.StartLine))
	}
	for _, u := range f.Data.References {
		references = append(references, u.Path)
	}
	if len(definitions) == 0 || definitions[0] != "lib/route.js:3" || definitions[len(definitions)-1] != "test/a_test.js:1" {
		t.Errorf("definitions %v", definitions)
	}
	if want := "[lib/express.js lib/route.js dist/all.js examples/a.js lib/route.min.js test/a_test.js]"; fmt.Sprint(references) != want {
		t.Errorf("references %v, want %s", references, want)
	}
}
