// Package opener starts applications and runs shell commands for a desktop server that runs in
// goated's sandbox. A child process of the server would stay in the sandbox, without a display, a
// network and the user's files. So the server asks its host, over [goated/internal/hostcall]. The
// host starts the application as the user's own program, which keeps running when goated exits. On
// the hidden desktop, the application ends with the desktop.
//
// The host, not the server, decides whether the name is an application. The package owns the
// programs that the host started until their windows appear. It must not know about windows.
package opener

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"goated/servers/desktop/apps"
	"goated/servers/desktop/guard"
	"goated/servers/desktop/live"
	"goated/servers/desktop/openable"
)

// The requests of the server. PIDs are strings, because the host does not pass on numbers
// unchanged.
const (
	methodOpen  = "dev.goated/desktop/open"  // starts an application
	methodEnd   = "dev.goated/desktop/end"   // waits until it ends
	methodBelow = "dev.goated/desktop/below" // asks whether it started another process
	methodLeave = "dev.goated/desktop/leave" // stops watching; the application keeps running

	methodPicture = "dev.goated/desktop/picture" // asks the user for a picture of the screen

	methodRun    = "dev.goated/desktop/run"         // runs a shell command
	methodStop   = "dev.goated/always/desktop/stop" // stops a shell command; allowed even if no call is running
	methodFolder = "dev.goated/desktop/folder"      // creates a folder

	methodHidden = "dev.goated/desktop/hidden" // starts the hidden desktop
	methodStay   = "dev.goated/desktop/stay"   // waits until it ends
)

// The error codes of the host.
const (
	codeUnknown = -32002 // no application and no program has this name
	codeRefused = -32003 // only the user decides about it
	codeMissing = -32004 // the system lacks a required program
)

type (
	openParams struct {
		Name string `json:"name"`
	}
	openResult struct {
		PID     int    `json:"pid"`
		ID      string `json:"id"`
		Name    string `json:"name"`
		Class   string `json:"class"`
		Program string `json:"program"`
	}
	processParams struct {
		PID   string `json:"pid"`             // of an application that the host started
		Other string `json:"other,omitempty"` // of any process
	}
	endResult struct {
		How string `json:"how"`
	}
	belowResult struct {
		Below bool `json:"below"`
	}
)

// longest is how long the host watches a program. It is longer than the server waits for a window.
const longest = 40 * time.Second

// A Host starts applications. Create one with [New] for each server. It is safe for concurrent use.
type Host struct {
	o       Options
	getenv  func(string) string
	environ func() []string

	mu        sync.Mutex
	started   map[int]*watched  // by PID
	running   map[string]func() // functions that end a shell command, by request ID
	workplace *workplace        // nil if it is not running
}

// Options contains the user's switches for the server.
type Options struct {
	Scripts bool // also allow shell commands, and programs that are not applications, such as terminals and scripts
	Hidden  bool // the server works only on a hidden desktop

	Live *live.View // shows the hidden desktop to the user; may be nil
}

// watched is a program for whose end the server waits.
type watched struct {
	*apps.Process
	left  chan struct{} // closed when the server stops waiting
	leave func()        // closes left
}

// New returns a host.
func New(o Options) *Host {
	return &Host{o: o, getenv: os.Getenv, environ: environ, started: make(map[int]*watched), running: make(map[string]func())}
}

// Answer answers a request of the server. It is a [goated/internal/hostcall.Handler].
func (h *Host) Answer(ctx context.Context, method string, params json.RawMessage) (any, error) {
	switch method {
	case methodOpen:
		var p openParams
		if err := json.Unmarshal(params, &p); err != nil {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: err.Error()}
		}
		return h.open(p.Name)
	case methodRun, methodStop, methodFolder:
		return h.asUser(ctx, method, params)
	case methodPicture:
		return h.picture(ctx)
	case methodHidden:
		return h.hidden(ctx)
	case methodStay:
		return h.waitHidden(ctx)
	case methodEnd, methodBelow, methodLeave:
		var p processParams
		if err := json.Unmarshal(params, &p); err != nil {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: err.Error()}
		}
		pid, _ := strconv.Atoi(p.PID)
		h.mu.Lock()
		process := h.started[pid]
		h.mu.Unlock()
		if process == nil {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("goated did not start the process %q, or no longer watches it", p.PID)}
		}
		switch method {
		case methodEnd:
			return h.ended(ctx, process)
		case methodLeave:
			process.leave()
			return struct{}{}, nil
		}
		other, _ := strconv.Atoi(p.Other)
		return belowResult{other > 1 && process.Started(other)}, nil
	}
	return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "there is no request " + method}
}

// open starts an application.
func (h *Host) open(name string) (any, error) {
	entry, err := openable.Find(h.getenv, h.o.Scripts, name)
	var refusal *guard.Refusal
	switch {
	case errors.Is(err, apps.ErrUnknown):
		return nil, &jsonrpc.Error{Code: codeUnknown, Message: fmt.Sprintf("no application is called %q, and no program has this name", name)}
	case errors.As(err, &refusal):
		return nil, &jsonrpc.Error{Code: codeRefused, Message: err.Error()}
	case err != nil:
		return nil, err
	}
	p, err := h.start(apps.DesktopArgs(entry.Args), entry.Dir)
	if err != nil {
		return nil, err
	}
	left := make(chan struct{})
	h.mu.Lock()
	h.started[p.PID] = &watched{p, left, sync.OnceFunc(func() { close(left) })}
	h.mu.Unlock()
	return openResult{PID: p.PID, ID: entry.ID, Name: entry.Name, Class: entry.Class, Program: entry.Args[0]}, nil
}

// ended waits until a program ends, and removes it from the host.
func (h *Host) ended(ctx context.Context, p *watched) (any, error) {
	defer func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.started[p.PID] == p {
			delete(h.started, p.PID)
		}
	}()
	limit := time.NewTimer(longest)
	defer limit.Stop()
	select {
	case <-p.Done:
		return endResult{p.End()}, nil
	case <-limit.C:
	case <-p.left:
	case <-ctx.Done():
	}
	p.Forget()
	return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "it still runs"}
}

// environ returns the user's environment for an application. It is goated's environment without the
// API keys of its models and the scale of its window.
func environ() []string {
	return slices.DeleteFunc(os.Environ(), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return slices.Contains([]string{"GEMINI_API_KEY", "GOOGLE_API_KEY", "OPENAI_API_KEY", "FYNE_SCALE"}, name)
	})
}
