package agent

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/ssestream"
)

// maxOpenAIReply bounds a reply in one piece, in bytes, as the library bounds an event.
const maxOpenAIReply = 32 << 20

// openAIStream reads the answer of a service: events, or one reply in JSON, which some
// services send although a stream was asked for. No stream of events begins with a brace.
func openAIStream(response *http.Response, err error) *ssestream.Stream[openai.ChatCompletionChunk] {
	if err != nil {
		return ssestream.NewStream[openai.ChatCompletionChunk](nil, err)
	}
	body := bufio.NewReader(response.Body)
	first, err := body.Peek(1)
	for ; err == nil && strings.ContainsRune(" \t\r\n", rune(first[0])); first, err = body.Peek(1) {
		_, _ = body.Discard(1)
	}
	response.Body = struct {
		io.Reader
		io.Closer
	}{body, response.Body}
	if err == nil && first[0] == '{' {
		return ssestream.NewStream[openai.ChatCompletionChunk](&openAIReply{body: response.Body}, nil)
	}
	return ssestream.NewStream[openai.ChatCompletionChunk](&openAIEvents{Decoder: ssestream.NewDecoder(response)}, nil)
}

// openAIEvents are the events of a stream. They have no "error": null, which the library
// takes for an error, and no events without data, such as comments, which it can't read.
type openAIEvents struct {
	ssestream.Decoder
	event ssestream.Event
}

func (e *openAIEvents) Next() bool {
	for e.Decoder.Next() {
		if e.event = e.Decoder.Event(); len(bytes.TrimSpace(e.event.Data)) > 0 {
			e.event.Data = withoutNullError(e.event.Data)
			return true
		}
	}
	return false
}

func (e *openAIEvents) Event() ssestream.Event { return e.event }

// withoutNullError removes the member error of an object if it is null.
func withoutNullError(data []byte) []byte {
	if !bytes.Contains(data, []byte(`"error"`)) {
		return data
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(data, &members) != nil || string(members["error"]) != "null" {
		return data
	}
	delete(members, "error")
	rest, _ := json.Marshal(members) // they come from JSON
	return rest
}

// openAIReply is a reply in one piece, as a stream of one chunk.
type openAIReply struct {
	body  io.ReadCloser
	event ssestream.Event
	err   error
}

func (r *openAIReply) Next() bool {
	if r.err != nil || r.event.Data != nil {
		return false
	}
	data, err := io.ReadAll(io.LimitReader(r.body, maxOpenAIReply+1))
	if err == nil && len(data) > maxOpenAIReply {
		err = errors.New("the answer is longer than 32 MB")
	}
	if err == nil {
		r.event.Data, err = openAIChunk(data)
	}
	r.err = err
	return err == nil
}

func (r *openAIReply) Event() ssestream.Event { return r.event }
func (r *openAIReply) Err() error             { return r.err }
func (r *openAIReply) Close() error           { return r.body.Close() }

// openAIChunk makes a chunk of a reply in one piece: each message becomes a delta, whose
// calls have an index.
func openAIChunk(data []byte) ([]byte, error) {
	var reply map[string]json.RawMessage
	if err := json.Unmarshal(withoutNullError(data), &reply); err != nil {
		return nil, err
	}
	var choices []map[string]json.RawMessage
	_ = json.Unmarshal(reply["choices"], &choices) // an error has none
	for _, choice := range choices {
		var message map[string]json.RawMessage
		var calls []map[string]json.RawMessage
		if json.Unmarshal(choice["message"], &message) != nil {
			continue
		}
		_ = json.Unmarshal(message["tool_calls"], &calls) // most answers have none
		for i, call := range calls {
			call["index"], _ = json.Marshal(i)
		}
		message["tool_calls"], _ = json.Marshal(calls)
		choice["delta"], _ = json.Marshal(message)
		if reason := string(choice["finish_reason"]); reason == "" || reason == "null" {
			choice["finish_reason"] = json.RawMessage(`"stop"`) // the reply is whole
		}
		delete(choice, "message")
	}
	if choices != nil {
		reply["choices"], _ = json.Marshal(choices)
	}
	return json.Marshal(reply)
}
