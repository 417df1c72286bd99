// Package backend drives a Linux desktop for the desktop server. It implements the protocol of
// package macosusesdk with X11 (windows, input, screenshots, clipboard), AT-SPI (elements), and
// desktop files and processes (applications). In a Wayland session, AT-SPI and the portals do what
// they can. The other methods return an error with the reason.
//
// Each action passes the guard, which keeps it away from goated itself and from passwords. Each
// action ends when the user halts. The package owns the connections to the display and to the
// accessibility bus, and the hidden desktop if it starts one. It must not know about MCP.
package backend

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"

	"cloud.google.com/go/longrunning/autogen/longrunningpb"

	"goated/servers/desktop/access"
	"goated/servers/desktop/atspi/privatebus"
	"goated/servers/desktop/fault"
	"goated/servers/desktop/guard"
	"goated/servers/desktop/live"
	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/observe"
	"goated/servers/desktop/operations"
	"goated/servers/desktop/paging"
	"goated/servers/desktop/session"
	"goated/servers/desktop/x11/hidden"
)

// Options configures a backend. With the zero value, the backend drives the display in the
// environment, without scripting and without a sign.
type Options struct {
	Display   string // such as ":0"; empty: $DISPLAY
	Authority string // path of the display's authority file; empty: the one in the environment

	// Hidden starts a second desktop and works there, so that the user keeps the mouse. The backend
	// then ignores Display. If Hidden is nil, the backend works on the user's desktop.
	Hidden *hidden.Options

	// Workplace starts the hidden desktop for a backend whose own child processes cannot listen on
	// a display. It returns nil buses if the system has none. Start then starts applications on
	// that desktop. If Workplace is nil, the backend starts the desktop itself.
	Workplace func(context.Context) (*hidden.Desktop, *privatebus.Bus, error)

	// Sign shows on the desktop that goated is acting, and lets Ctrl+Alt+Escape halt it. A Wayland
	// session shows no sign. There the backend requests the key from the session.
	Sign bool

	// Shell allows shell commands and keys in terminals. It is the user's second switch.
	Shell bool

	// Own contains the windows and processes of goated, which no action may reach. This process and
	// its ancestors always count as goated's.
	Own guard.Own

	// Session is the address of the session bus; if empty, the one in the environment.
	Session string

	// Enable asks the user whether accessibility may be turned on for the session. If nil, elements
	// are unavailable while it is off. On a hidden desktop it is turned on without asking.
	Enable func(context.Context) (bool, error)

	Record
	AsUser

	// Rates limits how much may happen per second.
	Rates guard.Rates

	// Live shows the user what the backend does and lets them halt it. If it is nil, nobody can.
	Live live.Caller

	// Getenv reads environment variables; os.Getenv if nil.
	Getenv func(string) string
}

// JournalFile is the file name of the record of all actions.
const JournalFile = "journal.jsonl"

// A Backend operates a desktop. Its methods are safe for concurrent use.
type Backend struct {
	unimplemented
	*applicationService
	*windowService
	*elementService
	*waitService
	*inputService
	*screenshotService
	*clipboardService
	*observationService
	*sessionService
	*macroService
	*scriptService
	*fileDialogService
	core *core
	once sync.Once
}

// unimplemented answers methods that no service has. It is embedded deeper, so that theirs win.
type unimplemented struct{ pb.UnimplementedMacosUseServer }

var _ pb.Backend = (*Backend)(nil)

// New opens a desktop. The caller must close it.
func New(ctx context.Context, o Options) (*Backend, error) {
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
	c := &core{o: o, tokens: paging.NewTokens(), operations: operations.New(), sessions: session.New(nil), hub: observe.NewHub(nil),
		paces: o.Rates.Paces()}
	c.access = access.New(c.connect)
	if err := c.open(ctx); err != nil {
		c.close()
		return nil, err
	}
	b := &Backend{core: c}
	b.applicationService = &applicationService{c: c, hidden: make(map[int]bool)}
	b.windowService = &windowService{c}
	b.elementService = &elementService{c}
	b.inputService = &inputService{c: c}
	b.waitService = &waitService{c, b.elementService}
	b.screenshotService = &screenshotService{c, b.elementService}
	b.clipboardService = &clipboardService{c}
	b.observationService = &observationService{c, b.elementService}
	b.sessionService = &sessionService{c}
	b.macroService = &macroService{c: c}
	b.macroService.world = &macroWorld{b: b}
	b.scriptService = &scriptService{c}
	b.fileDialogService = &fileDialogService{c, b.inputService, b.elementService}
	if o.Live != nil {
		c.live.Store(live.NewReporter(o.Live, c.haltKey(), c.halt, c.resume))
		c.live.Load().SetHaltKey(c.haltKey()) // the key may have been granted in the meantime
		if b.Halted() {                       // by the key, before the reporter started
			c.halt()
		}
	}
	return b, nil
}

// Admit waits until a method may start, or refuses it. After Halt it also refuses methods that only
// look, but it still admits those that end or delete something.
func (b *Backend) Admit(ctx context.Context, method string) error {
	if err := b.core.guard.Running(); err != nil && !strings.HasPrefix(method, "Cancel") && !strings.HasPrefix(method, "Delete") {
		return fault.Status(err)
	}
	return fault.Status(b.core.paces.Admit(ctx, method))
}

// Operations returns the service of the backend's long-running operations.
func (b *Backend) Operations() longrunningpb.OperationsServer { return b.core.operations }

// Halt stops every action within 100 ms and refuses new ones until Resume.
func (b *Backend) Halt() { b.core.halt() }

// Resume allows actions again. Only the user may call it.
func (b *Backend) Resume() { b.core.resume() }

// Halted reports whether the backend is halted.
func (b *Backend) Halted() bool { return errors.Is(b.core.guard.Running(), guard.ErrHalted) }

// Workplace describes the desktop for the user: "the display :0" or "a hidden desktop".
func (b *Backend) Workplace() string {
	if d := b.core.workplace; d != nil {
		return fmt.Sprintf("the hidden desktop %s", d.Display)
	}
	if b.core.x == nil {
		return "a Wayland session"
	}
	return "the display " + b.core.display()
}

// Close ends everything that the backend started, except the applications on the user's desktop.
func (b *Backend) Close() error {
	b.once.Do(func() {
		b.core.guard.Halt()
		b.started.Close()
		b.core.close()
	})
	return nil
}
