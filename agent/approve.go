package agent

import (
	"context"
	"maps"
	"reflect"

	"goated/registry"
)

// Approve asks the user, in one question, which calls of a step may run. It blocks until the user
// answers or ctx ends, and returns one answer for each call, in the same order. A session asks one
// question at a time.
type Approve func(ctx context.Context, calls []Pending) ([]Answer, error)

// A Pending call waits for the user's answer.
type Pending struct {
	Call  ToolCalled
	Entry registry.Entry // the exact tool that runs if the user allows it
	// Reads are the read-only tools of the server that [AllowReads] allows, including this one. It
	// is nil if the tool does not declare itself read-only, or if no other tool of the server does.
	Reads []registry.Entry
}

// An Answer is the user's answer about one call. The zero value denies it.
type Answer struct {
	Decision Decision
	// Args replace the arguments of the call. nil means that the user did not change them.
	Args map[string]any
}

// ApproveOneByOne returns an [Approve] that asks about one call at a time. It does not ask again about a
// tool if an earlier answer in the same step allows later calls, too.
func ApproveOneByOne(ask func(context.Context, Pending) (Answer, error)) Approve {
	return func(ctx context.Context, calls []Pending) ([]Answer, error) {
		answers := make([]Answer, len(calls))
		longer := make(map[string]Decision)
		for i, p := range calls {
			key := p.Entry.Digest()
			if d, ok := longer[key]; ok {
				answers[i].Decision = d
				continue
			}
			var err error
			if answers[i], err = ask(ctx, p); err != nil {
				return nil, err
			}
			if d := answers[i].Decision; (d == AllowChat || d == AllowAlways) && !p.Entry.EachCall() {
				longer[key] = d
			}
			if answers[i].Decision == AllowReads {
				for _, e := range p.Reads {
					longer[e.Digest()] = AllowOnce
				}
			}
		}
		return answers, nil
	}
}

// allows reports whether a call needs no approval: by the policy, or because the user allowed the
// tool in this conversation. That permission ends when the server disconnects or the tool changes
// in any way.
func (s *Session) allows(e registry.Entry, args map[string]any) bool {
	return s.Policy != nil && s.Policy.Allows(e, args) || s.granted[conversationKey{e.Digest(), e.Origin.Connection}]
}

// A conversationKey identifies a tool that the user allowed for a conversation.
type conversationKey struct {
	entry      string // its digest
	connection int64
}

// InheritApprovals copies the approvals for the conversation from old, the session that s replaces.
// old may be nil. Call it between turns.
func (s *Session) InheritApprovals(old *Session) {
	if old != nil {
		s.granted = maps.Clone(old.granted)
	}
}

// keepAnswer stores the user's answer if it also applies to later calls. If it could not save the answer,
// it logs and reports the cause.
func (s *Session) keepAnswer(ctx context.Context, p Pending, d Decision) {
	err := s.grantAnswer(p, d)
	if err == nil {
		return
	}
	if s.Logger != nil {
		s.Logger.ErrorContext(ctx, "keeping a permission failed", errorAttrs("permission error", err)...)
	}
	if s.Policy != nil && s.Policy.Unsaved != nil {
		s.Policy.Unsaved(err)
	}
}

// grantAnswer grants what an answer allows for later calls.
func (s *Session) grantAnswer(p Pending, d Decision) error {
	e := p.Entry
	switch {
	case d == AllowReads && s.Policy != nil:
		return s.Policy.GrantReads(p.Reads)
	case e.EachCall():
	case d == AllowChat, d == AllowAlways && s.Policy == nil:
		if s.granted == nil {
			s.granted = make(map[conversationKey]bool)
		}
		s.granted[conversationKey{e.Digest(), e.Origin.Connection}] = true
	case d == AllowAlways:
		return s.Policy.Grant(e)
	}
	return nil
}

// ask asks the user about runs and stores the answer in each of them.
func (t *turn) ask(ctx context.Context, runs []*run) {
	pending := make([]Pending, len(runs))
	for i, r := range runs {
		pending[i] = Pending{Call: r.call, Entry: r.entry}
		if t.Policy != nil {
			pending[i].Reads = r.entry.ReadOnlyTools(t.Tools.Tools())
		}
		pending[i].Call.Args = maps.Clone(r.call.Args)
	}
	t.asking.Lock()
	defer t.asking.Unlock()
	answers, err := t.Approve(ctx, pending)
	for i, r := range runs {
		r.decided.Asked = true
		switch {
		case ctx.Err() != nil:
			r.refused = cancelled(ctx)
		case err != nil:
			r.refused = &approvalError{r.call.Name, err}
		case i < len(answers):
			r.answer(answers[i])
			t.keepAnswer(ctx, pending[i], answers[i].Decision)
		}
	}
}

// answer applies the user's answer to the run. It checks arguments that the user changed.
func (r *run) answer(a Answer) {
	r.decided.Decision = a.Decision
	if a.Decision != Deny && a.Args != nil && !reflect.DeepEqual(a.Args, r.call.Args) {
		r.call.Args, r.decided.Args = a.Args, a.Args
		r.refused = r.session.declarations.checkCall(r.session.Results, r.entry, a.Args)
	}
}

// An approvalError reports that asking the user failed.
type approvalError struct {
	call string
	err  error
}

func (e *approvalError) Error() string { return "approval of " + e.call + ": " + e.err.Error() }
func (e *approvalError) Unwrap() error { return e.err }
