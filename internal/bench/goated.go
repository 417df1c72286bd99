package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/genai"

	"goated/agent"
	"goated/client"
	"goated/internal/chat"
	"goated/internal/store"
	"goated/ui/view"
)

// measureGoated runs a row with goated's own packages, like the window does: with the sandbox, and
// with a keeper for each server that is not part of goated.
func measureGoated(ctx context.Context, j job) (figures, error) {
	switch j.row {
	case "loop50", "loop200":
		return loop(ctx, j, steps(j.row), 2)
	case "tools100":
		return loop(ctx, j, 50, 100)
	case "fsyncs":
		j.who = "recorded"
		n := tracedSteps
		if os.Getenv("BENCH_HALF") != "" {
			n /= 2
		}
		_, err := loop(ctx, j, n, 2)
		return figures{j.row: 0}, err // the parent counts the system calls
	case "chunks10k", "chunks100k":
		return chunks(ctx, j)
	case "turn10k":
		return manyTools(ctx, j)
	case "start20":
		return start(ctx, j, 20, 2)
	case "list1k", "list10k":
		return start(ctx, j, steps(j.row)/100, 100)
	case "import100k":
		return history(ctx, j)
	case "apply50k":
		return apply(j)
	}
	h, err := connected(ctx, j, 2)
	if err != nil {
		return nil, err
	}
	defer h.Close()
	echo := func() error {
		_, err := h.Call(ctx, "bench__echo", map[string]any{"id": 1}, nil)
		return err
	}
	switch j.row {
	case "call1":
		return calls(echo)
	case "call64":
		return inFlight(echo)
	case "result1", "result10", "result64":
		return large(steps(j.row), func(mb int) (int, error) {
			r, err := h.Call(ctx, "bench__big", map[string]any{"MB": min(mb, 63)}, nil)
			if err != nil {
				return 0, err
			}
			return len(r.Content[0].(*mcp.TextContent).Text), nil
		})
	}
	return nil, fmt.Errorf("no row %s", j.row)
}

// config returns the configuration of a server that has the rights of a bundled one, because it is
// a binary.
func config(j job, name string, count int) client.Config {
	return client.Config{Path: j.server, Args: []string{"serve"}, Env: environ(count), Name: name, Bundled: true}
}

// connected returns a host with one server.
func connected(ctx context.Context, j job, count int) (*client.Host, error) {
	h := client.New(client.Options{Data: j.data})
	if _, err := h.Connect(ctx, config(j, "bench", count)); err != nil {
		h.Close()
		return nil, err
	}
	return h, nil
}

// session returns a session with the named model.
func session(ctx context.Context, j job, h *client.Host, name string) (*agent.Session, error) {
	g, err := agent.NewGemini(ctx, agent.GeminiOptions{Key: "bench", Model: name, BaseURL: j.url})
	if err != nil {
		return nil, err
	}
	return &agent.Session{Model: g, Tools: h, Policy: &agent.Policy{AllowAll: true}, MaxSteps: 1000}, nil
}

// loop runs a turn with n calls. For the contestant recorded, it saves the turn in a history.
func loop(ctx context.Context, j job, n, count int) (figures, error) {
	h, err := connected(ctx, j, count)
	if err != nil {
		return nil, err
	}
	defer h.Close()
	own := j
	own.who = goated
	s, err := session(ctx, j, h, own.model(fmt.Sprint("loop-", n)))
	if err != nil {
		return nil, err
	}
	turn := &chat.Turn{Session: s, Parts: []*genai.Part{genai.NewPartFromText("go")}}
	if j.who == "recorded" {
		db, err := store.Open(ctx, filepath.Join(j.data, "history.db"))
		if err != nil {
			return nil, err
		}
		defer db.Close()
		turn.History, turn.Conversation = db, &chat.Identity{}
		turn.OnLost = func(_ bool, lost error) { err = errors.Join(err, lost) }
	}
	returned := 0
	began := time.Now()
	for event, err := range turn.Run(ctx) {
		if err != nil {
			return nil, err
		}
		if r, ok := event.(agent.ToolReturned); ok && r.Error == "" {
			returned++
		}
	}
	took := time.Since(began)
	if err != nil || returned != n {
		return nil, fmt.Errorf("%d of %d calls: %w", returned, n, err)
	}
	return figures{j.row: micro(took) / float64(n)}, nil
}

// chunks receives an answer in many pieces.
func chunks(ctx context.Context, j job) (figures, error) {
	h := client.New(client.Options{Data: j.data})
	defer h.Close()
	n := steps(j.row)
	s, err := session(ctx, j, h, j.model(fmt.Sprint("chunks-", n)))
	if err != nil {
		return nil, err
	}
	pieces := 0
	began := time.Now()
	for event, err := range s.Send(ctx, genai.NewPartFromText("go")) {
		if err != nil {
			return nil, err
		}
		if _, ok := event.(agent.TextDelta); ok {
			pieces++
		}
	}
	took := time.Since(began)
	if pieces != n {
		return nil, fmt.Errorf("%d pieces", pieces)
	}
	return figures{j.row: milli(took)}, nil
}

// manyTools measures the second turn with 10,000 tools, without the model's time.
func manyTools(ctx context.Context, j job) (figures, error) {
	h, err := connected(ctx, j, 5_000)
	if err != nil {
		return nil, err
	}
	defer h.Close()
	if _, err := h.Connect(ctx, config(j, "more", 5_000)); err != nil { // the maximum for one server
		return nil, err
	}
	turn := func(s *agent.Session) (time.Duration, error) {
		began := time.Now()
		for _, err := range s.Send(ctx, genai.NewPartFromText("Which record of the register is number 4711?")) {
			if err != nil {
				return 0, err
			}
		}
		return time.Since(began), nil
	}
	few, err := connected(ctx, j, 20)
	if err != nil {
		return nil, err
	}
	defer few.Close()
	var took [2]time.Duration
	for i, host := range []*client.Host{h, few} {
		s, err := session(ctx, j, host, j.model("loop-0"))
		if err != nil {
			return nil, err
		}
		for range 3 {
			if took[i], err = turn(s); err != nil {
				return nil, err
			}
		}
	}
	return figures{j.row: max(0, milli(took[0]-took[1]))}, nil
}

// start connects servers that have keepers, and lists their tools.
func start(ctx context.Context, j job, servers, count int) (figures, error) {
	o := client.Options{Data: j.data}
	if keeper := os.Getenv("BENCH_KEEPER"); keeper != "" {
		o.Process.Keeper = []string{keeper}
	}
	h := client.New(o)
	defer h.Close()
	var wg, watching sync.WaitGroup
	ctx, stop := context.WithCancel(ctx)
	defer watching.Wait()
	defer stop()
	watching.Go(func() { // like the window
		for range h.Watch(ctx) {
		}
	})
	began := time.Now()
	errs := make([]error, servers)
	for i := range servers {
		wg.Go(func() { _, errs[i] = h.Connect(ctx, config(j, "bench"+strconv.Itoa(i), count)) })
	}
	wg.Wait()
	n := 0
	for range h.Tools() {
		n++
	}
	took := time.Since(began)
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	if n != servers*count {
		return nil, fmt.Errorf("%d tools", n)
	}
	return figures{j.row: milli(took)}, nil
}

// history imports 100,000 messages, exits without closing the database, and reopens it.
func history(ctx context.Context, j job) (figures, error) {
	path := filepath.Join(j.data, "history.db")
	db, err := store.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	doc := export(100_000)
	began := time.Now()
	ids, err := db.Import(ctx, bytes.NewReader(doc), nil)
	if err != nil {
		return nil, err
	}
	f := figures{"import100k": time.Since(began).Seconds()}
	// A turn is running. A copy of the files has the state that a killed process leaves.
	conversation, err := db.Create(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := db.Begin(ctx, conversation.ID, "", []*genai.Part{{Text: "hello"}}); err != nil {
		return nil, err
	}
	killed := filepath.Join(j.data, "killed.db")
	for _, suffix := range []string{"", "-wal"} {
		data, err := os.ReadFile(path + suffix)
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(killed+suffix, data, 0o600); err != nil {
			return nil, err
		}
	}
	if err := db.Close(); err != nil {
		return nil, err
	}
	began = time.Now()
	again, err := store.Open(ctx, killed)
	if err != nil {
		return nil, err
	}
	list, err := again.Conversations(ctx)
	if err != nil || len(list) != len(ids)+1 {
		return nil, fmt.Errorf("%d conversations: %w", len(list), err)
	}
	f["open100k"] = milli(time.Since(began))
	return f, again.Close()
}

// export creates an export file with this many messages, in conversations of 1,000.
func export(messages int) []byte {
	type turn struct {
		ID       string    `json:"id"`
		Parent   string    `json:"parent,omitempty"`
		Started  time.Time `json:"started"`
		Ended    time.Time `json:"ended"`
		User     any       `json:"user"`
		Events   []any     `json:"events"`
		Contents []any     `json:"contents"`
	}
	type conversation struct {
		ID      string    `json:"id"`
		Title   string    `json:"title"`
		Created time.Time `json:"created"`
		Updated time.Time `json:"updated"`
		Active  string    `json:"active"`
		Turns   []turn    `json:"turns"`
	}
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var all []conversation
	for c := range messages / 1000 {
		conv := conversation{ID: uuid.NewString(), Title: fmt.Sprint("Conversation ", c), Created: at, Updated: at}
		for m := range 500 {
			said := fmt.Sprintf("Message %d of %d asks about the harbour of Genoa, its lighthouse and %x.", m, c, m*7919)
			answer := fmt.Sprintf("The lighthouse %d was built in 1543; %x ships have passed it since, and none has been lost in spring.", m, m*104729)
			parts := func(text string) any { return []any{map[string]any{"text": text}} }
			t := turn{ID: uuid.NewString(), Started: at, Ended: at.Add(time.Second), User: parts(said),
				Events:   []any{map[string]any{"type": "text", "text": answer}, map[string]any{"type": "turn_ended", "reason": "done", "steps": 1}},
				Contents: []any{map[string]any{"role": "user", "parts": parts(said)}, map[string]any{"role": "model", "parts": parts(answer)}}}
			if m > 0 {
				t.Parent = conv.Turns[m-1].ID
			}
			conv.Turns, conv.Active, at = append(conv.Turns, t), t.ID, at.Add(time.Minute)
		}
		all = append(all, conv)
	}
	data, _ := json.Marshal(map[string]any{"format": "goated conversations", "version": 1, "conversations": all}) // of strings and times
	return data
}

// apply measures one delta of an answer, after many items and in an empty conversation.
func apply(j job) (figures, error) {
	c := view.Chat{}
	if j.who == goated {
		for i := range 25_000 {
			c = c.Say("question " + strconv.Itoa(i)).Apply(agent.TextDelta{Text: "answer"})
		}
	}
	c = c.Say("go")
	const n = 10_000
	began := time.Now()
	for range n {
		c = c.Apply(agent.TextDelta{Text: "word, "})
	}
	return figures{j.row: float64(time.Since(began).Nanoseconds()) / n}, nil
}
