package offline

import (
	"fmt"
	"strings"

	"goated/agent/intent"
)

// smallTalk answers greetings, thanks and questions about goated itself. It returns "" for other
// requests.
func (o *Model) smallTalk(request string, all []*declaredTool) string {
	return intent.SmallTalk(request, func() string { return suggest(all) }, func() string { return o.abilityList(all) })
}

// maxAbilities limits how many tools of one server an answer lists.
const maxAbilities = 8

// abilityList lists the abilities of the connected tools, grouped by server.
func (o *Model) abilityList(all []*declaredTool) string {
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
			fmt.Fprintf(&b, "\n**%s**\n- %s\n", o.server(f.Server), f.purpose())
		case n <= maxAbilities:
			fmt.Fprintf(&b, "- %s\n", f.purpose())
		case n == maxAbilities+1:
			fmt.Fprintf(&b, "- and %d more\n", count[f.Server]-maxAbilities)
		}
	}
	b.WriteString("\nWithout a model I find the tool in your words. With a Gemini key you can ask for anything.")
	return b.String()
}

// purpose returns a short description of a tool.
func (f *declaredTool) purpose() string {
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

// ability returns a phrase about a tool that can follow "I can". If its title is not a phrase with a
// verb, such as “Directory Tree”, it is quoted as a name.
func (f *declaredTool) ability() string {
	said, ok := intent.Imperative(f.purpose())
	if !ok {
		return "use “" + f.label() + "”"
	}
	return said
}

// removalVerbs lists verbs that suggestions leave out, because new users need such tools last.
var removalVerbs = map[string]bool{"forget": true, "delete": true, "remove": true, "clear": true, "erase": true, "reset": true, "drop": true}

// suggest returns a few examples of what the user can ask for. It leaves out tools that remove
// things.
func suggest(all []*declaredTool) string {
	var some []string
	seen := make(map[string]int)
	for _, f := range all {
		if words := intent.Words(f.Own); len(words) > 0 && removalVerbs[words[0]] {
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
