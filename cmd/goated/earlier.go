package main

import (
	"cmp"
	"fmt"
	"io"
	"time"
	"unicode/utf8"

	"google.golang.org/genai"

	"goated/agent"
	"goated/internal/attachedfile"
	"goated/internal/chat"
	"goated/internal/errtext"
	"goated/internal/store"
	"goated/internal/terminal"
	"goated/ui/view/format"
)

// These limit the part of a resumed conversation that the terminal shows.
const (
	earlierTurns = 3
	earlierText  = 2000 // characters of an answer, counted from its end
)

// printEarlier prints the end of a resumed conversation. It prints nothing for a new one.
func printEarlier(w io.Writer, t store.Thread, server func(id string) string) {
	if len(t.Turns) == 0 {
		return
	}
	fmt.Fprintf(w, "\nContinuing “%s”, last used %s.\n", cmp.Or(t.Conversation.Title, "New chat"), format.LongAgo(t.Conversation.Updated, time.Now()))
	printTurns(w, t.Turns, server)
}

// printMoved prints what another goated process has added to the conversation since the last
// message. message reports whether the user's message follows.
func printMoved(w io.Writer, turns []store.Turn, message bool, server func(id string) string) {
	if message {
		fmt.Fprintln(w, "\nAnother window or terminal continued this conversation. Your message comes after that:")
	} else {
		fmt.Fprintln(w, "\nAnother window or terminal added to this conversation:")
	}
	printTurns(w, turns, server)
}

// printTurns prints the last turns. server returns the name of a server for its id.
func printTurns(w io.Writer, turns []store.Turn, server func(id string) string) {
	from := max(len(turns)-earlierTurns, 0)
	if from > 0 {
		fmt.Fprintln(w, format.Plural(from, "One earlier turn is not shown.", "%d earlier turns are not shown."))
	}
	for _, turn := range turns[from:] {
		fmt.Fprintln(w)
		for _, line := range messageLines(turn.User) {
			fmt.Fprintln(w, "› "+line)
		}
		p := &terminal.Printer{Out: w, Stderr: w, Server: server}
		for _, e := range turn.Events {
			switch text := e.(type) {
			case agent.ThoughtDelta:
				continue
			case agent.TextDelta:
				e = agent.TextDelta{Text: lastPart(text.Text)}
			}
			if err := p.Print(e); err != nil {
				return
			}
		}
		p.EndLine()
		if err := chat.Failure(turn); err != nil {
			fmt.Fprintln(w, errtext.PlainSentence(err))
		}
	}
	fmt.Fprintln(w)
}

// messageLines returns the lines of a message to print. It shows files by name.
func messageLines(parts []*genai.Part) (lines []string) {
	for _, part := range parts {
		name, _, file := attachedfile.Parse(part.Text)
		switch {
		case part.InlineData != nil:
			lines = append(lines, "["+cmp.Or(part.InlineData.DisplayName, "File")+"]")
		case file:
			lines = append(lines, "["+name+"]")
		default:
			lines = append(lines, lastPart(part.Text))
		}
	}
	return lines
}

// lastPart cuts a long text to its last part.
func lastPart(text string) string {
	if n := utf8.RuneCountInString(text); n > earlierText {
		return "…" + string([]rune(text)[n-earlierText:])
	}
	return text
}
