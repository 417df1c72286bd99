package fields

import (
	"slices"

	"goated/internal/secretname"
)

// LooksSecret reports whether a text names a password, a key or a code. A server must not ask for
// one in a form: "Servers MUST NOT use form mode elicitation to request sensitive information"
// (MCP, Elicitation).
func LooksSecret(text string) bool { return secretname.In(text) }

// isSecret reports whether a property contains a secret, judging by its name, texts and format.
// It ignores the description of a number or a boolean: it may state that no PIN is needed, and a
// secret number has a telling name.
func isSecret(name string, p map[string]any) bool {
	title, _ := p["title"].(string)
	help, _ := p["description"].(string)
	format, _ := p["format"].(string)
	hidden, _ := p["writeOnly"].(bool)
	types, _ := typesOf(p)
	text := len(types) == 0 || slices.ContainsFunc(types, func(t string) bool { return t != "integer" && t != "number" && t != "boolean" })
	return hidden || format == "password" || secretname.Is(name) || secretname.Is(title) || text && secretname.In(help)
}
