// Package question writes questions to the user as plain text, for the terminal. It depends on
// neither the terminal nor the answers.
package question

import (
	"cmp"
	"fmt"
	"strings"

	"goated/agent"
	"goated/internal/consent"
	"goated/internal/safetext"
	"goated/ui/view"
)

// The margins of text from others. goated's own lines begin with neither, so no text of a server
// can look like one of them.
const (
	Margin = "  " // before answers and rows about a server
	Quoted = "│ " // before the text of a server
)

// Prompt returns the question in a terminal whether, and for how long, a call is allowed, with
// the keys for the answers.
func Prompt(p agent.Pending, difference *consent.Difference) string {
	switch {
	case difference != nil && difference.Wording:
		return "Only its texts changed. [k]eep allowing, [y]es once, [r]evoke always, [n]o: "
	case difference != nil:
		return "Allow? [y]es once, [a]lways again, [r]evoke always, [e]dit, [n]o: "
	case p.Entry.EachCall():
		return "goated asks about each call of this tool. Allow? [y]es once, [e]dit, [n]o: "
	}
	if len(p.Reads) > 0 {
		return fmt.Sprintf("Allow? [y]es once, [c]onversation, [a]lways this tool, always the %d tools of this [s]erver that only read, [e]dit, [n]o: ", len(p.Reads))
	}
	return "Allow? [y]es once, [c]onversation, [a]lways this tool, [e]dit, [n]o: "
}

// Describe returns what the user has to know about a call: the server, then the tool with its
// effect and description, and all arguments.
func Describe(p agent.Pending, args map[string]any, d *consent.Difference) string {
	var b strings.Builder
	row := func(name, value string) { fmt.Fprintf(&b, Margin+"%-12s%s\n", name, value) }
	row("Server", cmp.Or(safetext.Name(p.Call.Server), "none of the connected servers"))
	name := safetext.Name(p.Call.Tool)
	if t := p.Entry.Tool; t != nil {
		if title := view.ToolTitle(t); title != name {
			name += " · " + title
		}
		row("Tool", name)
		effect := view.EffectOf(p.Entry).String()
		if t.Annotations == nil {
			effect = "not known: the server does not say"
		} else if !p.Entry.Bundled {
			effect += ", as the server says"
		}
		row("Effect", effect)
		if len(p.Reads) > 0 && d == nil {
			row("Only read", view.ToolTitles(p.Reads))
		}
		if unseen := view.CodeUnseen(p.Entry); unseen != "" && !p.Entry.EachCall() {
			row("Always", unseen)
		}
		if text := strings.TrimSpace(t.Description); text != "" && (d == nil || d.Description == nil) {
			fmt.Fprintf(&b, Margin+"What the server says about it\n%s\n", safetext.Quote(Margin+Quoted, Shorten(text)))
		}
	} else {
		row("Tool", name)
	}
	if d != nil {
		b.WriteString(changes(d))
	}
	if len(args) == 0 {
		row("Arguments", "none")
		return b.String()
	}
	fmt.Fprintln(&b, Margin+"Arguments")
	for _, a := range view.Arguments(p.Entry.Tool, args) {
		if strings.Contains(a.Value, "\n") {
			fmt.Fprintf(&b, Margin+Quoted+"%s:\n%s\n", a.Name, safetext.Quote(Margin+Quoted+"  ", a.Value))
		} else {
			fmt.Fprintf(&b, Margin+Quoted+"%s: %s\n", a.Name, a.Value)
		}
	}
	return b.String()
}

// maxDescription is how many lines of a description an approval shows.
const maxDescription = 12

// Shorten returns the first lines of a description, and the number of omitted lines.
func Shorten(text string) string {
	lines := strings.Split(text, "\n")
	if len(lines) > maxDescription {
		lines = append(lines[:maxDescription], fmt.Sprintf("… (%d more lines)", len(lines)-maxDescription))
	}
	return strings.Join(lines, "\n")
}

// changes describes how a tool differs from the one that the user allowed.
func changes(d *consent.Difference) string {
	var b strings.Builder
	fmt.Fprintf(&b, Margin+"You chose always for this tool on %s. It changed, so goated asks again:\n", d.Was.At.Local().Format("2 January 2006"))
	part := func(title string, lines []consent.Line) {
		if lines == nil {
			return
		}
		fmt.Fprintln(&b, Margin+title)
		for _, l := range lines {
			text := safetext.OneLine(l.Text)
			if l.Name != "" {
				text = safetext.Name(l.Name) + "  " + text
			}
			fmt.Fprintf(&b, Margin+Quoted+"%c %s\n", l.Op, text)
		}
	}
	part("How it starts", d.Start)
	if d.Was.Version != d.Now.Version {
		part("Version", []consent.Line{{Op: '-', Text: d.Was.Version}, {Op: '+', Text: d.Now.Version}})
	}
	if d.Code {
		fmt.Fprintln(&b, Margin+d.CodeChange())
	}
	part("Title", d.Title)
	part("Description", d.Description)
	part("What its server tells the model", d.Instructions)
	part("Effect", d.Effects)
	part("Inputs", d.Inputs)
	if d.Hidden > 0 {
		fmt.Fprintf(&b, Margin+"Warning: its new text has %d hidden characters. They can make it read differently from what the model receives.\n", d.Hidden)
	}
	return b.String()
}
