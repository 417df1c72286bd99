package view

import (
	"fmt"
	"strings"

	"goated/agent"
	"goated/ui/view/format"
)

// longResult is the number of tokens from which on a result is long. The card of a long result
// describes what the model received.
const longResult = 2000

// receivedText describes how much of a long result the model received, with the number of tokens. It
// returns "" for a short result.
func receivedText(e agent.ToolReturned, r *Result) string {
	sent, all := agent.ReceivedBytes(e)
	tokens := "about " + format.Short((sent+3)/4) + " tokens"
	switch {
	case sent == all && (sent+3)/4 < longResult:
		return ""
	case sent == all:
		return "The model received all of it · " + tokens
	}
	if len(r.Parts) == 1 && r.Parts[0].Grid != nil {
		if rows := r.Parts[0].Grid.rowsWithin(sent); rows > 0 {
			return fmt.Sprintf("The model received %s of %s rows · %s. It can ask for more.", format.Grouped(rows), format.Grouped(len(r.Parts[0].Grid.Rows)), tokens)
		}
	}
	return fmt.Sprintf("The model received the first %s of %s · %s. It can ask for more.", format.Size(int64(sent)), format.Size(int64(all)), tokens)
}

// rowsWithin returns how many whole rows are in the first n bytes of the list's JSON.
func (g *Grid) rowsWithin(n int) (rows int) {
	at := 0
	for _, node := range g.nodes {
		// Only blanks and a comma are between two objects.
		if at += strings.Index(g.list.text[at:], node.text) + len(node.text); at > n-g.start {
			break
		}
		rows++
	}
	return rows
}
