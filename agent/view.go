package agent

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/genai"

	"goated/agent/contents"
	"goated/agent/wire"
)

// A view records how requests differ from the history. The history only grows, and its contents
// never change, so their addresses are the keys.
type view struct {
	omitted  map[*genai.Content]bool
	replaced map[*genai.Content]*genai.Content
	sizes    sizes
}

func (v *view) omits(c *genai.Content) bool { return v.omitted[c] }

func (v *view) omit(c *genai.Content) {
	if v.omitted == nil {
		v.omitted = make(map[*genai.Content]bool)
	}
	v.omitted[c] = true
}

func (v *view) replace(c, by *genai.Content) {
	if v.replaced == nil {
		v.replaced = make(map[*genai.Content]*genai.Content)
	}
	v.replaced[c] = by
}

// requestVersion returns the version of the content that requests contain.
func (v *view) requestVersion(c *genai.Content) *genai.Content {
	if by := v.replaced[c]; by != nil {
		return by
	}
	return c
}

// block omits a content that the provider blocked. If it contains tool responses, they stay with a
// note instead of their results, because each call needs its response.
func (v *view) block(c *genai.Content) {
	if !contents.IsResponse(c) {
		v.omit(c)
		return
	}
	v.replace(c, contents.WithoutResults(c))
}

// maxRemovals limits how often one turn may remove refused data from its requests.
const maxRemovals = 16

// removeRefused removes data that the service refused from the request: the newest images and files first,
// or the signatures of another model. It reports whether the request can be repeated.
func (t *turn) removeRefused(err error) bool {
	var f *Failure
	if !errors.As(err, &f) || f.Kind != RequestBad || t.removals >= maxRemovals {
		return false
	}
	t.removals++
	said := strings.ToLower(f.Message)
	switch {
	case strings.Contains(said, "signature"), strings.Contains(said, "reasoning"):
		return t.unsign()
	case strings.Contains(said, "image"), strings.Contains(said, "mime"), strings.Contains(said, "media"), strings.Contains(said, "multimodal"),
		strings.Contains(said, "function_response.parts"), strings.Contains(said, "inline_data"), strings.Contains(said, "payload size"), strings.Contains(said, "file"):
		return t.replaceNewestMedia(f.Message, t.emit)
	}
	return t.removeSuspect(f.Message)
}

// A suspect is a content whose media were removed because they may have caused a refusal that names
// no cause.
type suspect struct {
	content, before *genai.Content // before is the version that requests contained
	removed         []MediaRemoved
}

// removeSuspect removes the newest media after a refusal that names no cause. If the retry succeeds,
// [turn.resolveSuspects] reports the removal to the user. Otherwise it restores the media.
func (t *turn) removeSuspect(reason string) bool {
	var removed []MediaRemoved
	return t.replaceNewestMedia(reason, func(e Event) { removed = append(removed, e.(MediaRemoved)) }, func(c, before *genai.Content) {
		t.suspects = append(t.suspects, suspect{c, before, removed})
	})
}

// resolveSuspects resolves all suspects. If the service accepted the request, it reports to the user
// what was removed. Otherwise the media were not the cause, and it restores them.
func (t *turn) resolveSuspects(accepted bool) {
	for _, s := range slices.Backward(t.suspects) {
		switch {
		case accepted:
			for _, e := range s.removed {
				t.emit(e)
			}
		case s.before == s.content:
			delete(t.view.replaced, s.content)
		default:
			t.view.replace(s.content, s.before)
		}
	}
	t.suspects = nil
}

// replaceNewestMedia replaces the newest media in the request with a note. It passes an event for the removed
// media to tell, and the content with its previous version to each function in done. It reports
// whether there were media.
func (t *turn) replaceNewestMedia(reason string, tell func(Event), done ...func(c, before *genai.Content)) bool {
	for _, c := range slices.Backward(sentContents(t.Session)) {
		seen := t.view.requestVersion(c)
		if !slices.ContainsFunc(seen.Parts, contents.HasMedia) {
			continue
		}
		out := &genai.Content{Role: seen.Role, Parts: slices.Clone(seen.Parts)}
		for i, p := range out.Parts {
			if !contents.HasMedia(p) {
				continue
			}
			types := contents.MediaOf(p)
			tell(MediaRemoved{Types: types, Reason: reason})
			note := fmt.Sprintf("[removed: %s, which the model can't read]", strings.Join(types, ", "))
			out.Parts[i] = withoutMedia(p, note)
		}
		t.view.replace(c, out)
		for _, f := range done {
			f(c, seen)
		}
		return true
	}
	return false
}

// foreignSignature replaces the signature of a call that another model made
// (ai.google.dev/gemini-api/docs/thought-signatures, FAQ).
var foreignSignature = []byte("skip_thought_signature_validator")

// unsign removes all signatures from requests, because they belong to another model or key. It
// reports whether that changes anything.
func (t *turn) unsign() bool {
	changed := false
	for _, c := range t.history {
		changed = t.view.unsign(c) || changed
	}
	return changed
}

// unsign removes the signatures of a content. The first call gets the value that Google documents for
// this case, even if it was unsigned. The other calls of a step get no signature: the service expects
// none, and models that got the value there gave empty answers. unsign reports whether it changed
// anything.
func (v *view) unsign(c *genai.Content) bool {
	seen := v.requestVersion(c)
	if c.Role != genai.RoleModel || v.omits(c) {
		return false
	}
	out := &genai.Content{Role: seen.Role}
	first, differs := true, false
	for _, p := range seen.Parts {
		part := *p
		part.ThoughtSignature = nil
		if p.FunctionCall != nil && first {
			part.ThoughtSignature, first = foreignSignature, false
		}
		if string(part.ThoughtSignature) != string(p.ThoughtSignature) {
			differs = true
		}
		if wire.IsText(&part) && part.Text == "" {
			continue // it contained only the signature
		}
		out.Parts = append(out.Parts, &part)
	}
	if !differs || len(out.Parts) == 0 {
		return false
	}
	v.replace(c, out)
	return true
}
