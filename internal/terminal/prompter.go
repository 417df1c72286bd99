package terminal

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

// A Prompter asks the user questions in the terminal, one at a time.
type Prompter struct {
	Reader *Reader

	turn chan struct{} // holds a token while a question is open
}

func NewPrompter(t *Reader) *Prompter { return &Prompter{Reader: t, turn: make(chan struct{}, 1)} }

// Take waits until no other question is open. The caller calls free after the answer.
func (p *Prompter) Take(ctx context.Context) (free func(), err error) {
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

// PrompterOf returns the prompter of the terminal, or nil if there is no terminal.
func PrompterOf(cmd *cobra.Command) *Prompter {
	if !Interactive() {
		return nil
	}
	return NewPrompter(NewReader(cmd.ErrOrStderr()))
}

// Secret asks for a value that the terminal does not show.
func (p *Prompter) Secret(ctx context.Context, prompt string) (string, error) {
	free, err := p.Take(ctx)
	if err != nil {
		return "", err
	}
	defer free()
	return p.Reader.Secret(ctx, prompt)
}

// Ask asks for the required arguments of a tool that have no value yet.
func (p *Prompter) Ask(ctx context.Context, q agent.Question) (map[string]any, error) {
	free, err := p.Take(ctx)
	if err != nil {
		return nil, err
	}
	defer free()
	if len(q.Choices) > 0 {
		return p.choose(ctx, q)
	}
	fmt.Fprintf(p.Reader.Out, "\n%s of %s needs arguments\n", safetext.Name(q.Tool), safetext.Name(q.Server))
	if text := strings.TrimSpace(q.Description); text != "" {
		fmt.Fprintln(p.Reader.Out, safetext.Quote(margin+quoted, question.Shorten(text)))
	}
	args := maps.Clone(q.Args)
	if args == nil {
		args = make(map[string]any)
	}
	return args, p.fill(ctx, q.Schema, args, false)
}

// choose asks the user to choose from a numbered list.
func (p *Prompter) choose(ctx context.Context, q agent.Question) (map[string]any, error) {
	title, prompt := q.Description, fmt.Sprintf("Number (1-%d), or Enter for none: ", len(q.Choices))
	if len(q.Choices) == 1 {
		title, prompt = fmt.Sprintf("Did you mean %s?", safetext.Name(q.Choices[0].Label)), "1 for yes, or Enter for no: "
	}
	fmt.Fprintf(p.Reader.Out, "\n%s\n", title)
	for i, c := range q.Choices {
		fmt.Fprintf(p.Reader.Out, "  %d. %s (%s)\n", i+1, safetext.Name(c.Label), safetext.Name(c.Detail))
	}
	for {
		answer, err := p.Reader.Line(ctx, prompt)
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

// Elicit asks on behalf of a server: "clients MUST provide UI that makes it clear which server is
// requesting information". It marks the server's words in the margin, and repeats the server's name
// after them.
func (p *Prompter) Elicit(ctx context.Context, from client.Asker, e *mcp.ElicitParams) (*mcp.ElicitResult, error) {
	free, err := p.Take(ctx)
	if err != nil {
		return nil, err
	}
	defer free()
	name := safetext.Name(from.Name)
	fmt.Fprintf(p.Reader.Out, "\nThe server %s asks you. It runs %s. Your answer goes to this server.\n", name, safetext.Cut(from.Start, 300))
	if text := view.QuestionText(e.Message); text != "" {
		fmt.Fprintln(p.Reader.Out, safetext.Quote(margin+quoted, text))
	}
	if e.Mode == "url" || e.RequestedSchema == nil && e.URL != "" {
		return p.visit(ctx, name, e.URL)
	}
	for _, warning := range []string{view.SecretWarning(e), view.MissingFieldsText(e)} {
		if warning != "" {
			fmt.Fprintln(p.Reader.Out, "Warning: "+warning)
		}
	}
	content := make(map[string]any)
	switch err := p.fill(ctx, e.RequestedSchema, content, true); {
	case errors.Is(err, agent.ErrDeclined):
		return &mcp.ElicitResult{Action: "cancel"}, nil
	case err != nil:
		return nil, err
	}
	answer, err := p.Reader.Line(ctx, "Send this to "+name+"? [y]es, [n]o: ")
	if err != nil || !strings.HasPrefix(strings.ToLower(strings.TrimSpace(answer)), "y") {
		return &mcp.ElicitResult{Action: "decline"}, nil
	}
	return &mcp.ElicitResult{Action: "accept", Content: content}, nil
}

// visit asks the user to open a page. In a terminal, goated does not open it itself.
func (p *Prompter) visit(ctx context.Context, name, address string) (*mcp.ElicitResult, error) {
	a := safetext.ReadAddress(address)
	if a.URL == nil {
		fmt.Fprintf(p.Reader.Out, margin+quoted+"%s\nThis is not the address of a web page. goated declines.\n", safetext.Cut(address, 1000))
		return &mcp.ElicitResult{Action: "decline"}, nil
	}
	host := a.Host
	if a.Site != "" {
		host += ", which belongs to " + a.Site
	}
	fmt.Fprintf(p.Reader.Out, "It wants you to open a page of %s:\n"+margin+quoted+"%s\n", host, safetext.Cut(address, 1000))
	for _, doubt := range view.AddressWarnings(a) {
		fmt.Fprintln(p.Reader.Out, "Warning: "+doubt)
	}
	answer, err := p.Reader.Line(ctx, "Tell "+name+" that you opened it? [y]es, [n]o: ")
	if err != nil || !strings.HasPrefix(strings.ToLower(strings.TrimSpace(answer)), "y") {
		return &mcp.ElicitResult{Action: "decline"}, nil
	}
	return &mcp.ElicitResult{Action: "accept"}, nil
}

// fill asks for the fields that are missing in values: all fields, or only the required ones.
func (p *Prompter) fill(ctx context.Context, schema any, values map[string]any, all bool) error {
	return question.Form{
		Say: func(line string) { fmt.Fprintln(p.Reader.Out, line) },
		Ask: func(prompt string, secret bool) (string, error) {
			if secret && p.Reader.editor != nil {
				return p.Reader.hidden(ctx, prompt)
			}
			return p.Reader.Line(ctx, prompt)
		},
	}.Fill(schema, values, all)
}
