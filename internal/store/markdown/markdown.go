// Package markdown writes saved conversations as Markdown for people to read. It owns the format of
// that text. It must not depend on the database.
package markdown

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/genai"

	"goated/agent"
	"goated/internal/codefence"
	"goated/internal/store"
)

// Write writes the active branch of a conversation. It omits the model's thoughts, discarded answers,
// and an unsent message.
func Write(w io.Writer, t store.Thread) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "# %s\n", cmp.Or(t.Conversation.Title, "Conversation"))
	for _, turn := range t.Turns {
		if len(turn.User) > 0 {
			fmt.Fprintf(out, "\n## You, %s\n", turn.Started.Format("2 January 2006, 15:04"))
			writeParts(out, turn.User)
		}
		if !turn.Summarises() {
			fmt.Fprint(out, "\n## Answer\n")
		}
		for _, e := range store.WithoutDiscarded(turn.Events) {
			writeEvent(out, e)
		}
		if turn.Error != "" {
			fmt.Fprintf(out, "\n> **Error:** %s\n", store.OneLine(turn.Error))
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("exporting: %w", err)
	}
	return nil
}

func writeParts(w io.Writer, parts []*genai.Part) {
	for _, p := range parts {
		switch {
		case p.Text != "":
			fmt.Fprintf(w, "\n%s\n", strings.TrimSpace(p.Text))
		case p.InlineData != nil:
			facts := fmt.Sprintf("%s, %d bytes", cmp.Or(p.InlineData.MIMEType, "data"), len(p.InlineData.Data))
			if name := store.OneLine(p.InlineData.DisplayName); name != "" {
				facts = name + " – " + facts
			}
			fmt.Fprintf(w, "\n*%s*\n", facts)
		case p.FileData != nil:
			fmt.Fprintf(w, "\n<%s>\n", p.FileData.FileURI)
		}
	}
}

func writeEvent(w io.Writer, e agent.Event) {
	switch e := e.(type) {
	case agent.TextDelta:
		if text := strings.TrimSpace(e.Text); text != "" {
			fmt.Fprintf(w, "\n%s\n", text)
		}
	case agent.ToolCalled:
		fmt.Fprintf(w, "\n**Tool %s**\n", cmp.Or(e.Tool, e.Name))
		writeArguments(w, e.Args)
	case agent.ToolDecided:
		if e.Args != nil {
			fmt.Fprint(w, "\n**You changed the arguments**\n")
			writeArguments(w, e.Args)
		}
	case agent.ToolReturned:
		if e.Error != "" {
			fmt.Fprintf(w, "\n> **Error:** %s\n", store.OneLine(e.Error))
		} else if e.Result != nil {
			writeResult(w, e.Result)
		}
	case agent.TurnEnded:
		if e.Reason != agent.Done {
			why := []string{string(e.Reason), string(e.Cause), e.Code}
			why = slices.DeleteFunc(why, func(s string) bool { return s == "" })
			fmt.Fprintf(w, "\n> %s\n", store.OneLine(strings.ReplaceAll("The turn ended: "+strings.Join(why, ", ")+". ", "_", " ")+e.Detail))
		}
	case agent.ContextCompacted:
		fmt.Fprintf(w, "\n## Summary of the earlier messages for the model\n\n%s\n", strings.TrimSpace(e.Summary))
	case agent.ContextRestored:
		fmt.Fprint(w, "\n> The model gets the earlier messages again, without a summary.\n")
	case agent.ThoughtDelta:
	}
}

func writeArguments(w io.Writer, args map[string]any) {
	data, _ := json.MarshalIndent(args, "", "  ") // arguments come from JSON
	writeBlock(w, "json", string(data))
}

func writeResult(w io.Writer, r *mcp.CallToolResult) {
	for _, c := range r.Content {
		if text, ok := c.(*mcp.TextContent); ok {
			writeBlock(w, "", text.Text)
			continue
		}
		data, err := json.Marshal(c)
		if err == nil {
			fmt.Fprintf(w, "\n*content of %d bytes*\n", len(data))
		}
	}
}

// writeBlock fences text with more backticks than the text has in a row.
func writeBlock(w io.Writer, language, text string) {
	fence := codefence.Fence(text)
	fmt.Fprintf(w, "\n%s%s\n%s\n%s\n", fence, language, strings.TrimRight(text, "\n"), fence)
}
