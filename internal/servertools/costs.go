package servertools

import (
	"encoding/json"
	"fmt"
	"io"
	"iter"

	"goated/agent"
	"goated/internal/quarantine"
	"goated/internal/wording"
	"goated/registry"
	"goated/ui/view"
)

// Costs lists what each tool costs in every turn, in tokens, and how what the model gets
// differs from the server's words, or why it gets nothing. named returns the name of a server
// for people, by its id.
func Costs(w io.Writer, tools iter.Seq[registry.Entry], refused *quarantine.List, named func(id string) string) {
	n, tokens, server := 0, 0, ""
	for e := range tools {
		if n == 0 || e.Server != server {
			server = e.Server
			fmt.Fprintln(w, named(server))
		}
		d := agent.Declare(e)
		n, tokens = n+1, tokens+d.Tokens
		fmt.Fprintf(w, "  %-28s %5d tokens  %s\n", e.Tool.Name, d.Tokens, view.ToolTitle(e.Tool))
		for _, note := range wording.DeclarationNotes(d) {
			fmt.Fprintf(w, "      %s\n", note)
		}
		for _, note := range refusals(refused, e) {
			fmt.Fprintf(w, "      %s\n", note)
		}
	}
	fmt.Fprintf(w, "%s, about %d tokens in every turn\n", view.ToolCount(n), tokens)
}

// LeftOut returns the reasons why models do not get a tool, and what the user can do. It is empty
// if they get the tool.
func LeftOut(refused *quarantine.List, e registry.Entry) []string {
	if d := agent.Declare(e); d.Err != nil {
		return wording.DeclarationNotes(d)
	}
	return refusals(refused, e)
}

// refusals describes which models rejected a tool.
func refusals(refused *quarantine.List, e registry.Entry) (out []string) {
	for _, t := range refused.Of(e) {
		out = append(out, wording.ToolRefusedText(t.Model, t.Reason, t.At, t.Until())+" To try it again: goated tools --retry "+e.Name)
	}
	return out
}

// Retry lets models get a tool again.
func Retry(w io.Writer, refused *quarantine.List, e registry.Entry) error {
	released, err := refused.Release(e)
	switch {
	case err != nil:
		return err
	case released:
		fmt.Fprintf(w, "Conversations get %s again from their next message on.\n", e.Name)
	default:
		fmt.Fprintf(w, "No model refused %s.\n", e.Name)
	}
	return nil
}

// JSON writes the tools as a JSON array.
func JSON(w io.Writer, tools iter.Seq[registry.Entry], refused *quarantine.List) error {
	type tool struct {
		Name        string   `json:"name"` // the qualified name
		Server      string   `json:"server"`
		Tool        string   `json:"tool"`
		Title       string   `json:"title,omitempty"`
		Description string   `json:"description,omitempty"`
		InputSchema any      `json:"inputSchema"`
		Annotations any      `json:"annotations,omitempty"`
		Tokens      int      `json:"tokens"`            // estimate for each turn
		Changes     []string `json:"changes,omitempty"` // of the declaration that the model gets
		LeftOut     []string `json:"leftOut,omitempty"` // why models do not get the tool
	}
	list := []tool{}
	for e := range tools {
		d := agent.Declare(e)
		t := tool{Name: e.Name, Server: e.Server, Tool: e.Tool.Name, Title: e.Tool.Title, Description: e.Tool.Description, InputSchema: e.Tool.InputSchema,
			Tokens: d.Tokens, Changes: wording.DeclarationNotes(d), LeftOut: LeftOut(refused, e)}
		if e.Tool.Annotations != nil {
			t.Annotations = e.Tool.Annotations
		}
		list = append(list, t)
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(list)
}
