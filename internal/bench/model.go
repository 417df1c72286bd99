package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// A model responds to generate requests of the Gemini API immediately. Its name determines its
// behaviour: loop-N-x calls the tool echo N times and then ends, chunks-N-x streams N pieces of
// text. Each x is a separate conversation and begins with the contestant's name.
type model struct {
	mu    sync.Mutex
	steps map[string]int
}

// startModel serves a model and returns its URL.
func startModel() (url string, stop func(), err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	m := &model{steps: make(map[string]int)}
	s := &http.Server{Handler: m}
	go func() { _ = s.Serve(l) }() // ends with stop
	return "http://" + l.Addr().String(), func() { _ = s.Close() }, nil
}

func (m *model) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	_, _ = io.Copy(io.Discard, req.Body)
	_, name, _ := strings.Cut(req.URL.Path, "/models/")
	name, _, _ = strings.Cut(name, ":")
	kind, rest, _ := strings.Cut(name, "-")
	number, tail, _ := strings.Cut(rest, "-")
	n, _ := strconv.Atoi(number)
	w.Header().Set("Content-Type", "text/event-stream")
	if kind == "chunks" {
		stream(w, n)
		return
	}
	m.mu.Lock()
	m.steps[name]++
	step := m.steps[name]
	m.mu.Unlock()
	tool := "echo"
	if strings.HasPrefix(tail, goated) {
		tool = "bench__echo"
	}
	part := `{"text":"Done."}`
	if step <= n {
		part = fmt.Sprintf(`{"functionCall":{"name":%q,"args":{"id":%d}},"thoughtSignature":"c2lnbmF0dXJlIG9mIHRoZSBjYWxsCg=="}`, tool, step)
	}
	fmt.Fprintf(w, `data: {"candidates":[{"content":{"parts":[%s],"role":"model"},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":100,"candidatesTokenCount":10,"totalTokenCount":110},"modelVersion":"bench","responseId":"r"}`+"\r\n\r\n", part)
}

// stream writes an answer in n pieces, several at a time, like a network.
func stream(w http.ResponseWriter, n int) {
	for i := range n {
		finish := ""
		if i == n-1 {
			finish = `"finishReason":"STOP",`
		}
		fmt.Fprintf(w, `data: {"candidates":[{"content":{"parts":[{"text":"word %d, "}],"role":"model"},%s"index":0}],"usageMetadata":{"promptTokenCount":100,"candidatesTokenCount":%d,"totalTokenCount":%d},"modelVersion":"bench","responseId":"r"}`+"\r\n\r\n", i, finish, i, 100+i)
	}
}
