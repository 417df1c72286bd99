// Package hidden starts a second desktop that no screen shows. It runs Xvfb with a small window
// manager, if one is installed. Programs on this desktop cannot disturb the user's mouse, keyboard and
// windows.
//
// The package owns the processes that it starts. It must not depend on windows or input.
package hidden

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/jezek/xgb/xproto"

	"goated/servers/desktop/daemon"
	"goated/servers/desktop/x11/wire"
)

// ErrMissing means that Xvfb is not installed.
var ErrMissing = errors.New("a hidden desktop needs Xvfb: install the package xvfb (Debian, Ubuntu), xorg-x11-server-Xvfb (Fedora) or xorg-server-xvfb (Arch)")

// startTimeout is how long Xvfb and the window manager may take to start.
const startTimeout = 10 * time.Second

// managers are window managers that need no configuration, in order of preference.
var managers = [...][]string{
	{"openbox", "--sm-disable"},
	{"matchbox-window-manager"},
	{"metacity", "--sm-disable"},
	{"xfwm4", "--sm-client-disable"},
	{"fluxbox"}, {"icewm"}, {"jwm"}, {"twm"},
}

// Options configure a [Desktop].
type Options struct {
	Width, Height int  // in pixels; 0 means 1280 × 800
	Bare          bool // without a window manager
}

// A Desktop is a running hidden desktop.
type Desktop struct {
	Display string // like ":7"
	Manager string // the window manager; "" if there is none

	folder    string // contains the authority file
	authority string
	cookie    []byte
	processes []*daemon.Process // the X server is first
}

// Start starts a hidden desktop. Only programs that can read its authority file can connect to it.
func Start(ctx context.Context, o Options) (*Desktop, error) {
	server, err := exec.LookPath("Xvfb")
	if err != nil {
		return nil, ErrMissing
	}
	if o.Width == 0 || o.Height == 0 {
		o.Width, o.Height = 1280, 800
	}
	if o.Width < 64 || o.Height < 64 || o.Width > 8192 || o.Height > 8192 {
		return nil, fmt.Errorf("a hidden desktop of %d × %d pixels: each side is between 64 and 8192", o.Width, o.Height)
	}
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	d := &Desktop{cookie: newCookie()}
	if err := d.writeAuthority(); err != nil {
		return nil, err
	}
	if err := d.startServer(ctx, server, o); err != nil {
		d.Close()
		return nil, err
	}
	if !o.Bare {
		if err := d.startManager(ctx); err != nil {
			d.Close()
			return nil, err
		}
	}
	return d, nil
}

// Attach returns a hidden desktop that another process started and will end. Close removes only the
// files of this process. display has the form ":7", and cookie comes from [Desktop.Cookie].
func Attach(display string, cookie []byte) (*Desktop, error) {
	if number, ok := strings.CutPrefix(display, ":"); !ok || strings.Trim(number, "0123456789") != "" || number == "" || len(cookie) != cookieSize {
		return nil, fmt.Errorf("%q with %d bytes of a cookie is not a hidden desktop", display, len(cookie))
	}
	d := &Desktop{Display: display, cookie: cookie}
	if err := d.writeAuthority(); err != nil {
		return nil, err
	}
	return d, nil
}

// writeAuthority creates the folder and the authority file of the desktop.
func (d *Desktop) writeAuthority() (err error) {
	if d.folder, err = os.MkdirTemp("", "goated-desktop-"); err != nil {
		return err
	}
	d.authority = filepath.Join(d.folder, "authority")
	if err := writeAuthority(d.authority, d.cookie); err != nil {
		d.Close()
		return err
	}
	return nil
}

// Cookie returns the secret that grants access to the display.
func (d *Desktop) Cookie() []byte { return d.cookie }

// Environ returns the environment for programs on the hidden desktop: env with its display, and without
// the variables of other displays.
func (d *Desktop) Environ(env []string) []string {
	env = slices.DeleteFunc(slices.Clone(env), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains([]string{"DISPLAY", "XAUTHORITY", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE"}, name)
	})
	return append(env, "DISPLAY="+d.Display, "XAUTHORITY="+d.authority, "XDG_SESSION_TYPE=x11", "GDK_BACKEND=x11", "QT_QPA_PLATFORM=xcb")
}

func (d *Desktop) startServer(ctx context.Context, path string, o Options) error {
	read, write, err := os.Pipe()
	if err != nil {
		return err
	}
	defer func() { _ = read.Close() }()
	cmd := exec.Command(path, "-displayfd", "3", "-screen", "0", fmt.Sprintf("%dx%dx24", o.Width, o.Height),
		"-nolisten", "tcp", "-auth", d.authority, "-noreset", "+extension", "Composite")
	cmd.ExtraFiles = []*os.File{write}
	err = d.run(cmd)
	_ = write.Close()
	if err != nil {
		return fmt.Errorf("starting Xvfb: %w", err)
	}
	stop := context.AfterFunc(ctx, func() { _ = read.Close() })
	number, err := bufio.NewReader(read).ReadString('\n')
	if !stop() || err != nil {
		return errors.Join(errors.New("the display server Xvfb did not start: it chose no display"), context.Cause(ctx))
	}
	d.Display = ":" + strings.TrimSpace(number)
	return nil
}

// startManager starts the first window manager that is installed, and waits until it manages windows.
func (d *Desktop) startManager(ctx context.Context) error {
	for _, m := range managers {
		path, err := exec.LookPath(m[0])
		if err != nil {
			continue
		}
		c, err := d.Dial(ctx, nil)
		if err != nil {
			return err
		}
		defer c.Close()
		cmd := exec.Command(path, m[1:]...)
		cmd.Env = d.Environ(os.Environ())
		if err := d.run(cmd); err != nil {
			return fmt.Errorf("starting %s: %w", m[0], err)
		}
		d.Manager = m[0]
		return d.managed(ctx, c)
	}
	return nil
}

// managed waits until the window manager manages a test window, which is the last step of its start. A
// window manager without EWMH gives no sign, so managed waits one second for it.
func (d *Desktop) managed(ctx context.Context, c *wire.Conn) error {
	probe, err := xproto.NewWindowId(c.X)
	if err != nil {
		return wire.Gone(err)
	}
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	enough := time.NewTimer(time.Second)
	defer enough.Stop()
	manager := d.processes[len(d.processes)-1]
	shown := false
	for {
		if id, ok := c.Ask(c.Root, "_NET_SUPPORTING_WM_CHECK").Cardinal(); ok && id != 0 && !shown {
			xproto.CreateWindow(c.X, 0, probe, c.Root, 0, 0, 8, 8, 0, xproto.WindowClassInputOutput, 0, 0, nil)
			xproto.MapWindow(c.X, probe)
			defer xproto.DestroyWindow(c.X, probe)
			shown = true
		}
		if shown && slices.Contains(c.Ask(c.Root, "_NET_CLIENT_LIST").Cardinals(), uint32(probe)) {
			return nil
		}
		// Openbox may sleep before it handles an event that it has already read. Another event wakes it.
		xproto.DeleteProperty(c.X, c.Root, c.Atom("_GOATED_START"))
		xproto.ChangeProperty(c.X, xproto.PropModeReplace, c.Root, c.Atom("_GOATED_START"), xproto.AtomCardinal, 32, 0, nil)
		select {
		case <-tick.C:
		case <-enough.C:
			return nil
		case <-manager.Done:
			return fmt.Errorf("the window manager %s ended at its start", d.Manager)
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// Dial connects to the hidden desktop. handle may be nil.
func (d *Desktop) Dial(ctx context.Context, handle func(wire.Event)) (*wire.Conn, error) {
	return wire.Dial(ctx, wire.Options{Display: d.Display, Authority: d.authority, Handle: handle})
}

// Authority returns the path of the display's authority file.
func (d *Desktop) Authority() string { return d.authority }

// Size returns the size of the screen in pixels.
func (d *Desktop) Size(ctx context.Context) (width, height int, err error) {
	c, err := d.Dial(ctx, nil)
	if err != nil {
		return 0, 0, err
	}
	defer c.Close()
	g, err := xproto.GetGeometry(c.X, xproto.Drawable(c.Root)).Reply()
	if err != nil {
		return 0, 0, wire.Gone(err)
	}
	return int(g.Width), int(g.Height), nil
}

// run starts a process that Close ends.
func (d *Desktop) run(cmd *exec.Cmd) error {
	detach(cmd)
	p, err := daemon.Start(cmd)
	if err != nil {
		return err
	}
	d.processes = append(d.processes, p)
	return nil
}

// grace is how long a process may take to end after it was asked to.
const grace = 500 * time.Millisecond

// Close ends the desktop and removes its files. Programs on the desktop lose their display.
func (d *Desktop) Close() {
	for _, p := range slices.Backward(d.processes) {
		_ = p.Process.Signal(os.Interrupt)
		select {
		case <-p.Done:
			continue
		case <-time.After(grace):
		}
		_ = p.Process.Kill()
		<-p.Done
	}
	d.processes = nil
	if d.folder != "" {
		_ = os.RemoveAll(d.folder)
	}
}
