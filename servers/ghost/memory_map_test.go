package ghost

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The memory is a map, even for several servers that share a file. Keys that differ only in
// surrounding spaces, case or Unicode form are the same key, in the spelling of its first write.
func TestMemoryIsAMap(t *testing.T) {
	if os.Getenv("RAPID_STEPS") == "" { // "make props" takes more steps
		steps := flag.Lookup("rapid.steps").Value
		before := steps.String()
		_ = steps.Set("10")
		defer func() { _ = steps.Set(before) }()
	}
	b, other := newBench(t), newBench(t)
	other.memory.path = b.memory.path
	clients := []*client{b.connect(t, nil), other.connect(t, nil)}
	rapid.Check(t, func(rt *rapid.T) {
		os.Remove(b.memory.path)
		model, spelled := map[string]string{}, map[string]string{}
		key := rapid.OneOf(rapid.SampledFrom([]string{"a", "b", " B", "É", "e\u0301", "__proto__", "k\n", `"`, "<"}), rapid.StringN(-1, 20, 200).Filter(func(k string) bool { return oneLine(k) != "" && requestedPage(k) == 0 }))
		rt.Repeat(map[string]func(*rapid.T){
			"write": func(rt *rapid.T) {
				k, v := key.Draw(rt, "key"), rapid.StringN(-1, 50, 1000).Draw(rt, "value")
				c := rapid.SampledFrom(clients).Draw(rt, "server")
				name, ok := spelled[normalizeKey(k)]
				if !ok {
					name = strings.TrimSpace(k)
					spelled[normalizeKey(k)] = name
				}
				if got := c.succeed("manage_memory", remember(k, v)); got != fmt.Sprintf("Memory updated: %s = %s", name, v) {
					rt.Fatalf("write: %q", got)
				}
				model[name] = v
			},
			"read": func(rt *rapid.T) {
				k := key.Draw(rt, "key")
				want := "No memory found for key: " + k
				if name, ok := spelled[normalizeKey(k)]; ok {
					want = fmt.Sprintf("Memory value for %s: %s", name, model[name])
				}
				c := rapid.SampledFrom(clients).Draw(rt, "server")
				if got := c.succeed("manage_memory", recall(k)); got != want {
					rt.Fatalf("got %q, want %q", got, want)
				}
			},
			"": func(rt *rapid.T) {
				data, err := os.ReadFile(b.memory.path)
				if err != nil {
					return // nothing was asked yet
				}
				var got map[string]string
				if err := json.Unmarshal(data, &got); err != nil || fmt.Sprint(got) != fmt.Sprint(model) {
					rt.Fatalf("file holds %q (%v), want %q", got, err, model)
				}
			},
		})
	})
}
