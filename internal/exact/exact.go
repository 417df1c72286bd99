// Package exact preserves JSON numbers in code that decodes them into float64.
//
// A float64 holds 53 bits of an integer, and forgets how a number was written. The
// decoders of the MCP SDK and of genai produce float64 wherever a type is any. [Decode]
// produces [json.Number] instead. Where the decoder belongs to a library, [Hide] first
// replaces the members that the library decodes into any by their text, and
// [Restore], [Raw] and [Result] bring them back.
//
// The package must not know servers, models or conversations. It has no state and is
// safe for concurrent use.
package exact

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// mark names the member, or begins the string, that holds a hidden text. It is from
// Unicode's private use area. A value that contains it is hidden too, so no value of a
// server can pass for a hidden one.
const mark = "\ue000"

// Decode decodes one JSON value, with [json.Number] for each number whose type is any.
// Data after the value is an error.
func Decode(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("data after the JSON value")
	}
	return nil
}

// A Form says how [Hide] replaces the value of a member.
type Form int

const (
	// Text replaces any value by a string, which [Raw] reads. Null stays.
	Text Form = iota
	// Inside replaces an object that would change by an object with its text.
	Inside
	// Beside adds its text to an object that would change, for decoders that need the
	// object's own members.
	Beside
	// Question replaces a schema by an object with its text, which [Source] returns. The SDK
	// loses the order of its members, in which the server wants to ask. It also takes a
	// [json.Number] of an answer for a text, and would refuse it.
	Question
	// Ordered adds its text to each object, also to one that would not change. [Written] returns it.
	Ordered
)

// Restore returns the value that [Hide] replaced, with [json.Number] for each number.
// It returns other values as they are.
func Restore(v any) any {
	m, ok := v.(map[string]any)
	if !ok {
		return v
	}
	return Object(m)
}

// Object is [Restore] for an object.
func Object(m map[string]any) map[string]any {
	text, ok := m[mark].(string)
	if !ok {
		return m
	}
	var out map[string]any
	if Decode([]byte(text), &out) != nil || out == nil {
		return m
	}
	return out
}

// Written is [Restore] for an object that [Ordered] kept. It also returns the object's text, with
// its members in the order of the server; empty if the object was not kept. It changes v.
func Written(v any) (object any, text string) {
	m, _ := v.(map[string]any)
	text, _ = m[mark].(string)
	if text == "" {
		return v, ""
	}
	if wrong, _ := changes([]byte(text)); wrong {
		return Object(m), text
	}
	delete(m, mark)
	return m, text
}

// Source returns the text of an object that a [Form] replaced, with its members in the order of
// the server; nil if the object was not replaced.
func Source(m map[string]any) json.RawMessage {
	text, _ := m[mark].(string)
	if !json.Valid([]byte(text)) {
		return nil
	}
	return json.RawMessage(text)
}

// Raw returns the value that [Hide] replaced by a string, as it was received. It
// returns other values as they are.
func Raw(v any) any {
	if s, ok := v.(string); ok && strings.HasPrefix(s, mark) {
		return json.RawMessage(s[len(mark):])
	}
	return v
}
