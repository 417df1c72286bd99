package terminal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"goated/agent"
	"goated/internal/consent"
	"goated/internal/errtext"
	"goated/internal/safetext"
	"goated/ui/view"
	"goated/ui/view/question"
)

// These begin lines with words from others; see [question.Margin].
const (
	margin = question.Margin
	quoted = question.Quoted
)

// An Approver asks in the terminal whether calls may run.
type Approver struct {
	*Prompter
	Grants *consent.Grants        // nil: no grants are stored
	Server func(id string) string // returns the name of a server; nil: questions show its id
}

// Approve asks about the calls of a step, one after another. It is an [agent.Approve].
func (a Approver) Approve(ctx context.Context, calls []agent.Pending) ([]agent.Answer, error) {
	free, err := a.Take(ctx)
	if err != nil {
		return nil, err
	}
	defer free()
	n := 0
	return agent.ApproveOneByOne(func(ctx context.Context, p agent.Pending) (agent.Answer, error) {
		n++
		title := "Allow this call?"
		if len(calls) > 1 {
			title = fmt.Sprintf("Allow this call? (%d of %d)", n, len(calls))
		}
		return a.call(ctx, p, title)
	})(ctx, calls)
}

// call asks about one call.
func (a Approver) call(ctx context.Context, p agent.Pending, title string) (agent.Answer, error) {
	args := p.Call.Args
	p.Call.Server = named(a.Server, p.Call.Server)
	difference := a.suspended(p)
	describe := true
	for {
		if describe {
			fmt.Fprintf(a.Reader.Out, "\n%s\n%s", title, question.Describe(p, args, difference))
		}
		describe = false
		answer, err := a.Reader.Line(ctx, question.Prompt(p, difference))
		switch {
		case errors.Is(err, io.EOF):
			return agent.Answer{}, nil
		case err != nil:
			return agent.Answer{}, err
		}
		yes := agent.Answer{Args: args}
		switch strings.ToLower(strings.TrimSpace(answer)) {
		case "y", "yes", "once":
			yes.Decision = agent.AllowOnce
			return yes, nil
		case "c", "conversation":
			yes.Decision = agent.AllowChat
			return yes, nil
		case "a", "always", "k", "keep":
			yes.Decision = agent.AllowAlways
			return yes, nil
		case "s", "server":
			if len(p.Reads) > 0 && difference == nil {
				yes.Decision = agent.AllowReads
				return yes, nil
			}
		case "r", "revoke":
			if difference != nil {
				if _, err := a.Grants.Revoke(difference.Was.ID()); err != nil {
					fmt.Fprintln(a.Reader.Out, Sentence(err))
				}
				return agent.Answer{}, nil
			}
		case "e", "edit":
			if args, err = a.edit(ctx, p, args); err != nil {
				return agent.Answer{}, err
			}
			describe = true
			continue
		case "n", "no":
			return agent.Answer{}, nil
		}
		fmt.Fprintln(a.Reader.Out, "goated did not understand that. Type the letter in brackets of one of these answers.")
	}
}

func (a Approver) suspended(p agent.Pending) *consent.Difference {
	if a.Grants == nil || p.Entry.Tool == nil {
		return nil
	}
	return a.Grants.DifferenceFor(p.Entry)
}

// edit asks for new values of the arguments. An empty line keeps the old value.
func (a Approver) edit(ctx context.Context, p agent.Pending, args map[string]any) (map[string]any, error) {
	out := make(map[string]any, len(args))
	for _, name := range view.ArgumentNames(p.Entry.Tool, args) {
		out[name] = args[name]
		for {
			answer, err := a.Reader.Line(ctx, safetext.Cut(name, 200)+" (empty keeps it): ")
			if err != nil || answer == "" {
				break
			}
			v, err := view.EditArgument(args[name], answer)
			if err == nil {
				out[name] = v
				break
			}
			fmt.Fprintln(a.Reader.Out, "This value is not text, so write it as JSON: "+errtext.Plain(err))
		}
	}
	return out, ctx.Err()
}

// brief returns a call's arguments as one short line.
func brief(args map[string]any) string {
	data, err := json.Marshal(args)
	if err != nil || len(args) == 0 {
		return ""
	}
	return safetext.Cut(string(data), 100)
}
