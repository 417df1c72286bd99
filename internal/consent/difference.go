package consent

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/codedigest"
	"goated/internal/safetext"
)

// A Difference describes how a tool differs from the version that the user allowed. Its lines are
// the server's text, so mark hidden characters before you show them.
type Difference struct {
	Was, Now Grant

	Start        []Line   // how the server starts; nil: unchanged
	Title        []Line   // nil: as before
	Description  []Line   // nil: as before
	Instructions []Line   // the server's instructions for the model; nil: unchanged
	Effects      []Line   // what the tool declares about its effects; nil: unchanged
	Inputs       []Line   // the changed inputs, each with its name; nil: unchanged
	Unchanged    []string // the names of the unchanged inputs
	Code         bool     // the server's files, packages or image changed
	Hidden       int      // number of hidden characters in the new texts

	// Wording reports that only texts for readers differ: the tool has the same inputs and effects,
	// and its server starts in the same way. The program may be newer.
	Wording bool
}

// A Line is a line of a difference.
type Line struct {
	Op   byte   // '-': only before, '+': only now, ' ': both
	Name string // name of an input; empty for other lines
	Text string
	New  bool // the line belongs to an input that did not exist before
}

func difference(was, now Grant) *Difference {
	d := &Difference{Was: was, Now: now, Code: was.Code != now.Code}
	d.Start = changedLines(was.Start, now.Start)
	d.Title = changedLines(was.Tool.Title, now.Tool.Title)
	d.Description = changedLines(was.Tool.Description, now.Tool.Description)
	d.Instructions = changedLines(was.Instructions, now.Instructions)
	d.Effects = changedLines(Effects(was.Tool.Annotations), Effects(now.Tool.Annotations))
	words := d.compareInputs()
	d.Hidden = safetext.Hidden(now.Tool.Title + now.Tool.Description + now.Instructions + string(now.Tool.Input))
	if now.Tool.Annotations != nil {
		d.Hidden += safetext.Hidden(now.Tool.Annotations.Title)
	}
	d.Wording = d.Start == nil && d.Effects == nil && d.Hidden == 0 && words
	return d
}

// CodeChange returns a sentence that the code of the server changed, with the names of the files if
// they are known.
func (d *Difference) CodeChange() string {
	added, changed, removed := codedigest.Changes(d.Was.Files, d.Now.Files)
	text := "The code of its server changed"
	if len(added)+len(changed)+len(removed) == 0 {
		return text + ": its files, its packages or its image."
	}
	text += "."
	for _, part := range []struct {
		title string
		names []string
	}{{"Added", added}, {"Changed", changed}, {"Removed", removed}} {
		if len(part.names) == 0 {
			continue
		}
		var shown []string
		for _, name := range part.names[:min(len(part.names), maxFiles)] {
			shown = append(shown, safetext.Cut(safetext.OneLine(name), 60))
		}
		text += " " + part.title + ": " + strings.Join(shown, ", ")
		if more := len(part.names) - len(shown); more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
		text += "."
	}
	return text
}

// maxFiles limits the file names that CodeChange lists for each kind of change.
const maxFiles = 5

// Effects lists the effects that a tool declares, one on each line; see MCP, Tool annotations. A
// server can lie.
func Effects(a *mcp.ToolAnnotations) string {
	if a == nil {
		return "says nothing about its effects"
	}
	var said []string
	if a.ReadOnlyHint {
		said = append(said, "only reads")
	} else if a.DestructiveHint == nil || *a.DestructiveHint {
		said = append(said, "can change and delete")
	} else {
		said = append(said, "can change, deletes nothing")
	}
	if a.OpenWorldHint == nil || *a.OpenWorldHint {
		said = append(said, "reaches outside this computer")
	}
	if a.IdempotentHint && !a.ReadOnlyHint {
		said = append(said, "can be repeated without further effect")
	}
	return strings.Join(said, "\n")
}

// compareInputs fills in the differences between the inputs, and reports whether only their texts differ.
func (d *Difference) compareInputs() (wordsOnly bool) {
	var was, now schema
	_ = json.Unmarshal(d.Was.Tool.Input, &was) // a schema that is not an object has no inputs
	_ = json.Unmarshal(d.Now.Tool.Input, &now)
	var names []string
	for _, name := range slices.Concat(now.names(), was.names()) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range names {
		before, had := was.Properties[name]
		after, has := now.Properties[name]
		needed, needs := slices.Contains(was.Required, name), slices.Contains(now.Required, name)
		if had && has && needed == needs && equalJSON(before, after) {
			d.Unchanged = append(d.Unchanged, name)
			continue
		}
		old, fresh := describe(before, needed), describe(after, needs)
		if old == fresh { // the short descriptions do not show the difference
			old, fresh = old+" "+compact(before), fresh+" "+compact(after)
		}
		if had {
			d.Inputs = append(d.Inputs, Line{Op: '-', Name: name, Text: old})
		}
		if has {
			d.Inputs = append(d.Inputs, Line{Op: '+', Name: name, Text: fresh, New: !had})
		}
	}
	same := equalJSON(withoutWords(d.Was.Tool.Input), withoutWords(d.Now.Tool.Input))
	if d.Inputs == nil && !equalJSON(d.Was.Tool.Input, d.Now.Tool.Input) {
		d.Inputs = changedLines(indented(d.Was.Tool.Input), indented(d.Now.Tool.Input))
	}
	return same
}

// A schema is the part of a JSON schema that lists the inputs.
type schema struct {
	Properties map[string]json.RawMessage `json:"properties"`
	Required   []string                   `json:"required"`
}

func (s schema) names() []string {
	var names []string
	for name := range s.Properties {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func equalJSON(a, b json.RawMessage) bool {
	var x, y any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return bytes.Equal(a, b)
	}
	return reflect.DeepEqual(x, y)
}

func compact(v json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, v) != nil {
		return string(v)
	}
	return b.String()
}

func indented(v json.RawMessage) string {
	var b bytes.Buffer
	if json.Indent(&b, v, "", "  ") != nil {
		return string(v)
	}
	return b.String()
}

// changedLines returns the line difference between two texts, or nil if they are equal.
func changedLines(was, now string) []Line {
	if was == now {
		return nil
	}
	a, b := textLines(was), textLines(now)
	common := longest(a, b)
	var out []Line
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case len(common) > 0 && i < len(a) && j < len(b) && a[i] == common[0] && b[j] == common[0]:
			out = append(out, Line{Op: ' ', Text: a[i]})
			common = common[1:]
			i, j = i+1, j+1
		case i < len(a) && (len(common) == 0 || a[i] != common[0]):
			out = append(out, Line{Op: '-', Text: a[i]})
			i++
		default:
			out = append(out, Line{Op: '+', Text: b[j]})
			j++
		}
	}
	return out
}

func textLines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// maxLines limits the lines that longest compares. Longer texts count as completely different.
const maxLines = 500

// longest returns the longest common subsequence of two lists of lines.
func longest(a, b []string) []string {
	if len(a) > maxLines || len(b) > maxLines {
		return nil
	}
	length := make([][]int, len(a)+1)
	for i := range length {
		length[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				length[i][j] = length[i+1][j+1] + 1
			} else {
				length[i][j] = max(length[i+1][j], length[i][j+1])
			}
		}
	}
	var out []string
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			out = append(out, a[i])
			i, j = i+1, j+1
		case length[i+1][j] >= length[i][j+1]:
			i++
		default:
			j++
		}
	}
	return out
}
