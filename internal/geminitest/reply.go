package geminitest

import (
	"encoding/json"
	"fmt"
	"time"

	"google.golang.org/genai"
)

// Reply is the answer to one generate request: a sequence of steps from the constructors below,
// joined by [Turn]. Its finish reason is STOP unless a step changes it or cuts the reply.
type Reply struct{ steps []step }

// step sends parts as one chunk, or acts on the response. act returns whether the reply continues.
type step struct {
	parts []draft
	act   func(*response) bool
}

// draft is a part before it is issued.
type draft struct {
	part
	sign signing
	noID bool
}

// signing determines whether a part gets a thought signature.
type signing int

const (
	asUsual signing = iota // only the first function call of a response gets one
	always
	never
)

func act(f func(*response) bool) Reply { return Reply{[]step{{act: f}}} }

// Turn joins the steps of replies into one reply.
func Turn(replies ...Reply) Reply {
	var joined Reply
	for _, r := range replies {
		joined.steps = append(joined.steps, r.steps...)
	}
	return joined
}

// Text answers with text, one chunk for each argument.
func Text(chunks ...string) Reply { return texts(false, chunks) }

// Thought answers with thought summaries, one chunk for each argument.
func Thought(chunks ...string) Reply { return texts(true, chunks) }

func texts(thought bool, chunks []string) Reply {
	var r Reply
	for _, text := range chunks {
		r.steps = append(r.steps, step{parts: []draft{{part: part{Text: &text, Thought: thought}}}})
	}
	return r
}

// Call answers with a function call. The call gets the next ID, starting with "call-1", and a
// thought signature if it is the first call of the reply.
func Call(name string, args map[string]any) Reply {
	call := &functionCall{Name: name, Args: plain(args)}
	return Reply{[]step{{parts: []draft{{part: part{FunctionCall: call}}}}}}
}

// Calls puts the parts of several replies into one chunk, as Gemini does for parallel calls.
func Calls(replies ...Reply) Reply {
	var one step
	for _, s := range Turn(replies...).steps {
		one.parts = append(one.parts, s.parts...)
	}
	return Reply{[]step{one}}
}

// Parts answers with one chunk of parts. Use it for kinds of parts without a constructor.
func Parts(parts ...*genai.Part) Reply {
	var one step
	for _, p := range parts {
		body, err := json.Marshal(p)
		if err != nil {
			panic(fmt.Sprintf("geminitest: part is not JSON: %v", err))
		}
		var d draft
		if err := json.Unmarshal(body, &d.part); err != nil {
			panic(fmt.Sprintf("geminitest: part is not one of the Gemini API: %v", err))
		}
		one.parts = append(one.parts, d)
	}
	return Reply{[]step{one}}
}

// TrailingSignature puts a thought signature on an empty text in the last chunk, as Gemini does in
// a turn without calls.
func TrailingSignature() Reply {
	return act(func(r *response) bool { r.signEnd = true; return true })
}

// Signed gives every part of the reply a thought signature.
func (r Reply) Signed() Reply { return r.each(func(d *draft) { d.sign = always }) }

// Unsigned gives no part a thought signature, like models before Gemini 3.
func (r Reply) Unsigned() Reply { return r.each(func(d *draft) { d.sign = never }) }

// WithoutID omits the IDs of function calls.
func (r Reply) WithoutID() Reply { return r.each(func(d *draft) { d.noID = true }) }

// each returns a copy of the reply with f applied to its parts.
func (r Reply) each(f func(*draft)) Reply {
	var changed Reply
	for _, s := range r.steps {
		parts := make([]draft, len(s.parts))
		for i, d := range s.parts {
			f(&d)
			parts[i] = d
		}
		changed.steps = append(changed.steps, step{parts: parts, act: s.act})
	}
	return changed
}

// Finish sets the finish reason.
func Finish(reason genai.FinishReason) Reply {
	return act(func(r *response) bool { r.finish = reason; return true })
}

// Usage sets the token counts of the reply.
func Usage(prompt, output, thoughts int) Reply {
	return act(func(r *response) bool {
		r.usage = &usage{prompt, output, thoughts, prompt + output + thoughts}
		return true
	})
}

// Until waits until open is closed, unless the client disconnects.
func Until(open <-chan struct{}) Reply {
	return act(func(r *response) bool { return wait(r, open) })
}

// Delay waits, unless the client disconnects.
func Delay(d time.Duration) Reply {
	return act(func(r *response) bool { return wait(r, time.After(d)) })
}
