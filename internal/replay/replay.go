// Package replay repeats the tool calls of a saved conversation and compares the servers' current
// results with the saved ones.
//
// It owns the format of a case: a file with calls and their expected results. It must not depend on
// how servers are connected, or how a difference is shown.
package replay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent"
	"goated/internal/exact"
	"goated/internal/store"
	"goated/registry"
)

// The name and version of the format of a case.
const (
	format  = "goated case"
	version = 1
)

// A Case is a list of calls with their expected results.
type Case struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	Title   string `json:"title,omitempty"`
	Calls   []Call `json:"calls"`
}

// A Call is a tool call with its expected result. If Text, Contains or Structured is empty, it is
// not compared.
type Call struct {
	Tool string         `json:"tool"` // the server's name for the tool
	Args map[string]any `json:"arguments"`
	// Fails means that the tool reports an error.
	Fails bool `json:"fails,omitempty"`
	// Text is the whole text of the result.
	Text string `json:"text,omitempty"`
	// Contains lists parts of the text, for results that change over time.
	Contains []string `json:"contains,omitempty"`
	// Structured is the structured content.
	Structured json.RawMessage `json:"structured,omitempty"`
}

// Of returns a case with the calls that ran in a conversation. It omits calls that the user did not
// allow, and goated's own functions.
func Of(title string, turns []store.Turn) Case {
	c := Case{Format: format, Version: version, Title: title, Calls: []Call{}}
	for _, t := range turns {
		open := make(map[string]agent.ToolCalled)
		for _, e := range t.Events {
			switch e := e.(type) {
			case agent.ToolCalled:
				open[e.ID] = e
			case agent.ToolDecided:
				if called, ok := open[e.ID]; ok && e.Args != nil {
					called.Args = e.Args
					open[e.ID] = called
				}
			case agent.ToolReturned:
				called, ok := open[e.ID]
				if ok && e.Result != nil && e.Refusal == "" && called.Server != "" && called.Server != "goated" {
					c.Calls = append(c.Calls, expected(called, e.Result))
				}
			}
		}
	}
	return c
}

// expected returns a call with its saved result as the expected one.
func expected(called agent.ToolCalled, r *mcp.CallToolResult) Call {
	c := Call{Tool: called.Tool, Args: called.Args, Fails: r.IsError, Text: textOf(r)}
	if r.StructuredContent != nil {
		c.Structured, _ = json.Marshal(r.StructuredContent) // cannot fail: it came from JSON
	}
	return c
}

// textOf returns the text of a result, with a line for each content that is not text.
func textOf(r *mcp.CallToolResult) string {
	var lines []string
	for _, c := range r.Content {
		switch c := c.(type) {
		case *mcp.TextContent:
			lines = append(lines, c.Text)
		case *mcp.ImageContent:
			lines = append(lines, fmt.Sprintf("[image, %s, %d bytes]", c.MIMEType, len(c.Data)))
		case *mcp.AudioContent:
			lines = append(lines, fmt.Sprintf("[audio, %s, %d bytes]", c.MIMEType, len(c.Data)))
		case *mcp.ResourceLink:
			lines = append(lines, "[resource "+c.URI+"]")
		case *mcp.EmbeddedResource:
			if c.Resource != nil {
				lines = append(lines, "[resource "+c.Resource.URI+"]\n"+c.Resource.Text)
			}
		}
	}
	return strings.Join(lines, "\n")
}

// Read reads a case.
func Read(r io.Reader) (Case, error) {
	var c Case
	data, err := io.ReadAll(r)
	if err != nil {
		return c, err
	}
	if err := exact.Decode(data, &c); err != nil {
		return c, fmt.Errorf("reading a case: %w", err)
	}
	switch {
	case c.Format != format:
		return c, errors.New("this file is not a case: \"goated replay FILE --save CASE\" writes one")
	case c.Version != version:
		return c, fmt.Errorf("this goated reads version %d of cases, and the file has version %d", version, c.Version)
	}
	for i, call := range c.Calls {
		if call.Tool == "" {
			return c, fmt.Errorf("call %d has no tool", i+1)
		}
	}
	return c, nil
}

// Write writes the case as JSON in a form that users can edit.
func (c Case) Write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(c)
}

// Tools provides the current tools. [goated/client.Host] implements it.
type Tools interface {
	FindByName(name string) []registry.Entry
	CallEntry(ctx context.Context, e registry.Entry, args map[string]any, report func(*mcp.ProgressNotificationParams)) (*mcp.CallToolResult, error)
}

// An Outcome is the outcome of a call.
type Outcome struct {
	Call
	Skipped bool   // the call was not made, because the tool may change something
	Differs string // how the result differs; empty if it does not
}

// Run makes the calls of a case one after the other, and yields the outcome of each. It skips calls
// for which may returns false. It ends early if ctx ends.
func (c Case) Run(ctx context.Context, tools Tools, may func(registry.Entry, map[string]any) bool, yield func(Outcome)) error {
	for _, call := range c.Calls {
		if err := ctx.Err(); err != nil {
			return err
		}
		o := Outcome{Call: call}
		found := tools.FindByName(call.Tool)
		switch {
		case len(found) == 0:
			o.Differs = "no connected server has the tool any more"
		case len(found) > 1:
			o.Differs = fmt.Sprintf("%d connected servers have the tool", len(found))
		case !may(found[0], call.Args):
			o.Skipped = true
		default:
			r, err := tools.CallEntry(ctx, found[0], call.Args, nil)
			if r == nil && ctx.Err() != nil {
				return ctx.Err()
			}
			if o.Differs = call.compare(r); r == nil {
				o.Differs = "the call failed: " + err.Error()
			}
		}
		yield(o)
	}
	return nil
}

// compare describes how a result differs from the expected one.
func (c Call) compare(r *mcp.CallToolResult) string {
	if r == nil {
		return ""
	}
	text := textOf(r)
	switch {
	case r.IsError && !c.Fails:
		return "the tool now reports an error: " + text
	case !r.IsError && c.Fails:
		return "the tool no longer reports an error"
	}
	for _, part := range c.Contains {
		if !strings.Contains(text, part) {
			return fmt.Sprintf("the text no longer has %q", part)
		}
	}
	if len(c.Contains) == 0 && c.Text != "" && text != c.Text {
		return difference(c.Text, text)
	}
	if len(c.Structured) > 0 {
		var want, have any
		data, err := json.Marshal(r.StructuredContent)
		if err = errors.Join(err, exact.Decode(c.Structured, &want), exact.Decode(data, &have)); err != nil {
			return "the structured content can't be compared: " + err.Error()
		}
		if !reflect.DeepEqual(want, have) {
			return fmt.Sprintf("the structured content is %s, and was %s", data, c.Structured)
		}
	}
	return ""
}

// difference describes the first line that differs.
func difference(was, is string) string {
	before, now := strings.Split(was, "\n"), strings.Split(is, "\n")
	for i := range max(len(before), len(now)) {
		switch {
		case i >= len(now):
			return fmt.Sprintf("line %d is gone: %q", i+1, before[i])
		case i >= len(before):
			return fmt.Sprintf("line %d is new: %q", i+1, now[i])
		case before[i] != now[i]:
			return fmt.Sprintf("line %d is %q, and was %q", i+1, now[i], before[i])
		}
	}
	return ""
}
