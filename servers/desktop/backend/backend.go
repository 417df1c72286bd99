// Package backend drives a Linux desktop for the desktop server: it implements the protocol
// of package macosusesdk with X11 (windows, input, screenshots, clipboard), AT-SPI (elements),
// desktop files and processes (applications). In a Wayland session AT-SPI and the portals do
// what they can, and the rest says why it does not.
//
// Each action passes the guard, which keeps it away from goated itself and from passwords,
// and ends when the user halts. The package owns the connections to the display and to the
// accessibility bus, and a hidden desktop if it starts one. It must not know of MCP.
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

// Options configure a backend. With the zero value it drives the display of the environment,
// without scripting and without a sign.
type Options struct {
	Display   string // like ":0"; empty: $DISPLAY
	Authority string // the authority file of the display; empty: the one in the environment

	// Hidden starts a second desktop and works there, so that the user keeps the mouse.
	// Display is not used then. nil: it works on the user's desktop.
	Hidden *hidden.Options

	// Workplace starts the hidden desktop in place of the backend, whose own children
	// could not listen at a display. The buses are nil where the system has none. Then
	// Start starts the applications, there. nil: the backend starts all that.
	Workplace func(context.Context) (*hidden.Desktop, *privatebus.Bus, error)

	// Sign shows on the desktop that goated acts, and lets Ctrl+Alt+Escape halt it. A Wayland
	// session shows no sign, and is asked for the key.
	Sign bool

	// Shell allows shell commands, and keys in terminals: the user's second switch.
	Shell bool

	// Own are the windows and processes of goated, which stay out of reach. This process
	// and those that started it are among them in any case.
	Own guard.Own

	// Session is the address of the session bus; empty: the one in the environment.
	Session string

	// Enable asks the user whether accessibility may be turned on for the session. nil:
	// elements are unavailable while it is off. On a hidden desktop it is not asked.
	Enable func(context.Context) (bool, error)

	Record
	AsUser

	// Rates are how much happens in a second.
	Rates guard.Rates

	// Live shows the user what the backend does, and halts it for them. nil: no user can.
	Live live.Caller

	// Getenv reads the environment; nil: os.Getenv.
	Getenv func(string) string
}

// JournalFile is the name of the record of all actions.
const JournalFile = "journal.jsonl"

// A Backend is a desktop. Its methods are safe for concurrent use.
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

// unimplemented answers the methods that no part has; it is one level deeper than they are.
type unimplemented struct{ pb.UnimplementedMacosUseServer }

var _ pb.Backend = (*Backend)(nil)

// New opens a desktop. Close it.
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
	b.macroService.world = &world{b: b}
	b.scriptService = &scriptService{c}
	b.fileDialogService = &fileDialogService{c, b.inputService, b.elementService}
	if o.Live != nil {
		c.live.Store(live.NewReporter(o.Live, c.haltKey(), c.halt, c.resume))
		c.live.Load().Keyed(c.haltKey()) // it may have come meanwhile
		if b.Halted() {                  // by the key, before the report began
			c.halt()
		}
	}
	return b, nil
}

// Admit waits until a call of the service may begin, or refuses it. After Halt it refuses also
// those that only look, and admits those that end or forget something.
func (b *Backend) Admit(ctx context.Context, method string) error {
	if err := b.core.guard.Running(); err != nil && !strings.HasPrefix(method, "Cancel") && !strings.HasPrefix(method, "Delete") {
		return fault.Status(err)
	}
	return fault.Status(b.core.paces.Admit(ctx, method))
}

// Operations serves the long-running operations of the backend.
func (b *Backend) Operations() longrunningpb.OperationsServer { return b.core.operations }

// Halt stops every action within 100 ms, and refuses others until Resume.
func (b *Backend) Halt() { b.core.halt() }

// Resume allows actions again. Only the user does so.
func (b *Backend) Resume() { b.core.resume() }

// Halted reports whether Halt was called and Resume was not.
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

// Close ends everything that the backend started, except applications on the user's desktop.
func (b *Backend) Close() error {
	b.once.Do(func() {
		b.core.guard.Halt()
		b.started.Close()
		b.core.close()
	})
	return nil
}
