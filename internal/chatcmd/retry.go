package chatcmd

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"google.golang.org/genai"

	"goated/agent"
	"goated/internal/chat"
	"goated/internal/store"
)

// RetryCommand is the command with which the user tries again; see [Talk.Retry].
const RetryCommand = "/retry"

// An asked is the user's last message, with the conversation before it.
type asked struct {
	parts   []*genai.Part // with the names of files; empty: no message
	parent  string        // id of the saved turn before the message
	history []*genai.Content
	marks   []agent.Event
	model   agent.Model
	failed  bool // the message's last turn ended with an error
	again   bool // the next turn creates another version of the answer
}

// Resume continues a saved conversation.
func (t *Talk) Resume(saved store.Thread) {
	t.marks = saved.Marks()
	t.Session.Restore(saved.History(), t.marks...)
	t.remember(saved)
}

// remember finds the last message of a saved conversation, for [Talk.Retry].
func (t *Talk) remember(saved store.Thread) {
	for i, turn := range slices.Backward(saved.Turns) {
		if len(turn.User) > 0 { // a retry has no message
			before := store.Thread{Turns: saved.Turns[:i]}
			t.asked = asked{
				parts: turn.User, parent: turn.Parent, history: before.History(), marks: before.Marks(), model: t.Session.Model,
				failed: chat.Failure(saved.Turns[len(saved.Turns)-1]) != nil,
			}
			return
		}
	}
}

// Take runs a turn and records what [Talk.Retry] needs.
func (t *Talk) Take(ctx context.Context, turn *chat.Turn) iter.Seq2[agent.Event, error] {
	turn.Next, t.asked.again = !t.asked.again, false
	turn.OnMoved = func(now store.Thread) {
		t.moved(now, true)
		t.ask(turn)
	}
	return func(yield func(agent.Event, error) bool) {
		if len(turn.Parts) > 0 {
			t.ask(turn)
		}
		t.asked.failed = false
		for e, err := range turn.Run(ctx) {
			t.asked.failed = err != nil
			t.saw(e)
			if !yield(e, err) {
				return
			}
		}
	}
}

// ask records the message of a turn that begins.
func (t *Talk) ask(turn *chat.Turn) {
	t.asked = asked{
		parts: turn.Parts, parent: turn.Parent, history: slices.Clone(t.Session.History()), marks: slices.Clone(t.marks), model: t.Session.Model,
	}
}

// moved adopts and shows the turns that another process added to the conversation. message reports
// whether the user's message follows them.
func (t *Talk) moved(now store.Thread, message bool) {
	t.marks = now.Marks()
	if t.Moved == nil || t.Parent == nil {
		return
	}
	known := slices.IndexFunc(now.Turns, func(turn store.Turn) bool { return turn.ID == *t.Parent })
	t.Moved(now.Turns[known+1:], message)
}

// saw records the events that [agent.Session.Restore] needs.
func (t *Talk) saw(e agent.Event) {
	switch e.(type) {
	case agent.ContextCompacted, agent.ContextRestored, agent.ModelSwitched:
		t.marks = append(t.marks, e)
	}
}

// Suggest tells the user after a failure that they can try again.
func (t *Talk) Suggest() {
	if t.asked.failed {
		fmt.Fprintln(t.Notes, RetryCommand+" tries again.")
	}
}

// Retry prepares another turn for the last message, like in the window. After a failure, the turn
// continues from there without a message, so that nothing is sent twice. Otherwise it creates
// another version of the answer: parts is the message again, and the history forgets everything
// that followed it. ok is false if there is no message.
func (t *Talk) Retry() (parts []*genai.Part, ok bool) {
	if len(t.asked.parts) == 0 {
		fmt.Fprintln(t.Notes, "There is no message yet to answer again.")
		return nil, false
	}
	history := t.Session.History()
	if n := len(history); t.asked.failed && n > 0 && history[n-1].Role == genai.RoleUser {
		return nil, true
	}
	t.asked.again = true
	t.marks = slices.Clone(t.asked.marks)
	t.Session.Model = t.asked.model
	t.Session.Restore(slices.Clone(t.asked.history), t.marks...)
	t.Session.SetModel(t.Model)
	if t.Parent != nil {
		*t.Parent = t.asked.parent
	}
	return t.asked.parts, true
}
