package view

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/safetext"
	"goated/ui/view/fields"
	"goated/ui/view/format"
)

// maxMessage and maxAsked limit the text of a server's question, in characters and lines, so that
// the server's name stays visible above it.
const (
	maxMessage = 1500
	maxAsked   = 20
)

// QuestionText returns the text of a server's question for the screen. It marks hidden characters and
// limits the length.
func QuestionText(message string) string {
	var kept []string
	for line := range strings.SplitSeq(strings.TrimSpace(safetext.Mark(message)), "\n") {
		if line = strings.TrimSpace(line); line != "" || len(kept) > 0 && kept[len(kept)-1] != "" {
			kept = append(kept, line)
		}
	}
	if len(kept) > maxAsked {
		kept = append(kept[:maxAsked], "…")
	}
	text := strings.Join(kept, "\n")
	if r := []rune(text); len(r) > maxMessage {
		text = string(r[:maxMessage]) + "…"
	}
	return text
}

// SecretWarning returns a warning if a server asks for a password or a key, and "" otherwise.
func SecretWarning(p *mcp.ElicitParams) string {
	asked := ""
	if list, err := fields.FromSchema(p.RequestedSchema); err == nil {
		if f, ok := fields.FirstSecret(list); ok {
			asked = cmp.Or(f.Label, "A value")
		}
	}
	what := "This asks for a password or a key."
	switch {
	case asked != "":
		what = fmt.Sprintf("“%s” looks like a password or a key.", asked)
	case !fields.LooksSecret(p.Message):
		return ""
	}
	return what + " MCP forbids servers to ask for those in a form, and goated never asks through a server. If in doubt, decline."
}

// MissingFieldsText describes how many values of a server's question have no field in the form. It returns
// "" if all have one.
func MissingFieldsText(p *mcp.ElicitParams) string {
	if n := fields.Missing(p.RequestedSchema); n > 0 {
		return format.Plural(n, "It asks for more values than fit into a form: %[2]s more is left out.", "It asks for more values than fit into a form: %[2]s more are left out.", format.Count(n))
	}
	return ""
}

// AddressWarnings returns warnings about what can be misleading in a web address.
func AddressWarnings(a safetext.Address) (all []string) {
	if a.User != "" {
		all = append(all, fmt.Sprintf("The address begins with “%s”, but that is not its host. The browser goes to %s.", a.User, a.Host))
	}
	switch {
	case a.Mixed:
		all = append(all, fmt.Sprintf("The address reads “%s”, with letters that look like others. The browser goes to %s.", a.Shown, a.Host))
	case a.Shown != "":
		all = append(all, fmt.Sprintf("The address reads “%s”.", a.Shown))
	}
	if a.Plain {
		all = append(all, "The connection is not encrypted. Others on the way can read and change the page.")
	}
	return all
}
