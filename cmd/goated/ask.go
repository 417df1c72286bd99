package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent"
	"goated/ui/view"
	"goated/ui/view/form"
)

// A person answers questions at the terminal, one at a time.
type person struct {
	t *terminal

	turn chan struct{} // holds a token while a question is open
}

func newPerson(t *terminal) *person { return &person{t: t, turn: make(chan struct{}, 1)} }

// take waits until no other question is open. Call free after the answer.
func (p *person) take(ctx context.Context) (free func(), err error) {
	select {
	case p.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	free = func() { <-p.turn }
	if ctx.Err() != nil { // the caller no longer waits
		free()
		return nil, ctx.Err()
	}
	return free, nil
}

// approve asks whether a call may run.
func (p *person) approve(ctx context.Context, call agent.ToolCalled) (agent.Decision, error) {
	free, err := p.take(ctx)
	if err != nil {
		return agent.Deny, err
	}
	defer free()
	fmt.Fprintf(p.t.out, "\n%s of %s asks to run with\n%s\n", call.Tool, call.Server, view.FormatJSON(call.Args))
	for {
		answer, err := p.t.line(ctx, "Allow? [y]es once, [a]lways this tool, [n]o: ")
		switch {
		case errors.Is(err, io.EOF):
			return agent.Deny, nil
		case err != nil:
			return agent.Deny, err
		}
		switch strings.ToLower(strings.TrimSpace(answer)) {
		case "y", "yes", "once":
			return agent.AllowOnce, nil
		case "a", "always":
			return agent.AllowAlways, nil
		case "n", "no":
			return agent.Deny, nil
		}
	}
}

// ask asks for the required arguments of a tool that are still missing.
func (p *person) ask(ctx context.Context, q agent.Question) (map[string]any, error) {
	free, err := p.take(ctx)
	if err != nil {
		return nil, err
	}
	defer free()
	fmt.Fprintf(p.t.out, "\n%s of %s: %s\n", q.Tool, q.Server, strings.TrimSpace(q.Description))
	args := maps.Clone(q.Args)
	if args == nil {
		args = make(map[string]any)
	}
	return args, p.fill(ctx, q.Schema, args, false)
}

// elicit asks on behalf of a server and shows its name: "clients MUST provide UI
// that makes it clear which server is requesting information".
func (p *person) elicit(ctx context.Context, server string, e *mcp.ElicitParams) (*mcp.ElicitResult, error) {
	free, err := p.take(ctx)
	if err != nil {
		return nil, err
	}
	defer free()
	fmt.Fprintf(p.t.out, "\nThe server %s asks: %s\n", server, e.Message)
	content := make(map[string]any)
	switch err := p.fill(ctx, e.RequestedSchema, content, true); {
	case errors.Is(err, agent.ErrDeclined):
		return &mcp.ElicitResult{Action: "cancel"}, nil
	case err != nil:
		return nil, err
	}
	answer, err := p.t.line(ctx, "Send this to "+server+"? [y]es, [n]o: ")
	if err != nil || !strings.HasPrefix(strings.ToLower(strings.TrimSpace(answer)), "y") {
		return &mcp.ElicitResult{Action: "decline"}, nil
	}
	return &mcp.ElicitResult{Action: "accept", Content: content}, nil
}

// fill asks for the fields missing in values: all of them, or only the required.
func (p *person) fill(ctx context.Context, schema any, values map[string]any, all bool) error {
	fields, err := form.Fields(schema)
	if err != nil {
		return err
	}
	for _, f := range fields {
		if _, known := values[f.Name]; known || !f.Required && !all {
			continue
		}
		for {
			answer, err := p.t.line(ctx, prompt(f))
			switch {
			case errors.Is(err, io.EOF):
				return agent.ErrDeclined
			case err != nil:
				return err
			}
			if answer == "" && f.Default != nil {
				answer = f.Format(f.Default)
			}
			if f.Kind == form.MultiChoice {
				answer = strings.ReplaceAll(answer, ",", "\n")
			}
			value, present, err := f.Parse(answer)
			if err != nil {
				fmt.Fprintln(p.t.out, err.Error()+".")
				continue
			}
			if present {
				values[f.Name] = value
			}
			break
		}
	}
	return nil
}

// prompt is the prompt of one field, with its notes.
func prompt(f form.Field) string {
	var notes []string
	if f.Help != "" {
		notes = append(notes, f.Help)
	}
	if len(f.Choices) > 0 {
		labels := make([]string, len(f.Choices))
		for i, c := range f.Choices {
			labels[i] = c.Label
		}
		notes = append(notes, "one of "+strings.Join(labels, ", "))
	}
	if f.Default != nil {
		notes = append(notes, "default "+f.Format(f.Default))
	} else if !f.Required {
		notes = append(notes, "optional")
	}
	if len(notes) == 0 {
		return f.Label + ": "
	}
	return f.Label + " (" + strings.Join(notes, "; ") + "): "
}
