package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"runtime"
	"testing"
	"time"

	"google.golang.org/genai"
)

// The contents and tools of a request replace the marks, even if a message contains text like a
// mark.
func TestPayloadFillsTheRequest(t *testing.T) {
	e := &encoder{}
	history := []*genai.Content{genai.NewContentFromText(`say "goated:contents" and "goated:tools"`, genai.RoleUser), genai.NewContentFromText("é", genai.RoleModel)}
	tools := []*genai.Tool{{FunctionDeclarations: []*genai.FunctionDeclaration{{Name: "f", Description: `"goated:contents"`}}}}
	for range 2 { // the second time from the cache
		p, err := e.encode(history, tools)
		if err != nil {
			t.Fatal(err)
		}
		frame := &template{request: &http.Request{}, frame: cutFrame([]byte(`{"contents":"goated:contents","tools":"goated:tools","x":1}`))}
		r := frame.fill(t.Context(), p)
		body, err := io.ReadAll(r.Body)
		if r.ContentLength != int64(len(body)) {
			t.Errorf("the length is %d of %d", r.ContentLength, len(body))
		}
		if err != nil {
			t.Fatal(err)
		}
		var got struct {
			Contents []*genai.Content
			Tools    []*genai.Tool
			X        int
		}
		if err := json.Unmarshal(body, &got); err != nil || !reflect.DeepEqual(got.Contents, history) || !reflect.DeepEqual(got.Tools, tools) || got.X != 1 {
			t.Errorf("%s, %v", body, err)
		}
	}
}

// The encoder forgets a content that nothing else references.
func TestEncoderForgets(t *testing.T) {
	e := &encoder{}
	for i := range 100 {
		if _, err := e.encode([]*genai.Content{genai.NewContentFromText(fmt.Sprint(i), genai.RoleUser)}, nil); err != nil {
			t.Fatal(err)
		}
	}
	for deadline := time.Now().Add(30 * time.Second); ; {
		runtime.GC()
		e.contents.mu.Lock()
		left := len(e.contents.bodies)
		e.contents.mu.Unlock()
		if left <= 1 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d contents are still known", left)
		}
		runtime.Gosched()
	}
}

// A piecesReader returns pieces of any size unchanged.
func TestPieces(t *testing.T) {
	var want bytes.Buffer
	var pieces [][]byte
	for i := range 40 {
		piece := bytes.Repeat([]byte{byte(i)}, i%7)
		want.Write(piece)
		pieces = append(pieces, piece)
	}
	got, err := io.ReadAll(io.LimitReader(&piecesReader{left: pieces}, 1000))
	if err != nil || !bytes.Equal(got, want.Bytes()) {
		t.Errorf("%d bytes of %d, %v", len(got), want.Len(), err)
	}
}
