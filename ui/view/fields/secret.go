package fields

import "goated/internal/secretname"

// LooksSecret reports whether a text names a password, a key or a code that a server
// must not ask for in a form: "Servers MUST NOT use form mode elicitation to request
// sensitive information" (MCP, Elicitation).
func LooksSecret(text string) bool { return secretname.In(text) }

// isSecret reports whether a property takes a secret, by its name, its texts and its
// format.
func isSecret(name string, p map[string]any) bool {
	title, _ := p["title"].(string)
	help, _ := p["description"].(string)
	format, _ := p["format"].(string)
	hidden, _ := p["writeOnly"].(bool)
	return hidden || format == "password" || secretname.Is(name) || secretname.Is(title) || secretname.In(help)
}
