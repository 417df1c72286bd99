package opener

import (
	"context"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"goated/servers/desktop/apps"
	"goated/servers/desktop/atspi/privatebus"
	"goated/servers/desktop/live"
	"goated/servers/desktop/x11/hidden"
	"goated/servers/desktop/x11/screenshot"
)

// An X server creates its socket in a system-wide folder, and a session bus reads the system's
// configuration. A sandbox forbids both, so the host starts them, and the sandboxed server only
// connects to them.

// A workplace is a running hidden desktop.
type workplace struct {
	desktop  *hidden.Desktop
	buses    *privatebus.Bus // nil if the system has none
	programs apps.Programs   // running on the hidden desktop
	gone     chan struct{}   // closed after the desktop has ended
	unseen   func()          // removes the desktop from the window
}

type hiddenResult struct {
	Display       string `json:"display"`
	Cookie        []byte `json:"cookie"`
	Session       string `json:"session,omitempty"`
	Accessibility string `json:"accessibility,omitempty"`
}

// hidden starts the hidden desktop unless it is running. The desktop ends with ctx, which is the
// server's connection.
func (h *Host) hidden(ctx context.Context) (any, error) {
	if !h.o.Hidden {
		return nil, &jsonrpc.Error{Code: codeRefused, Message: "refused: the user did not turn on the hidden desktop"}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.workplace == nil {
		w, err := startWorkplace(ctx, h.environ())
		if errors.Is(err, hidden.ErrMissing) {
			return nil, &jsonrpc.Error{Code: codeMissing, Message: err.Error()}
		}
		if err != nil {
			return nil, err
		}
		w.unseen = h.show(w.desktop)
		h.workplace = w
		context.AfterFunc(ctx, func() { h.end(w) })
	}
	r := hiddenResult{Display: h.workplace.desktop.Display, Cookie: h.workplace.desktop.Cookie()}
	if b := h.workplace.buses; b != nil {
		r.Session, r.Accessibility = b.Session, b.Accessibility
	}
	return r, nil
}

func startWorkplace(ctx context.Context, environ []string) (*workplace, error) {
	d, err := hidden.Start(ctx, hidden.Options{})
	if err != nil {
		return nil, err
	}
	b, err := privatebus.Start(ctx, d.Environ(environ))
	if err != nil && !errors.Is(err, privatebus.ErrMissing) {
		d.Close()
		return nil, err
	}
	return &workplace{desktop: d, buses: b, gone: make(chan struct{})}, nil
}

// show lets the user see a hidden desktop. No other part of goated opens that display.
func (h *Host) show(d *hidden.Desktop) (unseen func()) {
	if h.o.Live == nil {
		return func() {}
	}
	return h.o.Live.Mirror(func(ctx context.Context) (live.Mirror, error) {
		return screenshot.NewMirror(ctx, d.Display, d.Authority())
	})
}

// end ends a hidden desktop and its programs.
func (h *Host) end(w *workplace) {
	h.mu.Lock()
	if h.workplace == w {
		h.workplace = nil
	}
	h.mu.Unlock()
	w.unseen()
	w.programs.Close()
	if w.buses != nil {
		w.buses.Close()
	}
	w.desktop.Close()
	close(w.gone)
}

// waitHidden waits until the hidden desktop has ended. The connection waits for this request, so nothing
// of the desktop is left when the connection has closed.
func (h *Host) waitHidden(ctx context.Context) (any, error) {
	h.mu.Lock()
	w := h.workplace
	h.mu.Unlock()
	if w != nil {
		<-ctx.Done()
		<-w.gone
	}
	return struct{}{}, nil
}

// start starts an application. If the user chose the hidden desktop, it starts the application
// there and never on the user's own desktop.
func (h *Host) start(args []string, dir string) (*apps.Process, error) {
	env := h.environ()
	if !h.o.Hidden {
		return apps.Start(args, env, dir)
	}
	h.mu.Lock()
	w := h.workplace
	h.mu.Unlock()
	if w == nil {
		return nil, errors.New("the hidden desktop does not run")
	}
	return w.programs.Start(args, w.environ(env), dir)
}

// environ returns the environment of programs on the hidden desktop.
func (w *workplace) environ(env []string) []string {
	env = w.desktop.Environ(env)
	if w.buses != nil {
		env = w.buses.Environ(env)
	}
	return env
}

// AskHidden returns a function that asks the host to start a hidden desktop. The desktop ends with
// the connection. The function's ctx limits only the start.
func AskHidden(host Asker) func(context.Context) (*hidden.Desktop, *privatebus.Bus, error) {
	return func(ctx context.Context) (*hidden.Desktop, *privatebus.Bus, error) {
		var r hiddenResult
		if err := host.Call(ctx, methodHidden, struct{}{}, &r); err != nil {
			var e *jsonrpc.Error
			if errors.As(err, &e) && e.Code == codeMissing {
				return nil, nil, hidden.ErrMissing
			}
			return nil, nil, explain(err)
		}
		go func() { // ends with the connection, like the desktop
			_ = host.Call(context.WithoutCancel(ctx), methodStay, struct{}{}, new(struct{}))
		}()
		d, err := hidden.Attach(r.Display, r.Cookie)
		if err != nil || r.Session == "" {
			return d, nil, err
		}
		return d, privatebus.Attach(r.Session, r.Accessibility), nil
	}
}
