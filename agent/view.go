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

// A view says how requests differ from the history, which only grows. It is keyed by
// contents, which never change.
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

// seen returns the content as requests have it.
func (v *view) seen(c *genai.Content) *genai.Content {
	if by := v.replaced[c]; by != nil {
		return by
	}
	return c
}

// block leaves a content out that the provider blocked. Responses of tools stay, with a
// note instead of their results: each call needs its response.
func (v *view) block(c *genai.Content) {
	if !contents.Responds(c) {
		v.omit(c)
		return
	}
	v.replace(c, contents.WithoutResults(c))
}

// maxRemovals is how many contents one turn may clear of refused data.
const maxRemovals = 16

// remove clears the request of data that the service refused: images and files, the
// newest first, and signatures of another model. It reports whether the request can be
// repeated.
func (t *turn) remove(err error) bool {
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
		return t.drop(f.Message, t.emit)
	}
	return t.suspect(f.Message)
}

// A suspect is a content without its media, which may be to blame for a refusal that names no
// cause.
type suspect struct {
	content, before *genai.Content // before is what requests had in its place
	removed         []MediaRemoved
}

// suspect removes the newest media for a refusal that names no cause. The user is told, and
// the media stay away, if this helps: see [turn.acquit].
func (t *turn) suspect(reason string) bool {
	var removed []MediaRemoved
	return t.drop(reason, func(e Event) { removed = append(removed, e.(MediaRemoved)) }, func(c, before *genai.Content) {
		t.suspects = append(t.suspects, suspect{c, before, removed})
	})
}

// acquit ends the suspicions. If the request was accepted, the user learns what was removed;
// if not, the media were not to blame and come back.
func (t *turn) acquit(accepted bool) {
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

// drop removes the newest media of the request and puts a note in their place. It passes what
// it removed to tell, and the content with what requests had in its place to each of done.
func (t *turn) drop(reason string, tell func(Event), done ...func(c, before *genai.Content)) bool {
	for _, c := range slices.Backward(sentOf(t.Session)) {
		seen := t.view.seen(c)
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

// foreign stands for the signature of a call that another model made
// (ai.google.dev/gemini-api/docs/thought-signatures, FAQ).
var foreign = []byte("skip_thought_signature_validator")

// unsign removes the signatures of the history, which belong to another model or key.
// It reports whether there was anything to change.
func (t *turn) unsign() bool {
	changed := false
	for _, c := range t.history {
		changed = t.view.unsign(c) || changed
	}
	return changed
}

// unsign removes the signatures of a content. The first call gets the value that Google documents for
// this case, whether it was signed or not: the service wants no signature at the other calls of a step,
// and models that got the value there gave empty answers. It reports whether there was anything to
// change.
func (v *view) unsign(c *genai.Content) bool {
	seen := v.seen(c)
	if c.Role != genai.RoleModel || v.omits(c) {
		return false
	}
	out := &genai.Content{Role: seen.Role}
	first, differs := true, false
	for _, p := range seen.Parts {
		part := *p
		part.ThoughtSignature = nil
		if p.FunctionCall != nil && first {
			part.ThoughtSignature, first = foreign, false
		}
		if string(part.ThoughtSignature) != string(p.ThoughtSignature) {
			differs = true
		}
		if wire.Plain(&part) && part.Text == "" {
			continue // it held only the signature
		}
		out.Parts = append(out.Parts, &part)
	}
	if !differs || len(out.Parts) == 0 {
		return false
	}
	v.replace(c, out)
	return true
}
