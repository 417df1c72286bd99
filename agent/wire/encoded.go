package wire

import (
	"fmt"
	"runtime"
	"sync"
	"weak"

	"google.golang.org/genai"
)

// An encoder encodes each content and each tool once, because they never change and every request
// of a conversation repeats all earlier ones. It forgets an unused encoding no later than the next
// request. It is safe for concurrent use. The zero value is ready to use.
type encoder struct {
	contents jsonCache[genai.Content]
	tools    jsonCache[genai.Tool]
}

// A payload is the encoded part of a request: JSON arrays of contents and of tools, in pieces.
type payload struct{ contents, tools [][]byte }

// encode returns the payload of a request.
func (e *encoder) encode(history []*genai.Content, tools []*genai.Tool) (p payload, err error) {
	if p.contents, err = e.contents.list(history, encodeContent); err != nil {
		return p, fmt.Errorf("encoding the conversation: %w", err)
	}
	if len(tools) > 0 {
		if p.tools, err = e.tools.list(tools, encodeTool); err != nil {
			return p, fmt.Errorf("encoding the tools: %w", err)
		}
	}
	return p, nil
}

// jsonCache caches the JSON of values by their pointers. Each entry begins with a comma.
type jsonCache[T any] struct {
	mu     sync.Mutex
	bodies map[weak.Pointer[T]][]byte
	last   []weak.Pointer[T] // the values of the last list
	pieces [][]byte          // the last list, without its closing bracket
}

// list returns a JSON array of values in pieces. It encodes each value once.
func (k *jsonCache[T]) list(values []*T, encode func(*T) ([]byte, error)) ([][]byte, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	same := 0 // the list usually has the same beginning as the last one
	for same < min(len(values), len(k.last)) && k.last[same].Value() == values[same] {
		same++
	}
	if len(k.pieces) == 0 {
		k.pieces = [][]byte{[]byte("[")}
	}
	out := k.pieces[:1+same]
	k.last = k.last[:same]
	for i, v := range values[same:] {
		key := weak.Make(v)
		body := k.bodies[key]
		if body == nil {
			encoded, err := encode(v)
			if err != nil {
				k.last, k.pieces = nil, nil
				return nil, fmt.Errorf("%d: %w", same+i+1, err)
			}
			body = append([]byte(","), encoded...)
			if k.bodies == nil {
				k.bodies = map[weak.Pointer[T]][]byte{}
			}
			k.bodies[key] = body
			runtime.AddCleanup(v, k.forget, key)
		}
		if same+i == 0 {
			body = body[1:]
		}
		out, k.last = append(out, body), append(k.last, key)
	}
	k.pieces = out
	return append(out[:len(out):len(out)], []byte("]")), nil // a copy, because requests keep their slices
}

func (k *jsonCache[T]) forget(key weak.Pointer[T]) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.bodies, key)
}
