package opener

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"goated/servers/desktop/command"
)

// A shell command runs as the user's own command, like a program in a terminal. In the server's
// sandbox it could read none of the user's files. The user allows each command and sees it.

// longestRun is the maximum timeout of a command.
const longestRun = 10 * time.Minute

type runParams struct {
	ID     string   `json:"id"` // chosen by the server; used to stop the command
	Args   []string `json:"args"`
	Folder string   `json:"folder,omitempty"`
	Env    []string `json:"env,omitempty"` // additional variables
	Stdin  string   `json:"stdin,omitempty"`
	Limit  string   `json:"limit"` // a Go duration
}

type folderParams struct {
	Path string `json:"path"`
}

// asUser answers the server's requests to do something as the user.
func (h *Host) asUser(ctx context.Context, method string, params json.RawMessage) (any, error) {
	var p runParams
	var f folderParams
	if err := errors.Join(json.Unmarshal(params, &p), json.Unmarshal(params, &f)); err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: err.Error()}
	}
	switch method {
	case methodStop:
		h.mu.Lock()
		defer h.mu.Unlock()
		if stop := h.running[p.ID]; stop != nil {
			stop()
		}
		return struct{}{}, nil
	case methodFolder:
		if !filepath.IsAbs(f.Path) {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the path of the folder is not absolute"}
		}
		return struct{}{}, os.MkdirAll(f.Path, 0o755)
	}
	return h.run(ctx, p)
}

// run runs a command until it ends. The command also ends with ctx, which is the server's
// connection.
func (h *Host) run(ctx context.Context, p runParams) (any, error) {
	limit, err := time.ParseDuration(p.Limit)
	switch {
	case !h.o.Scripts:
		return nil, &jsonrpc.Error{Code: codeRefused, Message: "refused: the user did not turn on shell commands"}
	case err != nil || limit <= 0 || limit > longestRun || len(p.Args) == 0 || p.ID == "":
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "this is no command"}
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	h.mu.Lock()
	h.running[p.ID] = stop
	w := h.workplace
	h.mu.Unlock()
	defer func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.running, p.ID)
	}()
	env := h.environ()
	switch {
	case w != nil:
		env = w.environ(env)
	case h.o.Hidden: // the command must not reach the user's desktop
		env = slices.DeleteFunc(env, func(kv string) bool {
			return strings.HasPrefix(kv, "DISPLAY=") || strings.HasPrefix(kv, "WAYLAND_DISPLAY=")
		})
	}
	return command.Run(ctx, command.Command{Args: p.Args, Folder: p.Folder, Env: append(env, p.Env...), Stdin: p.Stdin}, limit), nil
}

// AskCommand returns a function that runs commands by asking the host. The host adds the command's
// variables to its own. The command ends when ctx ends.
func AskCommand(host Asker) func(context.Context, command.Command, time.Duration) (command.Result, error) {
	return func(ctx context.Context, c command.Command, limit time.Duration) (command.Result, error) {
		id := strconv.FormatInt(time.Now().UnixNano(), 36)
		var r command.Result
		err := host.Call(ctx, methodRun, runParams{ID: id, Args: c.Args, Folder: c.Folder, Env: c.Env, Stdin: c.Stdin, Limit: limit.String()}, &r)
		if ctx.Err() != nil && (err != nil || r.Code < 0) { // otherwise it ended by itself at that moment
			soon, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaving)
			defer cancel()
			_ = host.Call(soon, methodStop, runParams{ID: id}, new(struct{})) // at the latest, it ends with the connection
			return r, context.Cause(ctx)
		}
		if err != nil {
			return r, explain(err)
		}
		return r, nil
	}
}

// AskFolder returns a function that creates folders by asking the host.
func AskFolder(host Asker) func(context.Context, string) error {
	return func(ctx context.Context, path string) error {
		if err := host.Call(ctx, methodFolder, folderParams{path}, new(struct{})); err != nil {
			return explain(err)
		}
		return nil
	}
}
