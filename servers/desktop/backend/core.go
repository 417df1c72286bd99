package backend

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"goated/internal/goroutines"
	"goated/servers/desktop/access"
	"goated/servers/desktop/atspi/privatebus"
	"goated/servers/desktop/fault"
	"goated/servers/desktop/guard"
	"goated/servers/desktop/journal"
	"goated/servers/desktop/live"
	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/notices"
	"goated/servers/desktop/observe"
	"goated/servers/desktop/operations"
	"goated/servers/desktop/paging"
	"goated/servers/desktop/portal"
	"goated/servers/desktop/resourcename"
	"goated/servers/desktop/session"
	"goated/servers/desktop/x11/clipboard"
	"goated/servers/desktop/x11/halt"
	"goated/servers/desktop/x11/hidden"
	"goated/servers/desktop/x11/input"
)

// displays holds the X11 display or the Wayland session. Exactly one of them is set.
type displays struct {
	x  *screen  // nil in a Wayland session
	wl *wayland // nil on X11
}

// haltControls are the sign and the keys with which the user halts.
type haltControls struct {
	sign  *halt.Sign    // may be nil
	key   *halt.Sign    // on the user's desktop while a hidden one is used; never shown; may be nil
	asked *portal.Watch // key that the backend requests from a Wayland session; may be nil

	notices *notices.Watch // which process shows notifications in an X11 session; nil if unknown
}

// A core holds the state that all services of a backend share.
type core struct {
	o         Options
	workplace *hidden.Desktop // nil on the user's desktop
	buses     *privatebus.Bus // buses of the hidden desktop; nil: the session's buses
	displays
	haltControls
	guard   *guard.Guard
	paces   guard.Paces
	journal *journal.Journal              // nil: no journal
	live    atomic.Pointer[live.Reporter] // nil: nobody watches

	tokens     *paging.Tokens
	operations *operations.Store
	sessions   *session.Store
	hub        *observe.Hub

	access *access.Access
	looks  goroutines.Group // goroutines that look at elements for the journal
}

// open connects to the display and prepares the guard.
func (c *core) open(ctx context.Context) error {
	userDisplay, userAuthority, userSession := c.display(), c.o.Authority, c.o.Session
	own := c.o.Own
	own.PIDs = append(append([]int{os.Getpid()}, own.PIDs...), guard.Ancestors(os.Getpid(), guard.DesktopShell)...)
	own.Classes = append(slices.Clone(own.Classes), halt.Class)
	if own.Program == "" {
		own.Program, _ = os.Executable()
	}
	if c.o.Hidden != nil {
		if err := c.openWorkplace(ctx); err != nil {
			return err
		}
	}
	g := guard.Options{Own: own, Shell: c.o.Shell, Focus: c.access.Focus, Terminals: c.access.Terminals, Secure: c.access.Fields}
	if c.workplace == nil && c.wayland() {
		c.wl = openWayland(ctx, c)
		g.Screen, g.Asks = c.wl, c.wl.asks
		c.guard = guard.New(g)
		c.askKey(userSession)
		return c.openJournal()
	}
	x, err := openScreen(ctx, c.o.Display, c.o.Authority, own.Window, c.secretAreas)
	if err != nil {
		return err
	}
	c.x = x
	g.Screen = x
	c.notices, _ = notices.Follow(ctx, c.o.Session) // without a session bus, goated shows no notifications
	g.Asks = c.notices.Shows
	own.Mask = uint64(x.desktop.Conn().Setup.ResourceIdMask)
	g.Own = own
	c.guard = guard.New(g)
	x.guard, x.forget = c.guard, c.access.Forget
	switch {
	case !c.o.Sign:
	case c.workplace != nil && c.session() == "wayland":
		c.askKey(userSession)
	default:
		if err := c.openSign(ctx, userDisplay, userAuthority); err != nil {
			return err
		}
	}
	return c.openJournal()
}

// openWorkplace starts the hidden desktop with its own session bus. On the user's bus, a
// single-instance program would show its window on the user's desktop.
func (c *core) openWorkplace(ctx context.Context) (err error) {
	if c.o.Workplace != nil {
		c.workplace, c.buses, err = c.o.Workplace(ctx)
	} else if c.workplace, err = hidden.Start(ctx, *c.o.Hidden); err == nil {
		c.buses, err = privatebus.Start(ctx, c.workplace.Environ(os.Environ()))
		if errors.Is(err, privatebus.ErrMissing) {
			err = nil
		}
	}
	if err != nil {
		return err
	}
	c.o.Display, c.o.Authority = c.workplace.Display, c.workplace.Authority()
	if c.buses != nil {
		c.o.Session = c.buses.Session
	}
	return nil
}

// openSign prepares the sign and grabs the key that halts. For a hidden desktop it grabs the key on
// the user's own desktop, if there is one. It shows no sign there, because the actions do not use
// the user's desktop.
func (c *core) openSign(ctx context.Context, display, authority string) (err error) {
	o := halt.Options{Display: display, Authority: authority, Halt: c.halt}
	if c.workplace == nil {
		c.sign, err = halt.New(ctx, o)
		return err
	}
	if display == "" {
		return nil
	}
	c.key, err = halt.New(ctx, o)
	if errors.Is(err, halt.ErrKey) {
		return err
	}
	return nil // the user's display does not open, so it has no keyboard that could halt
}

// askKey requests the key that halts from a Wayland session. Until the session grants it, the user
// halts in goated's window; see docs/desktop.md.
func (c *core) askKey(session string) {
	if c.o.Sign {
		c.asked = portal.Follow(portal.Options{Session: session}, c.halt, func(keys string) { c.live.Load().SetHaltKey(keys) })
	}
}

func (c *core) openJournal() (err error) {
	if c.o.Folder != "" {
		c.journal, err = journal.Open(filepath.Join(c.o.Folder, JournalFile), 0)
	}
	return err
}

// wayland reports whether the user's session is a Wayland session. Its X server (XWayland), if any,
// runs X programs only and does not show the windows of other programs. The session's type may be
// "tty" if the session was started on a console.
func (c *core) wayland() bool {
	return c.o.Display == "" && c.session() == "wayland"
}

// session returns the type of the user's session.
func (c *core) session() string {
	kind := c.o.Getenv("XDG_SESSION_TYPE")
	if kind != "x11" && c.o.Getenv("WAYLAND_DISPLAY") != "" {
		return "wayland"
	}
	return kind
}

// screen returns the display, or an error with the reason why there is none.
func (c *core) screen() (*screen, error) {
	if c.x == nil {
		return nil, errWayland
	}
	select {
	case <-c.x.desktop.Conn().Gone():
		return nil, status.Errorf(codes.Unavailable, "the display %s has ended; tell the user to restart the desktop server", c.display())
	default:
		return c.x, nil
	}
}

func (c *core) display() string {
	if c.o.Display != "" {
		return c.o.Display
	}
	return c.o.Getenv("DISPLAY")
}

// halt stops every action. It cancels their contexts and releases held keys and buttons. It also
// ends the observations and closes the dialogs that ask the user.
func (c *core) halt() {
	c.guard.Halt()
	c.hub.CancelAll()
	if c.x != nil {
		c.x.input.Release()
	}
	if c.wl != nil {
		c.wl.closeDialogs(guard.ErrHalted)
	}
	if c.sign != nil {
		c.sign.Hide()
	}
	c.live.Load().Halted(true)
}

// resume allows actions again.
func (c *core) resume() {
	c.guard.Resume()
	c.live.Load().Halted(false)
}

// haltKey returns the names of the keys that halt, or "" if there are none.
func (c *core) haltKey() string {
	if c.asked != nil {
		name, _ := c.asked.Key()
		return name
	}
	for _, s := range []*halt.Sign{c.sign, c.key} {
		if s != nil {
			return s.Key()
		}
	}
	return ""
}

func (c *core) close() {
	c.live.Load().Close()
	if c.guard != nil {
		c.guard.Halt()
	}
	if c.x != nil {
		c.x.abandon()
	}
	for _, s := range []*halt.Sign{c.sign, c.key} { // first, because operations may wait for them
		if s != nil {
			s.Close()
		}
	}
	c.operations.Close()
	c.hub.Close()
	if c.asked != nil {
		c.asked.Close()
	}
	c.notices.Close()
	c.access.Close()
	c.looks.Close()
	if c.wl != nil {
		c.wl.close()
	}
	if c.x != nil {
		c.x.close()
	}
	if c.buses != nil {
		c.buses.Close()
	}
	if c.workplace != nil {
		c.workplace.Close()
	}
	if c.journal != nil {
		_ = c.journal.Close()
	}
}

// An action describes a change of the desktop.
type action struct {
	method  string
	does    string // what it does, if the method has several kinds; otherwise empty
	request proto.Message
	target  string          // what it acts on, in words
	opened  *pb.Application // filled when an application has been opened; nil for other actions
	before  string
	secret  bool                        // the journal leaves out what it types
	undo    func(context.Context) error // nil if it cannot be undone
}

// act performs an action at a limited rate. The sign is visible during it, and the journal and the
// sessions record the action. do returns how the target looks afterwards, in words.
func (c *core) act(ctx context.Context, a action, do func(context.Context) (after string, err error)) error {
	if err := c.paces.Actions.Wait(ctx); err != nil {
		return fault.Status(err)
	}
	ctx, end, err := c.guard.Begin(ctx)
	if err != nil {
		return fault.Status(err)
	}
	defer end()
	c.access.Forget()
	if c.sign != nil {
		defer c.sign.Show()()
	}
	if c.key != nil {
		c.key.Watch()
	}
	var entry *journal.Action
	if c.journal != nil {
		request, err := protojson.Marshal(a.request)
		if err != nil {
			return status.Errorf(codes.Internal, "recording the action: %v", err)
		}
		if entry, err = c.journal.Begin(ctx, a.method, json.RawMessage(request), c.subject(a, request)); err != nil {
			return status.Errorf(codes.Internal, "the action did not run, because it could not be recorded: %v", err)
		}
	}
	if c.asked != nil {
		c.asked.Again()
	}
	ended := c.live.Load().Begin(cmp.Or(a.does, a.method), a.target)
	after, err := c.o.perform(ctx, entry, do)
	if cause := context.Cause(ctx); err != nil && errors.Is(cause, guard.ErrHalted) {
		err = guard.ErrHalted
	}
	if entry != nil {
		if fail := entry.End(after, err); fail != nil && err == nil {
			err = status.Errorf(codes.Internal, "the action ran, but its end could not be recorded: %v", fail)
		}
		c.o.ended(entry)
	}
	ended(err)
	undo := a.undo
	if err != nil {
		undo = nil
	}
	c.sessions.Record("", session.Operation{Type: a.method, Resource: a.target, Within: cmp.Or(a.opened.GetName(), resourcename.Of(a.request)), Err: err, Undo: undo})
	return fault.Status(err)
}

// environ returns the environment of programs on the desktop.
func (c *core) environ() []string {
	env := os.Environ()
	if c.workplace != nil {
		env = c.workplace.Environ(env)
		if c.buses != nil {
			env = c.buses.Environ(env)
		}
		return env
	}
	if c.o.Display != "" {
		env = slices.DeleteFunc(env, func(v string) bool { return strings.HasPrefix(v, "DISPLAY=") })
		env = append(env, "DISPLAY="+c.o.Display)
	}
	if c.o.Authority != "" {
		env = append(env, "XAUTHORITY="+c.o.Authority)
	}
	if c.o.Session != "" {
		env = append(env, "DBUS_SESSION_BUS_ADDRESS="+c.o.Session)
	}
	return env
}

// openInput opens a screen's input and clipboard.
func openInput(ctx context.Context, display, authority string, g input.Guard) (*input.Input, *clipboard.Clipboard, error) {
	in, err := input.New(ctx, input.Options{Display: display, Authority: authority, Guard: g})
	if err != nil {
		return nil, nil, fmt.Errorf("opening mouse and keyboard: %w", err)
	}
	board, err := clipboard.Open(ctx, clipboard.Options{Display: display, Authority: authority})
	if err != nil {
		in.Close()
		return nil, nil, err
	}
	return in, board, nil
}
