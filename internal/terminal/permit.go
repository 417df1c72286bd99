package terminal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"goated/client"
	"goated/internal/sandbox"
	"goated/ui/view"
)

// Permit asks whether a server may do something while goated runs. A yes to what is dangerous
// has to be written in full.
func (p *Prompter) Permit(ctx context.Context, name string, need sandbox.Permission, private []string, seen func()) bool {
	guards := sandbox.Probe().Guards
	danger := view.Danger(need, private, guards)
	about, question := view.Asks(name, need, danger, guards)
	answer := p.Says(ctx, about, question, seen)
	return answer == "yes" || answer == "y" && danger == ""
}

// Unconfined asks whether a server may run where nothing can confine it.
func (p *Prompter) Unconfined(ctx context.Context, name string, _ client.Config) bool {
	return p.agrees(ctx, fmt.Sprintf("This system can't sandbox %s. It can do everything that you can: read and change all your files, use the network, and start and stop programs.", name), "Run it? [y/N] ")
}

// Repeat asks whether a call may run a second time.
func (p *Prompter) Repeat(ctx context.Context, server, tool string) bool {
	return p.agrees(ctx, view.Repeats(server, tool), "Run it again? [y/N] ")
}

// agrees asks for a yes; everything else is a no.
func (p *Prompter) agrees(ctx context.Context, about, question string) bool {
	answer := p.Says(ctx, about, question, func() {})
	return answer == "y" || answer == "yes"
}

// Says asks for a word; empty where there is none. It calls seen with the question.
func (p *Prompter) Says(ctx context.Context, about, question string, seen func()) string {
	free, err := p.Take(ctx)
	if err != nil {
		return ""
	}
	defer free()
	fmt.Fprintf(p.Reader.Out, "\n%s\n", about)
	seen()
	answer, err := p.Reader.Line(ctx, question)
	if err != nil && !errors.Is(err, io.EOF) {
		return ""
	}
	return strings.ToLower(strings.TrimSpace(answer))
}
