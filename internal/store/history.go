package store

import (
	"slices"

	"google.golang.org/genai"

	"goated/agent"
	"goated/agent/contents"
)

// interrupted is the response to a function call that got none.
const interrupted = "The call was interrupted."

// History returns the model's history of the active branch, from which a session can continue. It
// consists of the recorded contents of all turns. Where a turn was interrupted, they are corrected so
// that a model accepts them: each function call has a response, and consecutive messages of the user
// are one content.
func (t Thread) History() []*genai.Content {
	var h history
	for _, turn := range t.Turns {
		// The session appends a message to an unanswered message before it, so the turn's own contents
		// lack it. An interrupted turn may have no contents.
		if turn.blocked() && !turn.removeBlocked() {
			h.block(turn)
			continue
		}
		if turn.retries() {
			h.retry()
		} else if len(turn.Contents) == 0 || !isUserMessage(turn.Contents[0]) {
			h.add(&genai.Content{Role: genai.RoleUser, Parts: WithoutFileNames(turn.User)})
		}
		for _, c := range turn.Contents {
			h.add(c)
		}
	}
	h.answer()
	return h
}

// Marks returns the events of the active branch that describe how requests differ from the history. If
// the branch ends with an answer that failed, they end with an [agent.AnswerDiscarded]. See
// [agent.Session.Restore].
func (t Thread) Marks() []agent.Event {
	var marks []agent.Event
	for _, turn := range t.Turns {
		for _, e := range turn.Events {
			switch e.(type) {
			case agent.ContextCompacted, agent.ContextRestored, agent.ModelSwitched:
				marks = append(marks, e)
			}
		}
	}
	n := len(t.Turns)
	for n > 0 && t.Turns[n-1].Summarises() {
		n--
	}
	if n > 0 && t.Turns[n-1].Error != "" {
		if h := t.History(); len(h) > 0 && h[len(h)-1].Role == genai.RoleModel {
			marks = append(marks, agent.AnswerDiscarded{Kind: agent.AnswerCut})
		}
	}
	return marks
}

// retries reports whether the turn repeats the previous answer. Such a turn has no message.
func (t Turn) retries() bool { return len(t.User) == 0 && !t.Summarises() }

// Summarises reports whether the turn only gives the model a summary of earlier messages, undoes that,
// or records the cost of an attempt. Such a turn has no message and no answer.
func (t Turn) Summarises() bool {
	return len(t.User) == 0 && len(t.Contents) == 0 && t.Error == "" && slices.ContainsFunc(t.Events, func(e agent.Event) bool {
		switch e := e.(type) {
		case agent.ContextCompacted, agent.ContextRestored:
			return true
		case agent.TurnEnded:
			return e.Reason == agent.NoSummary
		}
		return false
	})
}

// blocked reports whether the provider blocked the turn's message.
func (t Turn) blocked() bool {
	if len(t.Events) == 0 {
		return false
	}
	end, ok := t.Events[len(t.Events)-1].(agent.TurnEnded)
	return ok && end.Cause == agent.PromptBlocked
}

// removeBlocked removes the content that the provider blocked, because the provider would block it again. It
// reports whether other contents remain.
func (t *Turn) removeBlocked() bool {
	last := len(t.Contents) - 1
	if last < 0 {
		return false
	}
	t.Contents = slices.Clone(t.Contents)
	if !contents.IsResponse(t.Contents[last]) {
		t.Contents = t.Contents[:last]
		return last > 0
	}
	t.Contents[last] = contents.WithoutResults(t.Contents[last])
	return true
}

// WithoutFileNames returns parts without the names of attached files. The store keeps these names, but the
// Gemini API refuses them.
func WithoutFileNames(parts []*genai.Part) []*genai.Part {
	out := slices.Clone(parts)
	for i, p := range parts {
		if p != nil && p.InlineData != nil && p.InlineData.DisplayName != "" {
			part, data := *p, *p.InlineData
			data.DisplayName = ""
			part.InlineData = &data
			out[i] = &part
		}
	}
	return out
}

type history []*genai.Content

// retry removes the text of an answer that failed, because the following turn, which has no message,
// contains the whole answer.
func (h *history) retry() {
	if last := len(*h) - 1; last >= 0 && (*h)[last].Role == genai.RoleModel && len(h.openCalls()) == 0 {
		*h = (*h)[:last]
	}
}

// block removes what a blocked turn without other contents repeated or was joined to. The session no
// longer sends it, because the provider would block it again.
func (h *history) block(t Turn) {
	if t.retries() {
		h.retry()
	}
	switch last := len(*h) - 1; {
	case last < 0:
	case isUserMessage((*h)[last]):
		*h = (*h)[:last]
	case t.retries() && contents.IsResponse((*h)[last]):
		(*h)[last] = contents.WithoutResults((*h)[last])
	}
}

func (h *history) add(c *genai.Content) {
	if len(c.Parts) == 0 {
		return // a model refuses empty contents
	}
	if contents.IsResponse(c) {
		h.respond(c)
		return
	}
	h.answer()
	if last := len(*h) - 1; last >= 0 && isUserMessage(c) && isUserMessage((*h)[last]) {
		(*h)[last] = &genai.Content{Role: genai.RoleUser, Parts: slices.Concat((*h)[last].Parts, c.Parts)}
		return
	}
	*h = append(*h, c)
}

// answer adds responses to the open calls of the last content.
func (h *history) answer() {
	if len(h.openCalls()) > 0 {
		h.respond(&genai.Content{Role: genai.RoleUser})
	}
}

// openCalls returns the calls in the last content.
func (h *history) openCalls() []*genai.FunctionCall {
	if len(*h) == 0 {
		return nil
	}
	var calls []*genai.FunctionCall
	for _, p := range (*h)[len(*h)-1].Parts {
		if p.FunctionCall != nil {
			calls = append(calls, p.FunctionCall)
		}
	}
	return calls
}

// respond adds the responses in c to the open calls: one for each call, in the order of the calls. If c
// already has this form, respond adds c itself.
func (h *history) respond(c *genai.Content) {
	calls := h.openCalls()
	if len(calls) == 0 {
		return // a model refuses responses without calls
	}
	left := slices.Clone(c.Parts)
	parts := make([]*genai.Part, len(calls))
	for i, call := range calls {
		at := slices.IndexFunc(left, func(p *genai.Part) bool {
			r := p.FunctionResponse
			return r != nil && r.ID == call.ID && r.Name == call.Name
		})
		if at < 0 {
			parts[i] = &genai.Part{FunctionResponse: &genai.FunctionResponse{
				ID: call.ID, Name: call.Name, Response: map[string]any{"error": interrupted},
			}}
			continue
		}
		parts[i] = left[at]
		left[at] = &genai.Part{} // used; calls without an id differ only in their order
	}
	if !slices.Equal(parts, c.Parts) {
		c = &genai.Content{Role: genai.RoleUser, Parts: parts}
	}
	*h = append(*h, c)
}

// isUserMessage reports whether a content is a message of the user.
func isUserMessage(c *genai.Content) bool { return c.Role == genai.RoleUser && !contents.IsResponse(c) }
