package offline

import (
	"fmt"
	"strings"

	"goated/agent/intent"
)

// smallTalk answers a greeting, thanks and questions about goated itself; "" for others.
func smallTalk(request string, all []*offer) string {
	return intent.Reply(request, func() string { return suggest(all) }, func() string { return able(all) })
}

// maxAble bounds the tools of one server in an answer.
const maxAble = 8

// able says what the connected tools do, by server.
func able(all []*offer) string {
	var b strings.Builder
	b.WriteString("These tools are connected:\n")
	count := make(map[string]int)
	for _, f := range all {
		count[f.Server]++
	}
	shown := make(map[string]int)
	for _, f := range all {
		shown[f.Server]++
		switch n := shown[f.Server]; {
		case n == 1:
			fmt.Fprintf(&b, "\n**%s**\n- %s\n", f.Server, f.purpose())
		case n <= maxAble:
			fmt.Fprintf(&b, "- %s\n", f.purpose())
		case n == maxAble+1:
			fmt.Fprintf(&b, "- and %d more\n", count[f.Server]-maxAble)
		}
	}
	b.WriteString("\nWithout a model I find the tool in your words. With a Gemini key you can ask for anything.")
	return b.String()
}

// purpose returns a short description of a tool.
func (f *offer) purpose() string {
	if f.Title != "" {
		return f.Title
	}
	said, _, _ := strings.Cut(strings.TrimSpace(f.Description), "\n")
	if at := strings.IndexAny(said, ".:;"); at > 0 {
		said = said[:at]
	}
	if r := []rune(said); len(r) > 80 {
		said = string(r[:80]) + "…"
	}
	if said == "" {
		return f.Own
	}
	return said
}

// ability returns the words about a tool that follow "I can". A title that is not a sentence, such as
// “Directory Tree”, is a name in quotes.
func (f *offer) ability() string {
	said, ok := intent.Imperative(f.purpose())
	if !ok {
		return "use “" + f.label() + "”"
	}
	return said
}

// removing are the verbs of tools that a newcomer needs last.
var removing = map[string]bool{"forget": true, "delete": true, "remove": true, "clear": true, "erase": true, "reset": true, "drop": true}

// suggest names some things to ask for. It leaves out what removes things.
func suggest(all []*offer) string {
	var some []string
	seen := make(map[string]int)
	for _, f := range all {
		if verb, _, _ := strings.Cut(f.Own, "_"); removing[verb] {
			continue
		}
		if seen[f.Server]++; seen[f.Server] <= 2 && len(some) < 4 {
			some = append(some, f.ability())
		}
	}
	if len(some) == 0 {
		return `Ask "what can you do?" for all tools.`
	}
	return "I can, for example: " + strings.Join(some, "; ") + ". Ask \"what can you do?\" for all tools."
}
