package chats

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"goated/agent"
	"goated/internal/chat"
	"goated/internal/config"
	"goated/internal/store"
	"goated/internal/wording"
)

// choices manages the user's choices for conversations: the model, the instructions, and the
// summary of earlier messages.
type choices struct{ page *Page }

// Adopt applies changed settings. A conversation without messages gets a new session, and any
// other conversation gets the current model. It does not replace a model that the user chose for
// the conversation, or that has already answered in it.
func (c *Conversation) Adopt(session func() *agent.Session) {
	_, chosen := c.Choice()
	switch {
	case c.Blank():
		if c.Session = session(); chosen && c.Saved.model != nil {
			c.Session.Model = c.Saved.model
		}
	case !chosen && c.Session != nil:
		c.Saved.model, c.Saved.switched = session().Model, true
	}
}

// chosen opens the model that the user chose for a conversation, or returns nil if there is none.
func (v *choices) chosen(c *Conversation) agent.Model {
	if o := c.Saved.Choices; o.Model+o.Service != "" {
		return v.page.on.Talk.Open(config.ModelRef{Service: o.Service, Name: o.Model})
	}
	return nil
}

// Choice returns the model that the user chose for a conversation. It returns false if the
// conversation follows the settings.
func (c *Conversation) Choice() (config.ModelRef, bool) {
	o := c.Saved.Choices
	return config.ModelRef{Service: o.Service, Name: o.Model}, o.Model+o.Service != ""
}

// Use lets another model answer in the shown conversation from the next turn on. If a turn waits
// for the previous model, or that model ended it with an error, the new model continues the turn
// immediately.
func (v *choices) Use(ref config.ModelRef) {
	c := v.page.Conversation()
	c.Saved.Choices.Service, c.Saved.Choices.Model = ref.Service, ref.Name
	c.Saved.model, c.Saved.switched = v.page.on.Talk.Open(ref), true
	v.save(c)
	waits := c.Running() && c.Chat.Wait.Attempt > 0
	failure := c.failure()
	switch {
	case waits:
		c.waits.then = func() {
			c.Chat = c.Chat.RemoveStopNotice()
			v.page.again(c)
		}
		c.Cancel()
	case failure != nil && failure.Other != "":
		v.page.retry()
	default:
		v.page.Refresh()
	}
}

// Remember stores ref, the model in the settings, for a conversation that it is about to answer
// and for which the user chose no model. Later changes of the settings then affect only new
// conversations. If no model answers, the conversation keeps following the settings.
func (v *choices) Remember(c *Conversation, ref config.ModelRef) {
	if _, chosen := c.Choice(); chosen || ref.Service == config.NoModel {
		return
	}
	c.Saved.Choices.Service, c.Saved.Choices.Model = ref.Service, ref.Name
	if c.Saved.model == nil {
		c.Saved.model = c.Session.Model
	}
	v.save(c)
}

// Instruct sets the instructions of a conversation.
func (v *choices) Instruct(c *Conversation, text string) {
	c.Saved.Choices.Instructions = text
	v.save(c)
	v.page.Refresh()
}

// Profile sets the server profile of the shown conversation if it has messages. An empty
// conversation gets the profile of its first turn.
func (v *choices) Profile(name string) {
	if c := v.page.Conversation(); c.Chat.Len() > 0 {
		v.SetProfile(c, name)
	} else {
		c.Saved.Choices.Profile = ""
	}
}

// SetProfile sets the server profile of a conversation.
func (v *choices) SetProfile(c *Conversation, name string) {
	c.Saved.Choices.Profile = name
	v.save(c)
}

// choiceWrites orders the writes of the choices of one conversation. It is safe for concurrent
// use.
type choiceWrites struct {
	sync.Mutex              // held during a write
	newest     atomic.Int64 // the number of the newest write
}

// save saves the user's choices for a conversation. If the conversation is not saved yet, they
// are saved with its first message.
func (v *choices) save(c *Conversation) {
	if c.Saved.ID == "" || v.page.History.Store == nil {
		return
	}
	p, id, choices := v.page, c.Saved.ID, c.Saved.Choices
	c.Saved.unkept = true
	number := c.Saved.writes.newest.Add(1)
	p.shell.Go(func() {
		c.Saved.writes.Lock()
		defer c.Saved.writes.Unlock()
		if number != c.Saved.writes.newest.Load() {
			return // newer choices replace these
		}
		err := p.History.Store.SetChoices(p.shell.Ctx, id, choices)
		quiet := err != nil && unwritten(p.History.Store) // the warning bar already shows that nothing can be saved
		p.shell.Post(func() {
			switch {
			case err == nil:
				c.Saved.unkept = c.Saved.unkept && c.Saved.Choices != choices
			case !quiet:
				p.shell.Alert(err)
			}
		})
	})
}

// keepLate saves the choices that could not be saved while the history was closed.
func (v *choices) keepLate() {
	for _, c := range v.page.Chats {
		if c.Saved.unkept {
			v.save(c)
		}
	}
}

// prepare applies the user's choices before a turn.
func (v *choices) prepare(c *Conversation) {
	if c.Saved.switched {
		c.Session.SetModel(c.Saved.model)
		c.Saved.switched = false
	}
	s := v.page.shell.Settings
	c.Session.Preferences = agent.Preferences{Instructions: chat.JoinInstructions(s.Instructions, c.Saved.Choices.Instructions), Manual: s.KeepAll}
}

// Meter returns what fills the context of the next request of a conversation. It returns false
// while a turn runs.
func (v *choices) Meter(c *Conversation) (agent.ContextUsage, bool) {
	if c.busy() {
		return agent.ContextUsage{}, false
	}
	v.prepare(c)
	return c.Session.Measure(), true
}

// Compacted reports whether the model receives a summary of earlier messages.
func (c *Conversation) Compacted() bool {
	if c.busy() {
		return false
	}
	_, ok := c.Session.Summary()
	return ok
}

// Compact summarises the earlier messages of the shown conversation, or undoes that. It acts like
// a turn: messages wait until it ends, and Stop cancels it.
func (v *choices) Compact(undo bool) {
	c := v.page.Conversation()
	if c.busy() {
		return
	}
	v.prepare(c)
	ctx, cancel := context.WithCancel(v.page.shell.Ctx)
	c.Cancel, c.Began = cancel, v.page.shell.Now()
	c.latest.heard = c.Began
	shown := c.Chat
	work := chat.Compaction{
		Session: c.Session, Undo: undo, History: v.page.History.Store, Conversation: &c.Saved.identity, Parent: c.Saved.Active,
		OnMoved: func(kept store.Thread) {
			shown = restoreLive(kept).chat
			c.latest.setTurn(kept.Conversation.Active, "")
		},
		OnBegin: func(id string) { c.latest.setTurn(id, "") },
		OnLost:  func(err error) { v.page.lost(false, err) },
	}
	v.page.shell.Go(func() {
		defer cancel()
		events, err := work.Run(ctx)
		for _, e := range events {
			shown = shown.Apply(e)
		}
		_, inForce := work.Session.Summary()
		c.latest.put(shown, true)
		stopped := ctx.Err() != nil // by the user: cancel ends ctx before the posted function runs
		v.page.shell.Post(func() {
			v.page.Refresh()
			switch {
			case errors.Is(err, agent.ErrLongSummary) && len(events) > 0: // the conversation already shows a notice
			case errors.Is(err, agent.ErrNothing):
				v.page.shell.Toasts.Say("info", wording.NothingToSummarise(undo, inForce))
			case errors.Is(err, store.ErrContinuedElsewhere):
				v.page.shell.Toasts.Say("info", "Another window or terminal continued this conversation, so nothing was changed. Try again.")
			case err != nil && !stopped:
				v.page.shell.Alert(err)
			}
			if c.Saved.ID != "" && (len(events) > 0 || errors.Is(err, store.ErrContinuedElsewhere)) {
				v.page.History.Loader.reload(c)
			}
		})
	})
	v.page.Refresh()
}
