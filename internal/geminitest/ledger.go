package geminitest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// ledger records the parts that the server issued: the part for each signature, and every function
// call. Signatures are opaque to clients. Here they are keys of the ledger.
type ledger struct {
	signed map[string]string // fingerprint of the part, by signature
	calls  map[string]tally  // by fingerprint
	names  map[string]bool   // of issued calls
	ids    map[string]bool   // of issued calls
	number int               // number of issued calls with an ID
}

// tally counts how often the same call was issued with and without a signature.
type tally struct{ signed, unsigned int }

func newLedger() *ledger {
	return &ledger{
		signed: map[string]string{},
		calls:  map[string]tally{},
		names:  map[string]bool{},
		ids:    map[string]bool{},
	}
}

// issue completes a draft and records it. firstCall means that the response has no call yet: "If
// there are parallel function calls, only the first functionCall part will contain a signature."
func (l *ledger) issue(d draft, firstCall bool) part {
	p := d.part
	if p.FunctionCall != nil {
		call := *p.FunctionCall
		if call.ID == "" && !d.noID {
			l.number++
			call.ID = fmt.Sprintf("call-%d", l.number)
		}
		if call.Args == nil {
			call.Args = object{} // Gemini sends empty args explicitly
		}
		p.FunctionCall = &call
	}
	sign := d.sign == always || d.sign == asUsual && p.FunctionCall != nil && firstCall
	if sign {
		// The first bytes produce + and / in base64, which only the standard alphabet contains.
		p.ThoughtSignature = fmt.Appendf([]byte{0xfb, 0xff, 0xfe}, "signature %d", len(l.signed)+1)
	}
	if len(p.ThoughtSignature) > 0 {
		l.signed[string(p.ThoughtSignature)] = p.fingerprint()
	}
	if call := p.FunctionCall; call != nil {
		count := l.calls[p.fingerprint()]
		if len(p.ThoughtSignature) > 0 {
			count.signed++
		} else {
			count.unsigned++
		}
		l.calls[p.fingerprint()] = count
		l.names[call.Name] = true
		if call.ID != "" {
			l.ids[call.ID] = true
		}
	}
	return p
}

// check checks those parts of a history that this server issued.
func (l *ledger) check(contents []content) *failure {
	replayed := map[string]int{} // number of unsigned calls in this history
	for i, c := range contents {
		first := slices.IndexFunc(c.Parts, func(p part) bool { return p.FunctionCall != nil })
		skips := first >= 0 && string(c.Parts[first].ThoughtSignature) == skipSignature
		for _, p := range c.Parts {
			if len(p.ThoughtSignature) > 0 {
				if f := l.checkSignature(c, p); f != nil {
					return f
				}
			} else if p.FunctionCall != nil {
				replayed[p.fingerprint()]++
				if f := l.checkUnsigned(i, p, replayed[p.fingerprint()], skips); f != nil {
					return f
				}
			}
		}
	}
	return nil
}

// checkSignature applies the rule "Corrupted thought signature." A signature must come back on the
// part that it was issued on.
func (l *ledger) checkSignature(c content, p part) *failure {
	if p.FunctionCall != nil && string(p.ThoughtSignature) == skipSignature {
		return nil
	}
	issued, known := l.signed[string(p.ThoughtSignature)]
	if !known || issued != p.fingerprint() || c.role() != roleModel {
		return invalid("Corrupted thought signature.")
	}
	return nil
}

// checkUnsigned requires that each call comes back as it was issued. A call that lost its signature
// is "missing a thought_signature". Calls with unknown IDs, or without an ID and with unknown
// names, pass, because another server issued them. If the first call of the step has skipSignature,
// the others need no signature.
func (l *ledger) checkUnsigned(i int, p part, times int, skips bool) *failure {
	call := p.FunctionCall
	count, issued := l.calls[p.fingerprint()]
	switch {
	case issued && !skips && count.signed > 0 && times > count.unsigned:
		return unsigned(call.Name, i+1)
	case !issued && (call.ID == "" && l.names[call.Name] || l.ids[call.ID]):
		return invalid("Function call `%s` in the %d. content block is not the call the model made.", call.Name, i+1)
	}
	return nil
}

// fingerprint returns the content of a part, regardless of the order of its members. Empty args
// count, so a call that comes back without them is a different part.
func (p part) fingerprint() string {
	p.ThoughtSignature = nil
	body, err := json.Marshal(p)
	if err != nil {
		panic(fmt.Sprintf("geminitest: part is not JSON: %v", err))
	}
	return string(body)
}

// plain converts Go values to the values that their JSON decodes to.
func plain(args map[string]any) object {
	body, err := json.Marshal(args)
	if err != nil {
		panic(fmt.Sprintf("geminitest: args are not JSON: %v", err))
	}
	var decoded object
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	_ = d.Decode(&decoded) // cannot fail: it was just encoded
	return decoded
}
