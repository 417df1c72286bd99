package ghost

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// texts returns the first two texts that manage_memory answers.
func (c *client) texts(a args) (first, second string) {
	c.t.Helper()
	r, err := c.CallTool(context.Background(), &mcp.CallToolParams{Name: "manage_memory", Arguments: a})
	if err != nil || len(r.Content) == 0 {
		c.t.Fatal(r, err)
	}
	if len(r.Content) > 1 {
		second = r.Content[1].(*mcp.TextContent).Text
	}
	return r.Content[0].(*mcp.TextContent).Text, second
}

// A key that nothing is saved under leads to what may be meant.
func TestMemoryNamesSimilarFacts(t *testing.T) {
	b := newBench(t)
	c := b.connect(t, nil)
	if got := c.succeed("manage_memory", recall("me")); got != "No memory found for key: me" {
		t.Errorf("of an empty memory: %q", got)
	}
	c.succeed("manage_memory", remember("dentist", "Monday at 9"))
	c.succeed("manage_memory", remember("wifi_password", "sunflower"))
	c.succeed("manage_memory", remember("like tea", "I don't like tea"))
	for key, want := range map[string]string{
		"dentist appointment": "Similar memories: dentist = Monday at 9",
		"Dentists":            "Similar memories: dentist = Monday at 9",
		"wifi password":       "Similar memories: wifi_password = sunflower",
		"monday":              "Similar memories: dentist = Monday at 9",
		"tea":                 "Similar memories: like tea = I don't like tea",
		"me":                  "Saved keys: dentist, like tea, wifi_password",
	} {
		first, second := c.texts(recall(key))
		if first != "No memory found for key: "+key || second != want {
			t.Errorf("%s: %q, %q", key, first, second)
		}
	}
	for i := range 30 {
		c.succeed("manage_memory", remember(fmt.Sprintf("fact %02d", i), strings.Repeat("x", 500)))
	}
	if _, got := c.texts(recall("fact")); strings.Count(got, " = ") != 5 || len(got) > 1500 {
		t.Errorf("many facts: %d bytes, %q", len(got), got)
	}
	if _, got := c.texts(recall("zzz")); strings.Count(got, ", ") != 19 {
		t.Errorf("many keys: %q", got)
	}
}
