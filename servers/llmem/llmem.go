// Package llmem is the MCP server LLMem (seed 001): a memory of a code base. Its tools give a model
// outlines, a ranked map and the exact places of definitions, and store what models write about
// files.
//
// It owns the folder .artifacts of one workspace and a cache of outlines. It must not know the
// client that runs it:
//
//	err := llmem.New(llmem.Options{}).Run(ctx, &mcp.StdioTransport{})
//
// Only protocol messages go to standard output. The log goes to [Options.Log].
package llmem

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/google/uuid"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/paths"
	"goated/internal/truncate"
	"goated/servers/arguments"
	"goated/servers/llmem/artifact"
	"goated/servers/llmem/index"
	"goated/servers/llmem/outline"
	"goated/servers/llmem/workspace"
	"goated/servers/serverlog"
)

// Options configure the server. The zero value is usable.
type Options struct {
	// Root is the workspace. Empty means the working directory.
	Root string

	// Data is the folder for caches: compiled grammars and outlines. Empty means goated's folder in
	// the user's cache.
	Data string

	// MaxFileBytes bounds the size of files that get an outline. 0 means 1 MiB.
	MaxFileBytes int

	// MaxSteps bounds how many prompts one generate_artifact chains. 0 means 10.
	MaxSteps int

	// MaxParsed bounds how many outlines of a folder one generate_artifact stores. 0 means 2,000.
	MaxParsed int
	// ToolTime bounds each call. 0 means one minute.
	ToolTime time.Duration

	// Log gets one line per event. Nil means standard error.
	Log io.Writer
}

// Version is the version of the server.
const Version = "1.0.0"

// A server creates an engine while sessions are open.
type server struct {
	o     Options
	log   *serverlog.Log
	calls atomic.Int64
	run   string // prefix of this process's correlation ids

	using   sync.RWMutex // calls hold it for reading; the end of the last session closes the engine
	opening sync.Mutex
	engine  *engine // guarded by opening
}

// An engine is the open workspace.
type engine struct {
	o         Options
	log       *serverlog.Log
	ws        *workspace.Workspace
	parser    *outline.Parser
	index     *index.Index
	artifacts *artifact.Store
	maps      mapCache
	graph     index.Graph
	unfits    unfitSources
}

// New returns the server. It opens the workspace at the first call, and closes it when the last
// session ends, before Run returns.
func New(o Options) *mcp.Server {
	s := newServer(o)
	m := mcp.NewServer(
		&mcp.Implementation{Name: "llmem", Title: "LLMem", Version: Version},
		&mcp.ServerOptions{
			Instructions: "A map of the workspace's code. Call map_workspace first, find_symbol for exact places, and get_artifact for the structure of a file, instead of reading whole files. " +
				"Line numbers in answers are current. When status is prompt_ready, run promptForHostLLM with your own model and then call callbackTool with callbackArgs and the answer as result.",
			Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}}, // the tools never change
			Logger:       s.log.Sessions(s.stop),
		},
	)
	handlers := map[string]handler{
		"get_artifact": getArtifact, "list_artifacts": listArtifacts, "generate_artifact": generateArtifact, "generate_prompt": generatePrompt,
		"store_llm_result": storeResult, "delete_artifact": deleteArtifact, "map_workspace": mapWorkspace, "find_symbol": findSymbol,
	}
	for _, t := range tools() {
		m.AddTool(t, s.handle(t.Name, t.InputSchema.(*jsonschema.Schema), handlers[t.Name]))
	}
	return m
}

func newServer(o Options) *server {
	o.Root = paths.Absolute(cmp.Or(o.Root, "."))
	if o.Data == "" {
		if cache, err := os.UserCacheDir(); err == nil {
			o.Data = filepath.Join(cache, "goated")
		}
	}
	if o.Data != "" {
		o.Data = paths.Absolute(o.Data)
	}
	o.MaxFileBytes = cmp.Or(o.MaxFileBytes, outline.DefaultMaxBytes)
	o.MaxSteps = cmp.Or(o.MaxSteps, 10)
	o.MaxParsed = cmp.Or(o.MaxParsed, 2000)
	o.ToolTime = cmp.Or(o.ToolTime, time.Minute)
	return &server{o: o, log: serverlog.New(o.Log), run: uuid.NewString()[:8]}
}

// open returns the engine, and creates it if necessary. The caller holds using for reading.
func (s *server) open() (*engine, error) {
	s.opening.Lock()
	defer s.opening.Unlock()
	if s.engine != nil {
		return s.engine, nil
	}
	if why := paths.NoProject(s.o.Root); why != "" {
		return nil, noWorkspace(why)
	}
	ws, err := workspace.Open(s.o.Root)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, noWorkspace("the folder of the workspace does not exist")
	case err != nil:
		return nil, noWorkspace(fmt.Sprintf("the folder of the workspace can't be opened: %v", paths.WithoutPath(err)))
	}
	var grammars, cache string
	if s.o.Data != "" {
		sum := artifact.Hash([]byte(ws.Dir()))
		grammars = filepath.Join(s.o.Data, "llmem", "grammars")
		cache = filepath.Join(s.o.Data, "llmem", sum[:16]+".outlines")
	}
	p := outline.New(outline.Options{CacheDir: grammars, MaxBytes: s.o.MaxFileBytes})
	s.engine = &engine{
		o: s.o, log: s.log, ws: ws, parser: p, artifacts: artifact.New(ws),
		index: index.New(index.Options{Workspace: ws, Parser: p, Cache: cache, MaxBytes: int64(s.o.MaxFileBytes)}),
	}
	return s.engine, nil
}

// stop waits for the calls that use the engine, and closes it.
func (s *server) stop() {
	s.using.Lock()
	defer s.using.Unlock()
	s.opening.Lock()
	defer s.opening.Unlock()
	if s.engine == nil {
		return
	}
	s.engine.index.Close()
	if err := errors.Join(s.engine.parser.Close(), s.engine.ws.Close()); err != nil {
		s.log.Printf(serverlog.Warn, "closing the workspace: %v", err)
	}
	s.engine = nil
}

// A call is one tool call.
type call struct {
	*engine
	id       string
	step     int // of a chain; 0 if the call is not part of one
	steps    int
	args     json.RawMessage
	progress func(message string, done, total int)
}

// A handler runs a tool.
type handler func(ctx context.Context, c *call) (envelope, error)

// handle checks the arguments, runs the handler within the time limit for tools, and logs the call
// with its correlation id and its step. A panic fails the call rather than the process.
func (s *server) handle(name string, schema *jsonschema.Schema, h handler) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (res *mcp.CallToolResult, _ error) {
		c := &call{id: fmt.Sprintf("llmem-%s-%d", s.run, s.calls.Add(1)), args: req.Params.Arguments, progress: progress(ctx, req)}
		began := time.Now()
		s.log.Printf(serverlog.Debug, "call=%s tool=%s args=%s", c.id, name, truncate.Bytes(string(c.args), maxLogged))
		var e envelope
		defer func() {
			if p := recover(); p != nil {
				s.log.Printf(serverlog.Fatal, "call=%s tool=%s panic: %v\n%s", c.id, name, p, debug.Stack())
				e = failed(errors.New("internal error, see the server's log"))
			}
			s.log.Printf(serverlog.Info, "call=%s tool=%s step=%d/%d status=%s duration=%s%s", c.id, name, c.step, c.steps, e.Status, time.Since(began).Round(time.Millisecond), because(e))
			res = e.result()
			res.Meta = mcp.Meta{"correlationId": c.id}
			if c.steps > 0 {
				res.Meta["step"], res.Meta["steps"] = c.step, c.steps
			}
		}()
		ctx, cancel := context.WithTimeoutCause(ctx, s.o.ToolTime, errTimeout)
		defer cancel()
		var err error
		if e, err = s.call(ctx, c, schema, h); err != nil {
			if errors.Is(context.Cause(ctx), errTimeout) {
				err = errTimeout
			}
			e = failed(err)
		}
		return nil, nil
	}
}

var errTimeout = &failure{codeInternal, "timeout", "the call took too long", "Call it again: what was parsed is kept."}

var errWorkspaceGone = &failure{codeInternal, "workspace_gone", "the folder of the workspace was removed or replaced", "Stop and tell the user: LLMem has to be started again in the folder."}

func because(e envelope) string {
	if e.Error == "" {
		return ""
	}
	return fmt.Sprintf(" code=%d reason=%s error=%q", e.Code, e.Reason, truncate.Bytes(e.Error, maxLogged))
}

func (s *server) call(ctx context.Context, c *call, schema *jsonschema.Schema, h handler) (envelope, error) {
	if len(c.args) == 0 || string(c.args) == "null" {
		c.args = json.RawMessage("{}")
	}
	var value any
	if err := json.Unmarshal(c.args, &value); err != nil {
		return envelope{}, invalid("The arguments are not JSON.")
	}
	if withoutNulls(value) {
		text, err := json.Marshal(value)
		if err != nil {
			return envelope{}, err
		}
		c.args = text
	}
	if err := arguments.Value(schema, "", value); err != nil {
		return envelope{}, invalid(err.Error())
	}
	s.using.RLock()
	defer s.using.RUnlock()
	var err error
	if c.engine, err = s.open(); err != nil {
		return envelope{}, err
	}
	if c.engine.ws.Gone() {
		return envelope{}, errWorkspaceGone
	}
	e, err := h(ctx, c)
	return e, c.withSuggestions(ctx, err)
}

// withoutNulls removes members that are null, and reports whether there were any. Some models send
// null for arguments that they leave out.
func withoutNulls(value any) (found bool) {
	members, _ := value.(map[string]any)
	for name, v := range members {
		if v == nil {
			delete(members, name)
			found = true
		} else if withoutNulls(v) {
			found = true
		}
	}
	return found
}

// directory returns the folder in an argument, or "." for an empty argument.
func (c *call) directory(given string) (string, error) {
	if given == "" {
		return ".", nil
	}
	clean, err := c.ws.Clean(given)
	if err != nil {
		return "", err
	}
	return c.ws.Folder(clean), nil
}

// decode decodes the arguments, which match the schema.
func (c *call) decode(into any) error {
	if err := json.Unmarshal(c.args, into); err != nil {
		return invalid("The arguments can't be read: " + err.Error())
	}
	return nil
}

// progress returns a function that reports progress if the client requested it.
func progress(ctx context.Context, req *mcp.CallToolRequest) func(string, int, int) {
	token := req.Params.GetProgressToken()
	if token == nil {
		return func(string, int, int) {}
	}
	return func(message string, done, total int) {
		// Progress is best effort.
		_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Message: message, Progress: float64(done), Total: float64(total)})
	}
}

const maxLogged = 500
