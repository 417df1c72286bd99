package view

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/safetext"
	"goated/registry"
	"goated/ui/view/fields"
)

// ToolTitle returns the name of a tool for users, on one short line. It is the tool's title or,
// without one, its name.
func ToolTitle(t *mcp.Tool) string { return titleOr(registry.Title(t), t.Name) }

// DefinitionTitle is ToolTitle for the definition of a tool.
func DefinitionTitle(d registry.Definition) string {
	return ToolTitle(&mcp.Tool{Name: d.Name, Title: d.Title, Annotations: d.Annotations})
}

// titleOr returns a title or, if it is empty, a name, on one short line.
func titleOr(title, name string) string {
	for _, s := range []string{title, name} {
		if s = safetext.Name(s); s != "" {
			return s
		}
	}
	return "A tool without a name"
}

// ToolTitles lists the titles of tools for users, on one line.
func ToolTitles(tools []registry.Entry) string {
	var names []string
	for _, e := range tools {
		if e.Tool != nil {
			names = append(names, ToolTitle(e.Tool))
		}
	}
	return safetext.Cut(strings.Join(names, ", "), 1000)
}

// An Effect is the effect that a tool claims to have. The zero value means that it claims none.
type Effect int

// The effects. A server can lie, so goated is sure only of the effects of its own servers.
const (
	MakesChanges Effect = iota
	OnlyReads
	DeletesData
	SendsDataOut
	ReplacesFiles
)

// EffectOf returns the effect that the tool of an entry claims.
func EffectOf(e registry.Entry) Effect {
	replaces, _ := e.Tool.Meta[registry.ReplacesKey].(bool)
	switch a := e.Tool.Annotations; {
	case a == nil:
		return MakesChanges
	case a.ReadOnlyHint:
		return OnlyReads
	case replaces && e.Bundled && a.DestructiveHint != nil && *a.DestructiveHint:
		return ReplacesFiles
	case a.DestructiveHint != nil && *a.DestructiveHint:
		return DeletesData
	case a.OpenWorldHint != nil && *a.OpenWorldHint:
		return SendsDataOut
	}
	return MakesChanges
}

func (e Effect) String() string {
	switch e {
	case OnlyReads:
		return "Reads"
	case DeletesData:
		return "May delete"
	case ReplacesFiles:
		return "May replace a file"
	case SendsDataOut:
		return "Sends data out"
	case MakesChanges:
	}
	return "Makes changes"
}

// An Argument is an argument of a call, formatted for a user.
type Argument struct {
	Name  string
	Value string // a string as it is; any other value as JSON
	Text  bool   // the value is a string
}

// ArgumentNames returns the names of the arguments of a call in the order of [fields.Order]. The
// tool is nil if its definition is unknown.
func ArgumentNames(tool *mcp.Tool, args map[string]any) []string {
	if tool == nil {
		return fields.Order(nil, args)
	}
	return fields.Order(tool.InputSchema, args)
}

// Arguments returns the arguments of a call in the order of [ArgumentNames]. It makes hidden
// characters visible.
func Arguments(tool *mcp.Tool, args map[string]any) []Argument {
	var out []Argument
	for _, name := range ArgumentNames(tool, args) {
		a := Argument{Name: safetext.Cut(name, 200)}
		if text, ok := args[name].(string); ok {
			a.Value, a.Text = safetext.Mark(text), true
		} else if list, ok := joinTexts(args[name]); ok {
			a.Value = list
		} else {
			a.Value = safetext.Mark(strings.TrimSpace(FormatJSON(args[name])))
		}
		out = append(out, a)
	}
	return out
}

// joinTexts joins a list of texts with commas. It returns false for a list that would then be
// ambiguous, for example because a text contains a comma.
func joinTexts(v any) (string, bool) {
	list, ok := v.([]any)
	if !ok || len(list) == 0 {
		return "", false
	}
	var out []string
	for _, v := range list {
		text, ok := v.(string)
		if !ok || text == "" || strings.ContainsAny(text, ",\n\t\"") || strings.TrimSpace(text) != text {
			return "", false
		}
		out = append(out, safetext.Mark(text))
	}
	return strings.Join(out, ", "), true
}

// EditArgument parses the value that a user typed for an argument. A string stays a string. Any
// other value is JSON, and its numbers keep their digits.
func EditArgument(was any, typed string) (any, error) {
	if _, ok := was.(string); ok {
		return typed, nil
	}
	dec := json.NewDecoder(strings.NewReader(typed))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errMoreJSON
	}
	return v, nil
}

var errMoreJSON = errors.New("there is more after the value")

// EditText returns a text that EditArgument parses as the same value.
func EditText(v any) string {
	if text, ok := v.(string); ok {
		return text
	}
	return strings.TrimSpace(FormatJSON(v))
}

// Asking returns the chat with an open question at its end. The question replaces the cards of
// the calls that it refers to.
func (c Chat) Asking(id int, calls ...string) Chat {
	list := make([]Item, 0, c.Len()+1)
	asked := Question{ID: id, Step: -1}
	for _, item := range c.All() {
		if card, ok := item.(Card); ok && card.Status == Waiting && slices.Contains(calls, card.ID) {
			asked.Step = card.Step
			continue
		}
		list = append(list, item)
	}
	c.items = itemsOf(append(list, asked))
	return c
}

// AskingFor returns the chat with an open question of a server at its end. The server's running
// calls are shown as waiting for the user.
func (c Chat) AskingFor(id int, server string) Chat {
	list := make([]Item, 0, c.Len()+1)
	asked := Question{ID: id, Step: -1}
	for _, item := range c.All() {
		if card, ok := item.(Card); ok && card.Status == Running && card.Server == server {
			card.Status, asked.Step = Waiting, card.Step
			item = card
		}
		list = append(list, item)
	}
	c.items = itemsOf(append(list, asked))
	return c
}
