package wording

import (
	"fmt"
	"slices"
	"time"

	"goated/agent"
	"goated/agent/schema"
	"goated/internal/config"
	"goated/internal/modelname"
)

// ToolQuarantinedText returns a sentence that goated leaves a tool out of a conversation.
func ToolQuarantinedText(e agent.ToolQuarantined) string {
	if e.Tool == "" {
		return "The model takes no tools, so goated goes on without them. Choose another model to use tools. The answer was: " + asSentence(e.Reason)
	}
	return fmt.Sprintf("goated leaves the tool %s of %s out of this conversation, because the model can't receive its description: %s", e.Tool, e.Server, asSentence(e.Reason))
}

// ToolRefusedText returns a sentence that a model's service refused a tool, and until when goated leaves it
// out.
func ToolRefusedText(model, reason string, at, until time.Time) string {
	const day = "2 January 2006"
	name := modelname.Title(config.ModelRef{Name: model})
	return withProviderMessage(fmt.Sprintf("%s refused this tool on %s, so goated leaves it out of conversations with %[1]s until %[3]s, or until its server changes it.",
		name, at.Local().Format(day), until.Local().Format(day)), "The answer was: "+reason)
}

// maxDeclared limits the sentences that DeclarationNotes returns.
const maxDeclared = 20

// DeclarationNotes returns sentences about how the declaration that the model gets differs from the
// server's tool, or why the model does not get the tool. It returns nil if nothing differs.
func DeclarationNotes(d agent.Declaration) []string {
	if d.Err != nil {
		return []string{"The model can't receive this tool: " + asSentence(d.Err.Error()) + " You can still run it yourself. Only its server can correct the schema."}
	}
	var all []string
	for _, c := range d.Changes {
		if text := schemaChange(c); !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	if more := len(all) - maxDeclared; more > 0 {
		all = append(all[:maxDeclared], fmt.Sprintf("%d more differences of this kind.", more))
	}
	return all
}

// schemaChange returns a sentence about one difference between the schema that the model gets and
// the tool's own.
func schemaChange(c schema.Change) string {
	at := "The arguments"
	if c.Path != "" {
		at = c.Path
	}
	switch c.Kind {
	case schema.Described:
		return fmt.Sprintf("%s: the model reads the rule %q in the description.", at, c.Keyword)
	case schema.Corrected:
		if c.Keyword == "" {
			return fmt.Sprintf("%s: goated replaced an unknown type name.", at)
		}
		return fmt.Sprintf("%s: goated corrected %q.", at, c.Keyword)
	case schema.Dropped:
		if c.Keyword == "" {
			return fmt.Sprintf("%s: goated left out a value that is not a schema.", at)
		}
		return fmt.Sprintf("%s: goated left out %q: it has no meaning here, or goated does not know its meaning.", at, c.Keyword)
	case schema.Recursion:
		return fmt.Sprintf("%s: the schema contains itself. The model sees one level.", at)
	case schema.Unknown:
		return fmt.Sprintf("%s: a reference leads to nothing in the schema.", at)
	case schema.Merged:
		return fmt.Sprintf("%s: the model sees all alternatives as optional arguments.", at)
	case schema.Inlined:
		return fmt.Sprintf("%s: the model sees the part that %q names in its place.", at, c.Keyword)
	case schema.Rewritten:
		return fmt.Sprintf("%s: other keywords say the same as %q.", at, c.Keyword)
	case schema.Added:
		return fmt.Sprintf("%s: goated added %q, which every model requires.", at, c.Keyword)
	case schema.Shortened:
		return fmt.Sprintf("%s: goated shortened the schema, because it is very large.", at)
	}
	return at + ": " + string(c.Kind) + "."
}
