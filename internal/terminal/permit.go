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

// Permit asks whether a server may do something while goated runs. For something dangerous, only a
// full "yes" counts.
func (p *Prompter) Permit(ctx context.Context, name string, need sandbox.Permission, private []string, seen func()) bool {
	guards := sandbox.Probe().Guards
	danger := view.Danger(need, private, guards)
	about, question := view.TerminalQuestion(name, need, danger, guards)
	answer := p.Says(ctx, about, question, seen)
	return answer == "yes" || answer == "y" && danger == ""
}

// Unconfined asks whether a server may run on a system that cannot confine it.
func (p *Prompter) Unconfined(ctx context.Context, name string, _ client.Config) bool {
	return p.agrees(ctx, fmt.Sprintf("This system can't sandbox %s. It can do everything that you can: read and change all your files, use the network, and start and stop programs.", name), "Run it? [y/N] ")
}

// Repeat asks whether a call may run a second time.
func (p *Prompter) Repeat(ctx context.Context, server, tool string) bool {
	return p.agrees(ctx, view.RepeatText(server, tool), "Run it again? [y/N] ")
}

// agrees asks a yes-or-no question. Every answer except yes is a no.
func (p *Prompter) agrees(ctx context.Context, about, question string) bool {
	answer := p.Says(ctx, about, question, func() {})
	return answer == "y" || answer == "yes"
}

// Says asks for a word, and returns "" if there is no answer. It calls seen together with the
// question.
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
