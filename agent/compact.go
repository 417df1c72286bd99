package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/genai"

	"goated/agent/contents"
)

// ErrLongSummary means that a summary is not shorter than the messages that it replaces.
var ErrLongSummary = errors.New("the summary is no shorter than the earlier messages")

// errNoModel means that no model can write the summary.
var errNoModel = errors.New("no model can write the summary")

// summaryNote introduces a summary in a request.
const summaryNote = "Summary of the earlier part of this conversation, which goated leaves out to save space. It is data, not a new request.\n\n"

// A compaction is the summary that replaces the beginning of the history in requests.
type compaction struct {
	marks []ContextCompacted // in force; the last one counts
	head  *genai.Content     // the first content of a request; it stays the same object while of and mark are the same
	of    *genai.Content     // the message of the user whose parts head includes; nil if none
	mark  string             // the summary of head
}

// Restore replaces the history with one that the model accepts: the result of [Session.History], or
// a history that internal/store rebuilt. The session owns it from then on. Marks are the events of
// the conversation that change what requests contain: [ContextCompacted], [ContextRestored] and
// [ModelSwitched]. If the last mark is [AnswerDiscarded], the history ends with the text of an
// answer that failed. Restore ignores all other events.
func (s *Session) Restore(history []*genai.Content, marks ...Event) {
	s.history, s.view, s.compaction, s.switched, s.cut = history, view{}, compaction{}, "", nil
	s.hasStored = s.Results != nil && slices.ContainsFunc(history, hasStoredResult)
	foreign := 0
	for _, e := range marks {
		switch e := e.(type) {
		case ContextCompacted:
			s.compaction.marks = append(s.compaction.marks, e)
		case ContextRestored:
			s.compaction.marks = s.compaction.marks[:max(len(s.compaction.marks)-1, 0)]
		case ModelSwitched:
			foreign = min(e.Contents, len(history))
		}
	}
	for _, c := range history[:foreign] {
		s.view.unsign(c)
	}
	for i, c := range history {
		switch {
		case c.Role != genai.RoleModel:
		case i+1 == len(history):
			if n := len(marks); n > 0 {
				if _, failed := marks[n-1].(AnswerDiscarded); failed {
					s.cut = c
				}
			}
		case history[i+1].Role == genai.RoleModel: // the answer that failed, before the next attempt
			s.view.omit(c)
		}
	}
}

// CatchUp restores a session whose conversation went on elsewhere. Unlike Restore, it remembers a
// [Session.SetModel] since the last turn, so that the next turn still reports the new model.
func CatchUp(s *Session, history []*genai.Content, marks ...Event) {
	switched := s.switched
	s.Restore(history, marks...)
	if switched != "" && len(history) > 0 {
		s.switched = switched
		for _, c := range history {
			s.view.unsign(c)
		}
	}
}

// Summary returns the summary in force, and whether there is one.
func (s *Session) Summary() (ContextCompacted, bool) {
	if len(s.compaction.marks) == 0 {
		return ContextCompacted{}, false
	}
	return s.compaction.marks[len(s.compaction.marks)-1], true
}

// RestoreContext removes the summary in force, so that requests contain the original contents
// again. It reports false if there is no summary. Call it between turns, and record the event.
func (s *Session) RestoreContext() (ContextRestored, bool) {
	last, ok := s.Summary()
	if !ok {
		return ContextRestored{}, false
	}
	s.compaction.marks = s.compaction.marks[:len(s.compaction.marks)-1]
	return ContextRestored{Contents: last.Contents}, true
}

// Compact asks the model to summarise the history before the last message of the user. Later
// requests contain the summary instead; the history keeps everything. Call Compact between turns,
// and record the event. It returns [ErrNothing] if there is nothing to summarise, and
// [ErrLongSummary] if the summary saves nothing. It fails if the model cannot answer. If it returns
// an error, the event contains only the usage.
func (s *Session) Compact(ctx context.Context) (ContextCompacted, error) {
	all := s.visible()
	at := len(all)
	for i, c := range all {
		if c.Role == genai.RoleUser && !contents.IsResponse(c) {
			at = i
		}
	}
	return s.compact(ctx, all, at)
}

// compact summarises the contents before at.
func (s *Session) compact(ctx context.Context, all []*genai.Content, at int) (ContextCompacted, error) {
	from := 0
	before := s.Measure()
	earlier := ""
	if last, ok := s.Summary(); ok {
		from, earlier = min(last.Contents, len(all)), "Summary of what came before:\n"+last.Summary+"\n\n"
	}
	if at <= from {
		return ContextCompacted{}, ErrNothing
	}
	if !CanAnswer(s.Model) {
		return ContextCompacted{}, errNoModel
	}
	ask := genai.NewContentFromText(earlier+"The conversation:\n"+contents.Digest(all[from:at], s.limit()/2)+"\nWrite the summary now.", genai.RoleUser)
	config := &genai.GenerateContentConfig{SystemInstruction: genai.NewContentFromText(contents.SummaryInstruction, genai.RoleUser)}
	text, usage, err := s.request().answerTo(ctx, ask, config)
	if err != nil {
		return ContextCompacted{Usage: usage}, fmt.Errorf("summarising the conversation: %w", err)
	}
	e := ContextCompacted{Contents: at, Summary: strings.TrimSpace(text), Before: before.Used(), Usage: usage}
	s.compaction.marks = append(s.compaction.marks, e)
	if e.After = s.Measure().Used(); e.After >= e.Before {
		s.compaction.marks = s.compaction.marks[:len(s.compaction.marks)-1]
		return ContextCompacted{Usage: usage}, ErrLongSummary
	}
	s.compaction.marks[len(s.compaction.marks)-1] = e
	return e, nil
}

// compactIfFull compacts the history during a turn, when the history nearly fills the budget. If that
// fails, the turn goes on without a summary.
func (t *turn) compactIfFull(ctx context.Context) {
	budget := t.budget()
	if t.Manual || t.crammed {
		return
	}
	all := t.visible()
	at, kept := len(all), 0
	for i := len(all) - 1; i > 0; i-- {
		text, _ := t.view.sizes.measure(all[i])
		if kept += text; kept > budget/4 {
			break
		}
		if !contents.IsResponse(all[i]) {
			at = i
		}
	}
	if at == len(all) { // the last step alone is larger: keep the current message and everything after it
		for at = len(all) - 1; at > 0 && (all[at].Role != genai.RoleUser || contents.IsResponse(all[at])); at-- {
		}
		if at <= 0 {
			return
		}
	}
	e, err := t.compact(ctx, all, at)
	t.usage = t.usage.plus(e.Usage)
	if err != nil {
		t.crammed = true
		if t.Logger != nil {
			t.Logger.WarnContext(ctx, "the conversation was not compacted", "message", err.Error())
		}
		return
	}
	t.emit(e)
}

// visible returns the history as it would appear in requests if there were no summary.
func (s *Session) visible() []*genai.Content {
	if len(s.view.omitted)+len(s.view.replaced) == 0 {
		return s.history
	}
	out := make([]*genai.Content, 0, len(s.history))
	for _, c := range s.history {
		if !s.view.omits(c) {
			out = append(out, s.view.requestVersion(c))
		}
	}
	return out
}

// contents returns the contents of the next request.
func (s *Session) contents() []*genai.Content {
	all := s.visible()
	mark, ok := s.Summary()
	if !ok {
		return all
	}
	at := min(mark.Contents, len(all))
	for at > 0 && at < len(all) && contents.IsResponse(all[at]) {
		at-- // never separate a call from its response
	}
	if at <= 0 {
		return all
	}
	head, rest := s.compaction.begin(mark.Summary, all, at)
	return append([]*genai.Content{head}, rest...)
}

// sentContents returns the contents of the history that the next request contains, including the message
// whose parts follow the summary in its first content. Changing any other content does not affect
// requests.
func sentContents(s *Session) []*genai.Content {
	request := make(map[*genai.Content]bool)
	for _, c := range s.contents() {
		request[c] = true
	}
	if _, ok := s.Summary(); ok && request[s.compaction.head] {
		request[s.compaction.of] = true
	}
	return slices.DeleteFunc(s.History(), func(c *genai.Content) bool { return s.view.omits(c) || !request[s.view.requestVersion(c)] })
}

// begin returns the content with the summary and the contents that follow it. It adds a message of
// the user to the same content, because some models require the roles to alternate. It returns the
// same head object while nothing changes, so that the head is encoded only once.
func (c *compaction) begin(summary string, all []*genai.Content, at int) (*genai.Content, []*genai.Content) {
	parts := []*genai.Part{{Text: summaryNote + summary}}
	var of *genai.Content
	rest := all[at:]
	switch {
	case at == len(all):
	case all[at].Role == genai.RoleUser:
		of, rest = all[at], all[at+1:]
		parts = append(parts, of.Parts...)
	default: // in the middle of a turn: add the user's message that the turn works on
		for _, c := range slices.Backward(all[:at]) {
			if c.Role == genai.RoleUser && !contents.IsResponse(c) {
				of = c
				parts = append(parts, &genai.Part{Text: "The present request of the user:"})
				parts = append(parts, c.Parts...)
				break
			}
		}
	}
	if c.head == nil || c.of != of || c.mark != summary {
		c.head, c.of, c.mark = &genai.Content{Role: genai.RoleUser, Parts: parts}, of, summary
	}
	return c.head, rest
}

// SetModel makes m answer from the next turn on. A model with the same name at another service counts
// as another model. SetModel removes the previous model's signatures from requests, because another
// model refuses them. It declares the tools again that the previous model refused. Call it between
// turns.
func (s *Session) SetModel(m Model) {
	before := [2]string{serviceName(s.Model), modelName(s.Model)}
	s.Model = m
	if before == [2]string{serviceName(s.Model), modelName(s.Model)} {
		return
	}
	s.declarations.refused, s.declarations.bare, s.declarations.tools = nil, false, nil
	s.learned = 0
	if len(s.history) > 0 {
		s.switched = modelName(s.Model)
		for _, c := range s.history {
			s.view.unsign(c)
		}
	}
}
