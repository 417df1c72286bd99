// Package exact preserves JSON numbers where code would decode them into float64.
//
// A float64 stores only 53 bits of an integer, and not how a number was written. The decoders of
// the MCP SDK and of genai produce float64 wherever a type is any. [Decode] produces [json.Number]
// instead. If the decoder belongs to a library, [Hide] first replaces the members that the library
// decodes into any by their text, and [Restore], [Raw] and [Result] restore them afterwards.
//
// The package must not depend on servers, models or conversations. It has no state and is safe for
// concurrent use.
package exact

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// mark is the name of the member, or the prefix of the string, that contains a hidden text. It is a
// character in Unicode's private use area. Hide also hides a value that contains the mark, so a
// server cannot fake a hidden value.
const mark = "\ue000"

// Decode decodes one JSON value, with [json.Number] for each number of type any. Data after the
// value is an error.
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

// A Form determines how [Hide] replaces the value of a member.
type Form int

const (
	// Text replaces any value except null by a string, which [Raw] restores.
	Text Form = iota
	// Inside replaces an object that decoding would change by an object with its text.
	Inside
	// Beside adds its text to an object that decoding would change, for decoders that need the
	// object's own members.
	Beside
	// Question replaces a schema by an object with its text, which [Source] returns. The SDK would
	// lose the order of the members, which is the order of the questions. It would also treat a
	// [json.Number] in an answer as a string, and refuse it.
	Question
	// Ordered adds its text to each object, even if decoding would not change it. [Written] returns
	// the text.
	Ordered
)

// Restore returns the value that [Hide] replaced, with [json.Number] for each number. It returns
// other values unchanged.
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

// Written is [Restore] for an object with the form [Ordered]. It also returns the object's text,
// with the members in the server's order, or "" if the object has no text. It modifies v.
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

// Source returns the text of an object that [Hide] replaced, with the members in the server's
// order, or nil if the object was not replaced.
func Source(m map[string]any) json.RawMessage {
	text, _ := m[mark].(string)
	if !json.Valid([]byte(text)) {
		return nil
	}
	return json.RawMessage(text)
}

// Raw returns the original JSON of a value that [Hide] replaced by a string. It returns other
// values unchanged.
func Raw(v any) any {
	if s, ok := v.(string); ok && strings.HasPrefix(s, mark) {
		return json.RawMessage(s[len(mark):])
	}
	return v
}
