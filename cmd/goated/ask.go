package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"goated/agent"
	"goated/client"
	"goated/internal/safetext"
	"goated/ui/view"
	"goated/ui/view/question"
)

// A prompter answers questions at the terminal, one at a time.
type prompter struct {
	t *terminal

	turn chan struct{} // holds a token while a question is open
}

func newPrompter(t *terminal) *prompter { return &prompter{t: t, turn: make(chan struct{}, 1)} }

// take waits until no other question is open. Call free after the answer.
func (p *prompter) take(ctx context.Context) (free func(), err error) {
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

// asker returns the prompter of the terminal; nil without one.
func asker(cmd *cobra.Command) *prompter {
	if !interactive() {
		return nil
	}
	return newPrompter(newTerminal(cmd.ErrOrStderr()))
}

// secret asks for a value that is not shown.
func (p *prompter) secret(ctx context.Context, prompt string) (string, error) {
	free, err := p.take(ctx)
	if err != nil {
		return "", err
	}
	defer free()
	return p.t.secret(prompt)
}

// ask asks for the required arguments of a tool that are still missing.
func (p *prompter) ask(ctx context.Context, q agent.Question) (map[string]any, error) {
	free, err := p.take(ctx)
	if err != nil {
		return nil, err
	}
	defer free()
	if len(q.Choices) > 0 {
		return p.choose(ctx, q)
	}
	fmt.Fprintf(p.t.out, "\n%s of %s needs arguments\n", safetext.Name(q.Tool), safetext.Name(q.Server))
	if text := strings.TrimSpace(q.Description); text != "" {
		fmt.Fprintln(p.t.out, safetext.Quote(margin+quoted, question.Shorten(text)))
	}
	args := maps.Clone(q.Args)
	if args == nil {
		args = make(map[string]any)
	}
	return args, p.fill(ctx, q.Schema, args, false)
}

// choose asks for one of numbered choices.
func (p *prompter) choose(ctx context.Context, q agent.Question) (map[string]any, error) {
	title, prompt := q.Description, fmt.Sprintf("Number (1-%d), or Enter for none: ", len(q.Choices))
	if len(q.Choices) == 1 {
		title, prompt = fmt.Sprintf("Did you mean %s?", safetext.Name(q.Choices[0].Label)), "1 for yes, or Enter for no: "
	}
	fmt.Fprintf(p.t.out, "\n%s\n", title)
	for i, c := range q.Choices {
		fmt.Fprintf(p.t.out, "  %d. %s (%s)\n", i+1, safetext.Name(c.Label), safetext.Name(c.Detail))
	}
	for {
		answer, err := p.t.line(ctx, prompt)
		switch {
		case errors.Is(err, io.EOF), err == nil && strings.TrimSpace(answer) == "":
			return nil, agent.ErrDeclined
		case err != nil:
			return nil, err
		}
		if n, err := strconv.Atoi(strings.TrimSpace(answer)); err == nil && n >= 1 && n <= len(q.Choices) {
			return map[string]any{"tool": q.Choices[n-1].Value}, nil
		}
	}
}

// elicit asks on behalf of a server: "clients MUST provide UI that makes it clear which
// server is requesting information". The server's words have an edge, and its name
// comes after them once more.
func (p *prompter) elicit(ctx context.Context, from client.Asker, e *mcp.ElicitParams) (*mcp.ElicitResult, error) {
	free, err := p.take(ctx)
	if err != nil {
		return nil, err
	}
	defer free()
	name := safetext.Name(from.Name)
	fmt.Fprintf(p.t.out, "\nThe server %s asks you. It runs %s. Your answer goes to this server.\n", name, safetext.Cut(from.Start, 300))
	if text := view.Asked(e.Message); text != "" {
		fmt.Fprintln(p.t.out, safetext.Quote(margin+quoted, text))
	}
	if e.Mode == "url" || e.RequestedSchema == nil && e.URL != "" {
		return p.visit(ctx, name, e.URL)
	}
	for _, warning := range []string{view.SecretWarning(e), view.Unshown(e)} {
		if warning != "" {
			fmt.Fprintln(p.t.out, "Warning: "+warning)
		}
	}
	content := make(map[string]any)
	switch err := p.fill(ctx, e.RequestedSchema, content, true); {
	case errors.Is(err, agent.ErrDeclined):
		return &mcp.ElicitResult{Action: "cancel"}, nil
	case err != nil:
		return nil, err
	}
	answer, err := p.t.line(ctx, "Send this to "+name+"? [y]es, [n]o: ")
	if err != nil || !strings.HasPrefix(strings.ToLower(strings.TrimSpace(answer)), "y") {
		return &mcp.ElicitResult{Action: "decline"}, nil
	}
	return &mcp.ElicitResult{Action: "accept", Content: content}, nil
}

// visit asks the user to open a page, which goated does not open in a terminal.
func (p *prompter) visit(ctx context.Context, name, address string) (*mcp.ElicitResult, error) {
	a := safetext.ReadAddress(address)
	if a.URL == nil {
		fmt.Fprintf(p.t.out, margin+quoted+"%s\nThis is not the address of a web page. goated declines.\n", safetext.Cut(address, 1000))
		return &mcp.ElicitResult{Action: "decline"}, nil
	}
	host := a.Host
	if a.Site != "" {
		host += ", which belongs to " + a.Site
	}
	fmt.Fprintf(p.t.out, "It wants you to open a page of %s:\n"+margin+quoted+"%s\n", host, safetext.Cut(address, 1000))
	for _, doubt := range view.Doubts(a) {
		fmt.Fprintln(p.t.out, "Warning: "+doubt)
	}
	answer, err := p.t.line(ctx, "Tell "+name+" that you opened it? [y]es, [n]o: ")
	if err != nil || !strings.HasPrefix(strings.ToLower(strings.TrimSpace(answer)), "y") {
		return &mcp.ElicitResult{Action: "decline"}, nil
	}
	return &mcp.ElicitResult{Action: "accept"}, nil
}

// fill asks for the fields missing in values: all of them, or only the required.
func (p *prompter) fill(ctx context.Context, schema any, values map[string]any, all bool) error {
	return question.Form{
		Say: func(line string) { fmt.Fprintln(p.t.out, line) },
		Ask: func(prompt string, secret bool) (string, error) {
			if secret && p.t.editor != nil {
				return p.t.hidden(ctx, prompt)
			}
			return p.t.line(ctx, prompt)
		},
	}.Fill(schema, values, all)
}
