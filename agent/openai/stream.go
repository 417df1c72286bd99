package openai

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/ssestream"

	"goated/agent/wire"
)

// maxReply limits a reply in one piece, in bytes. The library has the same limit for an event.
const maxReply = 32 << 20

// newStream reads the answer of a service. It is an event stream, or one JSON reply, which some
// services send although the request asks for a stream. An event stream never begins with a brace.
func newStream(ctx context.Context, response *http.Response, err error) *ssestream.Stream[sdk.ChatCompletionChunk] {
	if err != nil {
		return ssestream.NewStream[sdk.ChatCompletionChunk](nil, err)
	}
	body := bufio.NewReader(wire.PulseReader(ctx, response.Body))
	first, err := body.Peek(1)
	for ; err == nil && strings.ContainsRune(" \t\r\n", rune(first[0])); first, err = body.Peek(1) {
		_, _ = body.Discard(1)
	}
	response.Body = struct {
		io.Reader
		io.Closer
	}{body, response.Body}
	if err == nil && first[0] == '{' {
		return ssestream.NewStream[sdk.ChatCompletionChunk](&reply{body: response.Body}, nil)
	}
	return ssestream.NewStream[sdk.ChatCompletionChunk](&events{Decoder: ssestream.NewDecoder(response)}, nil)
}

// events decodes the events of a stream. It removes "error": null, which the library would treat as
// an error. It skips events without data, such as comments, which the library cannot parse.
type events struct {
	ssestream.Decoder
	event ssestream.Event
}

func (e *events) Next() bool {
	for e.Decoder.Next() {
		if e.event = e.Decoder.Event(); len(bytes.TrimSpace(e.event.Data)) > 0 {
			e.event.Data = normalized(e.event)
			return true
		}
	}
	return false
}

func (e *events) Event() ssestream.Event { return e.event }

// withoutNullError removes the member "error" of an object if it is null.
func withoutNullError(data []byte) []byte {
	if !bytes.Contains(data, []byte(`"error"`)) {
		return data
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(data, &members) != nil || string(members["error"]) != "null" {
		return data
	}
	delete(members, "error")
	rest, _ := json.Marshal(members) // cannot fail: they come from JSON
	return rest
}

// normalized converts the data of an event to OpenAI's form. It removes "error": null. It wraps an error
// of vLLM ({"object":"error",…}) or an event of type "error" in the member "error". It changes a
// message to a delta.
func normalized(e ssestream.Event) []byte {
	data := withoutNullError(e.Data)
	if e.Type != "error" && !bytes.Contains(data, []byte(`"message"`)) {
		return data
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(data, &members) != nil {
		return data
	}
	switch {
	case members["error"] != nil:
	case members["choices"] != nil:
		if changed, err := chunkOf(data, false); err == nil {
			return changed
		}
	case e.Type == "error", string(members["object"]) == `"error"`:
		wrapped, _ := json.Marshal(map[string]json.RawMessage{"error": data}) // cannot fail: data is JSON
		return wrapped
	}
	return data
}

// reply presents a reply in one piece as a stream with one chunk.
type reply struct {
	body  io.ReadCloser
	event ssestream.Event
	err   error
}

func (r *reply) Next() bool {
	if r.err != nil || r.event.Data != nil {
		return false
	}
	data, err := io.ReadAll(io.LimitReader(r.body, maxReply+1))
	if err == nil && len(data) > maxReply {
		err = errors.New("the answer is longer than 32 MB")
	}
	if err == nil {
		r.event.Data, err = chunkOf(data, true)
	}
	r.err = err
	return err == nil
}

func (r *reply) Event() ssestream.Event { return r.event }
func (r *reply) Err() error             { return r.err }
func (r *reply) Close() error           { return r.body.Close() }

// chunkOf converts a reply in one piece, or an event in the same form, to a chunk. Each message
// becomes a delta whose calls have an index. whole means a complete reply, so chunkOf adds a finish
// reason if it is missing.
func chunkOf(data []byte, whole bool) ([]byte, error) {
	var reply map[string]json.RawMessage
	if err := json.Unmarshal(withoutNullError(data), &reply); err != nil {
		return nil, err
	}
	var choices []map[string]json.RawMessage
	_ = json.Unmarshal(reply["choices"], &choices) // an error has no choices
	for _, choice := range choices {
		var message map[string]json.RawMessage
		var calls []map[string]json.RawMessage
		if choice["delta"] != nil && !bytes.Equal(choice["delta"], []byte("null")) && !whole || json.Unmarshal(choice["message"], &message) != nil || message == nil {
			continue
		}
		_ = json.Unmarshal(message["tool_calls"], &calls) // most answers have no calls
		for i, call := range calls {
			call["index"], _ = json.Marshal(i)
		}
		message["tool_calls"], _ = json.Marshal(calls)
		choice["delta"], _ = json.Marshal(message)
		if reason := string(choice["finish_reason"]); whole && (reason == "" || reason == "null") {
			choice["finish_reason"] = json.RawMessage(`"stop"`) // the reply is complete
		}
		delete(choice, "message")
	}
	if choices != nil {
		reply["choices"], _ = json.Marshal(choices)
	}
	return json.Marshal(reply)
}
