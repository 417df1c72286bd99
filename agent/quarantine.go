package agent

import (
	"context"
	"errors"
	"regexp"
	"strconv"

	"google.golang.org/genai"
)

// The limits of the search for tools that a service refuses.
const (
	maxProbes     = 40 // requests of one search
	maxQuarantine = 16 // searches of one turn
)

// named finds the tool in the words of Gemini's validator.
var named = regexp.MustCompile(`function_declarations\[(\d+)\]`)

// isolate finds the tools for which the service refused a request, and leaves them out
// from now on. It reports whether the request can be repeated.
func (t *turn) isolate(ctx context.Context, err error) bool {
	var f *Failure
	functions := t.catalog.functions()
	if !errors.As(err, &f) || f.Kind != RequestBad || len(functions) == 0 || t.searches >= maxQuarantine {
		return false
	}
	t.searches++
	if m := named.FindStringSubmatch(f.Message); m != nil {
		if i, err := strconv.Atoi(m[1]); err == nil && i < len(functions) {
			t.catalog.quarantine(functions[i], f.Message)
			return true
		}
	}
	s := &search{turn: t, ctx: ctx}
	if s.accepted(functions) || s.failed {
		return false // the tools are not the cause
	}
	found := s.culprits(functions)
	if s.failed || len(found) == 0 {
		return false
	}
	for _, c := range found {
		t.catalog.quarantine(c.function, c.reason)
	}
	return true
}

// A search sends small requests that declare a part of the tools.
type search struct {
	*turn
	ctx    context.Context
	probes int
	reason string // of the last refusal
	failed bool   // no result: the limit, or another failure
}

type culprit struct {
	function *genai.FunctionDeclaration
	reason   string
}

// culprits returns the tools of a refused list that make it refused. If both halves
// are accepted, only all of them together are too much; then the second half is left
// out.
func (s *search) culprits(refused []*genai.FunctionDeclaration) []culprit {
	reason := s.reason
	if len(refused) == 1 {
		return []culprit{{refused[0], reason}}
	}
	half := len(refused) / 2
	var found []culprit
	for _, part := range [][]*genai.FunctionDeclaration{refused[:half], refused[half:]} {
		if !s.accepted(part) && !s.failed {
			found = append(found, s.culprits(part)...)
		}
		if s.failed {
			return nil
		}
	}
	if len(found) == 0 {
		for _, f := range refused[half:] {
			found = append(found, culprit{f, reason})
		}
	}
	return found
}

// accepted reports whether the service accepts a short request with the functions.
func (s *search) accepted(functions []*genai.FunctionDeclaration) bool {
	if s.probes++; s.probes > maxProbes {
		s.failed = true
		return false
	}
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	hello := []*genai.Content{genai.NewContentFromText("Answer with: ok", genai.RoleUser)}
	config := &genai.GenerateContentConfig{MaxOutputTokens: 1, Tools: []*genai.Tool{{FunctionDeclarations: functions}}}
	for _, err := range s.Model.Generate(ctx, hello, config) {
		var f *Failure
		switch {
		case err == nil:
			return true // the first response shows that the request was accepted
		case errors.As(err, &f) && f.Kind == RequestBad:
			s.reason = f.Message
			return false
		}
		s.failed = true
		return false
	}
	return true
}
