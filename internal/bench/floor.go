package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// measureFloor runs a row with raw frames and raw HTTP. This is the cost of the work without a
// library, decoding only what is needed.
func measureFloor(ctx context.Context, j job) (figures, error) {
	switch j.row {
	case "loop50", "loop200":
		return rawLoop(ctx, j, steps(j.row), 2)
	case "tools100":
		return rawLoop(ctx, j, 50, 100)
	case "chunks10k", "chunks100k":
		began := time.Now()
		size := 0
		err := rawModel(ctx, j.url, j.model(fmt.Sprint("chunks-", steps(j.row))), []byte(`{"contents":[{"role":"user","parts":[{"text":"go"}]}]}`), func(p rawPart) { size += len(p.Text) })
		return figures{j.row: milli(time.Since(began))}, err
	case "start20":
		return rawStart(ctx, j)
	}
	s, err := rawConnect(ctx, j.server, 2)
	if err != nil {
		return nil, err
	}
	defer s.close()
	echo := func() error { _, err := s.call(`{"name":"echo","arguments":{"id":1}}`); return err }
	switch j.row {
	case "call1":
		return calls(echo)
	case "call64":
		return inFlight(echo)
	case "result1", "result10", "result64":
		return large(steps(j.row), func(mb int) (int, error) {
			text, err := s.call(fmt.Sprintf(`{"name":"big","arguments":{"MB":%d}}`, mb))
			return len(text), err
		})
	}
	return nil, fmt.Errorf("no row %s", j.row)
}

// A rawServer is a session over pipes.
type rawServer struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	writing sync.Mutex
	mu      sync.Mutex
	last    int
	waits   map[int]chan []byte
}

func rawConnect(ctx context.Context, path string, count int) (*rawServer, error) {
	cmd := exec.CommandContext(ctx, path, "serve")
	cmd.Env = append(os.Environ(), environ(count)...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s := &rawServer{cmd: cmd, in: in, waits: make(map[int]chan []byte)}
	go s.read(out) // ends with the process
	if _, err := s.request("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"floor","version":"1"}}`); err != nil {
		return nil, err
	}
	if _, err := s.request("tools/list", `{}`); err != nil {
		return nil, err
	}
	return s, nil
}

// read passes each response to the request that waits for it.
func (s *rawServer) read(out io.Reader) {
	r := bufio.NewReaderSize(out, 64<<10)
	var long []byte
	for {
		line, err := r.ReadSlice('\n')
		if err == bufio.ErrBufferFull {
			long = append(long, line...)
			continue
		}
		if err != nil {
			return
		}
		if len(long) > 0 {
			line = append(long, line...)
		} else {
			line = bytes.Clone(line)
		}
		long = nil
		id := 0
		for _, c := range line[len(`{"jsonrpc":"2.0","id":`):] {
			if c < '0' || c > '9' {
				break
			}
			id = 10*id + int(c-'0')
		}
		s.mu.Lock()
		w := s.waits[id]
		delete(s.waits, id)
		s.mu.Unlock()
		w <- line
	}
}

func (s *rawServer) request(method, params string) ([]byte, error) {
	w := make(chan []byte, 1)
	s.mu.Lock()
	s.last++
	id := s.last
	s.waits[id] = w
	s.mu.Unlock()
	line := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", id, method, params)
	s.writing.Lock()
	_, err := s.in.Write(line)
	s.writing.Unlock()
	if err != nil {
		return nil, err
	}
	return <-w, nil
}

// call returns the text of a result.
func (s *rawServer) call(params string) (string, error) {
	line, err := s.request("tools/call", params)
	if err != nil {
		return "", err
	}
	var m struct {
		Result struct{ Content []struct{ Text string } }
	}
	if err := json.Unmarshal(line, &m); err != nil {
		return "", err
	}
	return m.Result.Content[0].Text, nil
}

func (s *rawServer) close() {
	_ = s.in.Close()
	_ = s.cmd.Wait()
}

// A rawPart is a part of a model's response.
type rawPart struct {
	Text         string
	FunctionCall *struct {
		Name string
		Args json.RawMessage
	}
	ThoughtSignature string
}

// rawModel makes one request.
func rawModel(ctx context.Context, url, name string, body []byte, each func(rawPart)) error {
	req, err := http.NewRequestWithContext(ctx, "POST", url+"/v1beta/models/"+name+":streamGenerateContent?alt=sse", bytes.NewReader(body))
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() {
		data, ok := bytes.CutPrefix(lines.Bytes(), []byte("data: "))
		if !ok {
			continue
		}
		var m struct {
			Candidates []struct{ Content struct{ Parts []rawPart } }
		}
		if err := json.Unmarshal(data, &m); err != nil {
			return err
		}
		for _, p := range m.Candidates[0].Content.Parts {
			each(p)
		}
	}
	return lines.Err()
}

// rawLoop runs a turn with n calls. It appends to one body, which it sends again each time.
func rawLoop(ctx context.Context, j job, n, count int) (figures, error) {
	s, err := rawConnect(ctx, j.server, count)
	if err != nil {
		return nil, err
	}
	defer s.close()
	name := j.model(fmt.Sprint("loop-", n))
	declared := strings.ReplaceAll(tools(count), `"inputSchema"`, `"parametersJsonSchema"`)
	body := []byte(`{"tools":[{"functionDeclarations":[` + declared + `]}],"contents":[{"role":"user","parts":[{"text":"go"}]}`)
	began := time.Now()
	for done := 0; ; done++ {
		var call *rawPart
		if err := rawModel(ctx, j.url, name, append(body[:len(body):len(body)], "]}"...), func(p rawPart) {
			if p.FunctionCall != nil {
				call = &p
			}
		}); err != nil {
			return nil, err
		}
		if call == nil {
			if done != n {
				return nil, fmt.Errorf("%d calls", done)
			}
			return figures{j.row: micro(time.Since(began)) / float64(n)}, nil
		}
		text, err := s.call(fmt.Sprintf(`{"name":%q,"arguments":%s}`, call.FunctionCall.Name, call.FunctionCall.Args))
		if err != nil {
			return nil, err
		}
		body = fmt.Appendf(body, `,{"role":"model","parts":[{"functionCall":{"name":%q,"args":%s},"thoughtSignature":%q}]},{"role":"user","parts":[{"functionResponse":{"name":%[1]q,"response":{"output":%[4]q}}}]}`,
			call.FunctionCall.Name, call.FunctionCall.Args, call.ThoughtSignature, text)
	}
}

// rawStart starts 20 servers at the same time.
func rawStart(ctx context.Context, j job) (figures, error) {
	began := time.Now()
	var wg sync.WaitGroup
	servers := make([]*rawServer, 20)
	errs := make([]error, len(servers))
	for i := range servers {
		wg.Go(func() { servers[i], errs[i] = rawConnect(ctx, j.server, 2) })
	}
	wg.Wait()
	took := time.Since(began)
	for i, s := range servers {
		if errs[i] != nil {
			return nil, errs[i]
		}
		s.close()
	}
	return figures{j.row: milli(took)}, nil
}
