package fields

import (
	"slices"

	"goated/internal/secretname"
)

// LooksSecret reports whether a text names a password, a key or a code that a server
// must not ask for in a form: "Servers MUST NOT use form mode elicitation to request
// sensitive information" (MCP, Elicitation).
func LooksSecret(text string) bool { return secretname.In(text) }

// isSecret reports whether a property takes a secret, by its name, its texts and its
// format. The explanation of a number or of a yes says nothing about it: it may well ask for
// no PIN, and a number that is secret has a name that says so.
func isSecret(name string, p map[string]any) bool {
	title, _ := p["title"].(string)
	help, _ := p["description"].(string)
	format, _ := p["format"].(string)
	hidden, _ := p["writeOnly"].(bool)
	types, _ := typesOf(p)
	text := len(types) == 0 || slices.ContainsFunc(types, func(t string) bool { return t != "integer" && t != "number" && t != "boolean" })
	return hidden || format == "password" || secretname.Is(name) || secretname.Is(title) || text && secretname.In(help)
}
