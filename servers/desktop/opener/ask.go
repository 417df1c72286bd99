package opener

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"goated/servers/desktop/apps"
	"goated/servers/desktop/guard"
)

// An Asker sends a request to the host and waits for the response.
type Asker interface {
	Call(ctx context.Context, method string, params, result any) error
}

// leaving is how long the host may take to confirm that it no longer watches a program.
const leaving = time.Second

// Ask returns a function that starts applications by asking the host. If the host refuses, the
// error is a [guard.Refusal]. If it does not find the name, the error is [apps.ErrUnknown].
func Ask(host Asker) func(context.Context, string) (*apps.Process, apps.Entry, error) {
	return func(ctx context.Context, name string) (*apps.Process, apps.Entry, error) {
		var r openResult
		if err := host.Call(ctx, methodOpen, openParams{name}, &r); err != nil {
			return nil, apps.Entry{}, explain(err)
		}
		pid := strconv.Itoa(r.PID)
		ended := func(ctx context.Context) string {
			var end endResult
			err := host.Call(ctx, methodEnd, processParams{PID: pid}, &end)
			if ctx.Err() != nil {
				soon, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaving)
				defer cancel()
				_ = host.Call(soon, methodLeave, processParams{PID: pid}, &end) // the host stops watching later in any case
				return ""
			}
			if err != nil {
				return err.Error()
			}
			return end.How
		}
		below := func(other int) bool {
			var b belowResult
			err := host.Call(ctx, methodBelow, processParams{PID: pid, Other: strconv.Itoa(other)}, &b)
			return err == nil && b.Below
		}
		return apps.FromPID(r.PID, ended, below), apps.Entry{ID: r.ID, Name: r.Name, Class: r.Class, Args: []string{r.Program}}, nil
	}
}

// explain converts an error response of the host to a Go error.
func explain(err error) error {
	var e *jsonrpc.Error
	if !errors.As(err, &e) {
		return err
	}
	switch e.Code {
	case codeUnknown:
		return apps.ErrUnknown
	case codeRefused:
		return &guard.Refusal{Why: e.Message}
	}
	return fmt.Errorf("goated did not start it: %s", e.Message)
}
