package agent

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"strconv"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/genai"

	"goated/internal/lazyregexp"
	"goated/registry"
)

// The limits of the search for tools that a service refuses.
const (
	maxProbes     = 40 // requests of one search
	maxQuarantine = 16 // searches of one turn
)

// refusedIndex finds the index of the refused tool in the message of Gemini's validator.
var refusedIndex = lazyregexp.New(`function_declarations\[(\d+)\]`)

// isolate finds the tools that made the service refuse a request, and leaves them out from now on.
// It reports whether the request can be repeated.
func (t *turn) isolate(ctx context.Context, err error) bool {
	var f *Failure
	functions := t.declarations.functions()
	if !errors.As(err, &f) || f.Kind != RequestBad || len(functions) == 0 || t.searches >= maxQuarantine {
		return false
	}
	t.searches++
	if m := refusedIndex.FindStringSubmatch(f.Message); m != nil {
		if i, err := strconv.Atoi(m[1]); err == nil && i < len(functions) {
			excludeCulprit(t, culprit{functions[i], f.Message, true})
			return true
		}
	}
	s := &search{request: t.request()}
	defer func() { t.usage = t.usage.plus(s.usage) }()
	if s.accepted(ctx, functions) || s.failed || s.refusesAll(ctx) {
		return false // the tools are not the cause
	}
	found := s.culprits(ctx, functions)
	if s.bare {
		t.declarations.bare, t.declarations.tools = true, nil
		t.declarations.unreported = append(t.declarations.unreported, ToolQuarantined{Reason: cmp.Or(s.reason, noReason)})
		return true
	}
	if s.failed || len(found) == 0 {
		return false
	}
	for _, c := range found {
		excludeCulprit(t, c)
	}
	return true
}

// withoutTools leaves all tools out of later requests if the service answers that the model accepts
// none. It reports whether the request can be repeated.
func (t *turn) withoutTools(err error) bool {
	var f *Failure
	if !errors.As(err, &f) || f.Kind != NoTools || t.declarations.bare {
		return false
	}
	t.declarations.bare, t.declarations.tools = true, nil
	t.declarations.unreported = append(t.declarations.unreported, ToolQuarantined{Reason: cmp.Or(f.Message, noReason)})
	return true
}

// A Quarantine is a [Tools] that remembers, beyond one conversation, which tools a model's service
// refused. A session leaves those tools out of its requests.
type Quarantine interface {
	// Refused returns the tools of entries that a service refused for a model, with its reasons.
	// The caller must not change the result. The service is empty for Gemini.
	Refused(service, model string, entries []registry.Entry) map[*mcp.Tool]string
	// Refuse remembers a tool that the service refused even without other tools. An error means
	// that it could not save the tool.
	Refuse(service, model string, e registry.Entry, reason string) error
}

// excludeCulprit leaves a tool out of the requests of this session. If the service refused the tool
// alone, later sessions leave it out, too.
func excludeCulprit(t *turn, c culprit) {
	c.reason = cmp.Or(c.reason, noReason)
	for _, e := range t.declarations.entries {
		if e.Name != c.function.Name {
			continue
		}
		t.declarations.excludeTool(e, c.reason)
		q, ok := t.Tools.(Quarantine)
		if !ok || !c.alone {
			continue
		}
		if err := q.Refuse(serviceName(t.Model), modelName(t.Model), e, c.reason); err != nil && t.Logger != nil {
			t.Logger.Warn("the quarantine can't be saved", "tool", e.Name, "error", err)
		}
		delete(t.declarations.refused, e.Tool) // the quarantine decides until when
		t.declarations.kept = maps.Clone(t.declarations.kept)
		if t.declarations.kept == nil {
			t.declarations.kept = make(map[*mcp.Tool]string)
		}
		t.declarations.kept[e.Tool] = c.reason
	}
}

// excludeTool leaves a tool out of the requests of the session.
func (ds *declarations) excludeTool(e registry.Entry, reason string) {
	if ds.refused == nil {
		ds.refused = make(map[*mcp.Tool]string)
	}
	ds.refused[e.Tool], ds.tools = reason, nil
	ds.unreported = append(ds.unreported, ToolQuarantined{Name: e.Name, Server: e.Server, Tool: e.Tool.Name, Reason: reason})
}

// isExcluded reports whether requests leave a tool out.
func (ds *declarations) isExcluded(e registry.Entry) bool {
	return ds.refused[e.Tool] != "" || ds.kept[e.Tool] != ""
}

// exclude leaves out the tools that are in the quarantine now, and declares tools again that are no
// longer in it.
func (ds *declarations) exclude(now map[*mcp.Tool]string) {
	if maps.Equal(now, ds.kept) {
		return
	}
	for _, e := range ds.entries {
		if reason := now[e.Tool]; reason != "" && !ds.isExcluded(e) {
			ds.unreported = append(ds.unreported, ToolQuarantined{Name: e.Name, Server: e.Server, Tool: e.Tool.Name, Reason: reason})
		}
	}
	ds.kept, ds.tools = now, nil
}

// A search finds refused tools with small requests that declare only a part of the tools.
type search struct {
	request
	probes int
	waited time.Duration // for the rest of accepted answers, which may report their usage; at most settling
	usage  Usage
	reason string // of the last refusal
	taken  bool   // the service accepted a request with functions
	bare   bool   // the model accepts no functions at all
	failed bool   // no result: the search reached its limit, another failure occurred, or the tools are not the cause
}

// ping is a function that every service accepts if it accepts functions at all.
var ping = []*genai.FunctionDeclaration{{Name: "ping", Description: "Checks the connection."}}

// noReason is the reason if the service gives none.
const noReason = "it gives no reason"

// refusesAll reports whether the service refuses even a request without functions.
func (s *search) refusesAll(ctx context.Context) bool {
	reason := s.reason
	refused := !s.accepted(ctx, nil)
	s.reason = reason
	return refused
}

// isCulprit reports whether a refused function is to blame. It is, if the service accepts a request
// with another function.
func (s *search) isCulprit(ctx context.Context) bool {
	if s.taken {
		return true
	}
	if reason := s.reason; !s.accepted(ctx, ping) && !s.failed {
		s.bare, s.reason = true, reason
	}
	return !s.failed && !s.bare
}

type culprit struct {
	function *genai.FunctionDeclaration
	reason   string
	alone    bool // the service refused it even without other tools
}

// culprits returns the tools that made the service refuse a list. If the service accepts both
// halves, the list as a whole is too large, and culprits returns the second half.
func (s *search) culprits(ctx context.Context, refused []*genai.FunctionDeclaration) []culprit {
	reason := s.reason
	if len(refused) == 1 {
		if !s.isCulprit(ctx) {
			return nil
		}
		return []culprit{{refused[0], reason, true}}
	}
	half := len(refused) / 2
	var found []culprit
	for _, part := range [][]*genai.FunctionDeclaration{refused[:half], refused[half:]} {
		if !s.accepted(ctx, part) && !s.failed {
			found = append(found, s.culprits(ctx, part)...)
		}
		if s.failed || s.bare {
			return nil
		}
	}
	if len(found) == 0 {
		for _, f := range refused[half:] {
			found = append(found, culprit{f, reason, false})
		}
	}
	return found
}

// accepted reports whether the service accepts a short request with the functions.
func (s *search) accepted(ctx context.Context, functions []*genai.FunctionDeclaration) bool {
	if s.probes++; s.probes > maxProbes {
		s.failed = true
		return false
	}
	ctx, _, done := s.limitSilence(ctx)
	defer done()
	hello := []*genai.Content{genai.NewContentFromText("Answer with: ok", genai.RoleUser)}
	config := new(genai.GenerateContentConfig) // no token limit, because OpenAI's reasoning models refuse max_tokens
	if len(functions) > 0 {
		config.Tools = []*genai.Tool{{FunctionDeclarations: functions}}
	}
	a, begun := &answer{}, false
	defer func() { s.usage = s.usage.plus(priced(s.model, a.usage, a.model)) }()
	for resp, err := range s.model.Generate(ctx, hello, config) {
		var f *Failure
		switch {
		case err == nil:
			if a.addResponse(resp); !begun { // the service accepted the request; its usage may come at the end
				begun, s.taken = true, s.taken || len(functions) > 0
				if s.waited >= usageWait {
					return true
				}
				first := time.Now()
				defer func() { s.waited += time.Since(first) }()
				defer time.AfterFunc(usageWait-s.waited, done).Stop()
			}
			continue
		case begun:
			return true
		case errors.As(err, &f) && f.Kind == RequestBad:
			s.reason = f.Message
			return false
		}
		s.failed = true
		return false
	}
	return true
}
