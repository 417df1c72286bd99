package geminitest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"google.golang.org/genai"
)

// chunk is one event of a stream, or a whole unary response.
type chunk struct {
	Candidates     []candidate     `json:"candidates,omitempty"`
	PromptFeedback *promptFeedback `json:"promptFeedback,omitempty"`
	Usage          *usage          `json:"usageMetadata,omitempty"`
	ModelVersion   string          `json:"modelVersion"`
	ResponseID     string          `json:"responseId"`
}

type candidate struct {
	Content      content            `json:"content"`
	FinishReason genai.FinishReason `json:"finishReason,omitempty"`
	Index        int                `json:"index"`
}

type promptFeedback struct {
	BlockReason genai.BlockedReason `json:"blockReason"`
}

type usage struct {
	Prompt   int `json:"promptTokenCount"`
	Output   int `json:"candidatesTokenCount,omitempty"`
	Thoughts int `json:"thoughtsTokenCount,omitempty"`
	Total    int `json:"totalTokenCount"`
}

// response is a reply that is being sent.
type response struct {
	server *Server
	out    output
	gone   <-chan struct{} // closed when the client disconnects
	req    Request
	id     string

	finish  genai.FinishReason
	usage   *usage
	signEnd bool
	called  bool // a function call was issued
	size    int  // size of the issued parts
	repeat  bool // send each chunk twice
	each    time.Duration
}

// play answers req with reply.
func (s *Server) play(w http.ResponseWriter, r *http.Request, req Request, reply Reply) {
	s.mu.Lock()
	s.responses++
	id := fmt.Sprintf("response-%d", s.responses)
	s.mu.Unlock()

	var out output = &unary{w: w}
	if req.Method == methodStream {
		out = &stream{w: w}
	}
	res := &response{
		server: s, out: out, gone: r.Context().Done(), req: req, id: id,
		finish: genai.FinishReasonStop,
	}
	for _, step := range reply.steps {
		if len(step.parts) > 0 {
			res.send(chunk{Candidates: []candidate{{Content: res.issue(step.parts)}}})
		}
		if step.act != nil && !step.act(res) {
			out.close()
			return
		}
	}
	res.end()
	out.close()
}

// issue completes drafts and records them in the ledger.
func (r *response) issue(drafts []draft) content {
	r.server.mu.Lock()
	defer r.server.mu.Unlock()
	issued := content{Role: roleModel}
	for _, d := range drafts {
		p := r.server.issued.issue(d, !r.called)
		r.called = r.called || p.FunctionCall != nil
		r.size += len(p.fingerprint())
		issued.Parts = append(issued.Parts, p)
	}
	return issued
}

// end sends the last chunk. Its text is empty. Unless the reply finishes normally, it has no
// content.
func (r *response) end() {
	last := candidate{FinishReason: r.finish}
	empty := draft{part: part{Text: new(string)}}
	if r.signEnd {
		empty.sign = always
	}
	if r.signEnd || r.finish == genai.FinishReasonStop || r.finish == genai.FinishReasonMaxTokens {
		last.Content = r.issue([]draft{empty})
	}
	if r.usage == nil {
		prompt, output := tokens(len(r.req.Body)), tokens(r.size)
		r.usage = &usage{Prompt: prompt, Output: output, Total: prompt + output}
	}
	r.send(chunk{Candidates: []candidate{last}, Usage: r.usage})
}

// send sends a chunk. Each chunk contains the total usage so far, so clients must not add them up.
func (r *response) send(c chunk) {
	if c.Usage == nil {
		prompt := tokens(len(r.req.Body))
		c.Usage = &usage{Prompt: prompt, Total: prompt}
	}
	c.ModelVersion = r.req.Model
	c.ResponseID = r.id
	if r.each > 0 {
		wait(r, time.After(r.each))
	}
	r.out.chunk(c)
	if r.repeat {
		r.out.chunk(c)
	}
}

func (r *response) raw(data []byte) { r.out.raw(data) }

func (r *response) fail(f *failure) { r.out.fail(f) }

// wait waits for a channel. It aborts the connection if the client disconnects or the server closes
// first.
func wait[T any](r *response, until <-chan T) bool {
	select {
	case <-until:
		return true
	case <-r.gone:
	case <-r.server.done:
	}
	panic(http.ErrAbortHandler)
}

func (c chunk) json() []byte {
	body, err := json.Marshal(c)
	if err != nil {
		panic(fmt.Sprintf("geminitest: reply is not JSON: %v", err))
	}
	return body
}
