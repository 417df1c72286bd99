// Package chatcmd contains the commands of a terminal chat that change its conversation: the model,
// the user's instructions, and the summary of earlier messages. It also prints lists of models. It
// must not know how lines are read or turns printed.
package chatcmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"goated/agent"
	"goated/internal/chat"
	"goated/internal/config"
	"goated/internal/modelname"
	"goated/internal/models"
	"goated/internal/store"
	"goated/internal/wording"
	"goated/ui/view"
)

// A Talk is the conversation in the terminal, with the user's choices for it. It must be used by
// one goroutine only.
type Talk struct {
	Source   *models.Source
	Settings config.Settings
	Session  *agent.Session
	Model    *models.Model
	Choices  store.Choices
	Out      io.Writer // marks hidden characters itself
	Notes    io.Writer // receives output that does not belong to the conversation
	Margin   string    // precedes each line of a model's words

	Moved func(turns []store.Turn, message bool) // shows what another process added, and whether the user's message follows it; may be nil

	Store        *store.Store // nil: nothing is saved
	Conversation *chat.Identity
	Parent       *string // id of the saved turn before the next one

	unsaved bool // the choices changed while the conversation was not saved
	asked   asked
	marks   []agent.Event
}

// Instruct passes the user's instructions to the session.
func (t *Talk) Instruct() {
	t.Session.Instructions = chat.JoinInstructions(t.Settings.Instructions, t.Choices.Instructions)
}

// Save saves the choices if the conversation is in the history. The model that answered counts as
// chosen, because another model in the settings applies only to new conversations.
func (t *Talk) Save(ctx context.Context) {
	if t.Choices.Model+t.Choices.Service == "" && t.Model != nil {
		if ref := t.Model.Ref(); ref.Service != config.NoModel {
			t.Choices.Service, t.Choices.Model, t.unsaved = ref.Service, ref.Name, true
		}
	}
	if !t.unsaved || t.Store == nil || t.Conversation.ID() == "" {
		return
	}
	if err := t.Store.SetChoices(ctx, t.Conversation.ID(), t.Choices); err != nil {
		fmt.Fprintln(t.Out, wording.ErrorText(err))
		return
	}
	t.unsaved = false
}

// Changed records that the choices must be saved.
func (t *Talk) Changed() { t.unsaved = true }

// Run runs a line if it is one of the commands, and reports whether it is.
func (t *Talk) Run(ctx context.Context, line string) bool {
	command, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	switch rest = strings.TrimSpace(rest); command {
	case "/model":
		t.choose(ctx, rest)
	case "/instructions":
		t.instructions(ctx, rest)
	case "/context":
		for _, line := range view.MeterLines(t.Session.Measure()) {
			fmt.Fprintln(t.Out, line)
		}
	case "/compact", "/undo":
		t.compact(ctx, command == "/undo")
	default:
		return false
	}
	return true
}

// Help describes the commands.
const Help = RetryCommand + `            tries again after a failure; else asks for another answer to your last message
/model NAME       lets another model answer; without a name, lists the models
/instructions     shows your instructions; with text, sets them for this conversation; with -, removes them
/context          shows what fills the model's context
/compact          summarises earlier messages; /undo restores them`

// choose lists the models, or switches to the model with a name from the next message on.
func (t *Talk) choose(ctx context.Context, name string) {
	groups := t.Source.All(ctx, t.Settings, t.Model.Ref())
	if name == "" {
		for _, g := range groups {
			fmt.Fprintln(t.Out, g.Title)
			if g.Err != nil {
				fmt.Fprintln(t.Out, "  "+wording.ErrorText(g.Err))
			}
			for _, e := range g.Entries {
				mark := " "
				if e.Ref == t.Model.Ref() {
					mark = "*"
				}
				fmt.Fprintf(t.Out, "%s %-34s %8s  %s\n", mark, models.Called(e), modelname.Tokens(e.Window), models.PriceText(e))
			}
		}
		fmt.Fprintln(t.Out, "/model NAME lets one of them answer from your next message on.")
		return
	}
	e, err := models.Find(groups, name)
	if err != nil {
		fmt.Fprintln(t.Out, wording.ErrorText(err))
		return
	}
	t.Model = t.Source.Open(t.Settings, e.Ref)
	t.Session.SetModel(t.Model)
	t.Choices.Service, t.Choices.Model, t.unsaved = e.Ref.Service, e.Ref.Name, true
	fmt.Fprintf(t.Out, "%s answers from your next message on.\n", e.Title)
	t.Save(ctx)
}

// instructions shows, sets or removes the instructions of the conversation.
func (t *Talk) instructions(ctx context.Context, text string) {
	switch text {
	case "":
		for _, i := range []struct{ title, text string }{{"For every conversation (in the settings):", t.Settings.Instructions}, {"For this conversation:", t.Choices.Instructions}} {
			fmt.Fprintf(t.Out, "%s\n%s\n", i.title, "  "+strings.ReplaceAll(cmp.Or(strings.TrimSpace(i.text), "none"), "\n", "\n  "))
		}
		return
	case "-":
		t.Choices.Instructions = ""
		fmt.Fprintln(t.Out, "This conversation has no instructions of its own now.")
	default:
		t.Choices.Instructions = text
		fmt.Fprintln(t.Out, "The model gets these instructions from your next message on.")
	}
	t.unsaved = true
	t.Instruct()
	t.Save(ctx)
}

// compact summarises earlier messages, or undoes that.
func (t *Talk) compact(ctx context.Context, undo bool) {
	c := chat.Compaction{Session: t.Session, Undo: undo}
	if t.Store != nil {
		c.History, c.Conversation, c.Parent = t.Store, t.Conversation, *t.Parent
		c.OnBegin = func(id string) { *t.Parent = id }
		c.OnMoved = func(now store.Thread) {
			t.moved(now, false)
			t.remember(now)
			*t.Parent = now.Conversation.Active
		}
		c.OnLost = func(err error) { fmt.Fprintln(t.Out, "This is not saved: "+wording.ErrorText(err)) }
	}
	events, err := c.Run(ctx)
	switch {
	case errors.Is(err, agent.ErrNothing):
		_, inForce := t.Session.Summary()
		fmt.Fprintln(t.Out, wording.NothingToSummarise(undo, inForce))
	case errors.Is(err, store.ErrContinuedElsewhere):
		fmt.Fprintln(t.Out, "Another window or terminal continued this conversation, so nothing was changed. Try again.")
	case errors.Is(err, agent.ErrLongSummary):
		fmt.Fprintln(t.Out, wording.TurnEndText(events[0].(agent.TurnEnded)))
	case ctx.Err() != nil:
		fmt.Fprintln(t.Out, "You stopped it. Nothing is summarised.")
	case err != nil:
		fmt.Fprintln(t.Out, wording.ErrorText(err))
	default:
		e := events[0]
		t.saw(e)
		fmt.Fprintln(t.Out, wording.EventText(e))
		if c, ok := e.(agent.ContextCompacted); ok {
			fmt.Fprintln(t.Out, t.Margin+strings.ReplaceAll(c.Summary, "\n", "\n"+t.Margin))
		}
	}
}
