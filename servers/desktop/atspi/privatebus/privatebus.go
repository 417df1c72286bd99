// Package privatebus starts a session bus with its own accessibility bus, for a hidden desktop on a
// machine without a desktop session, such as in continuous integration. Accessibility is on from the
// start.
//
// The package owns the processes that it starts.
package privatebus

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

	"github.com/godbus/dbus/v5"

	"goated/servers/desktop/daemon"
)

// ErrMissing means that a program that the buses need is not installed.
var ErrMissing = errors.New("an accessibility bus needs dbus-daemon and at-spi2-core: install the packages dbus and at-spi2-core")

// launchers are the paths of at-spi-bus-launcher in various distributions.
var launchers = []string{"/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher", "/usr/lib/at-spi-bus-launcher", "/usr/libexec/at-spi2-core/at-spi-bus-launcher"}

// config is the configuration of the session bus. It lists no service directories. Otherwise programs
// on the hidden desktop would start the portals, keyrings and file systems of the user's desktop. These
// outlive the bus and mount folders inside its directory.
const config = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>%LISTEN%</listen>
  <auth>EXTERNAL</auth>
  <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
</busconfig>`

// startTimeout is how long the buses may take to start. grace is how long a process may take to end
// after it was asked to.
const (
	startTimeout = 10 * time.Second
	grace        = time.Second
)

// A Bus is a running session bus with its accessibility bus. The caller must close it.
type Bus struct {
	Session       string // the address of the session bus
	Accessibility string // the address of the accessibility bus

	folder    string
	processes []*daemon.Process // the session bus first
}

// folders is the prefix of the names of the buses' folders.
const folders = "goated-bus-"

// Sockets returns patterns, for [filepath.Match], of the sockets of the session buses that [Start]
// starts, and of the sockets of their accessibility buses.
func Sockets() (session string, accessibility []string) {
	temp := os.TempDir()
	if real, err := filepath.EvalSymlinks(temp); err == nil {
		temp = real
	}
	return filepath.Join(temp, folders+"*", "session"), Trees(filepath.Join(temp, folders+"*"))
}

// Trees returns patterns of the sockets that give access to elements, in the folder that holds a
// session's sockets. They match the accessibility bus and single applications, including those of root.
func Trees(folder string) []string {
	return []string{filepath.Join(folder, "at-spi", "bus*"), filepath.Join(folder, "at-spi2-*", "socket"), filepath.Join(folder, "at-spi2-socket-*")}
}

// Start starts the buses. environ is the environment of programs on the desktop, including DISPLAY.
// Programs that the bus starts inherit it.
func Start(ctx context.Context, environ []string) (*Bus, error) {
	daemon, err := exec.LookPath("dbus-daemon")
	if err != nil {
		return nil, ErrMissing
	}
	at := slices.IndexFunc(launchers, func(p string) bool { _, err := os.Stat(p); return err == nil })
	if at < 0 {
		return nil, ErrMissing
	}
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	b := &Bus{}
	if b.folder, err = os.MkdirTemp("", folders); err != nil {
		return nil, err
	}
	if err := b.start(ctx, daemon, launchers[at], environ); err != nil {
		b.Close()
		return nil, fmt.Errorf("starting an accessibility bus: %w", err)
	}
	return b, nil
}

// Attach returns a Bus for buses that another process started and will end.
func Attach(session, accessibility string) *Bus {
	return &Bus{Session: session, Accessibility: accessibility}
}

// Environ returns the environment for programs on the desktop: env with the addresses of the buses.
func (b *Bus) Environ(env []string) []string {
	env = slices.DeleteFunc(slices.Clone(env), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains([]string{"DBUS_SESSION_BUS_ADDRESS", "AT_SPI_BUS_ADDRESS", "XDG_RUNTIME_DIR", "NO_AT_BRIDGE", "GTK_A11Y"}, name)
	})
	if b.folder != "" {
		env = append(env, "XDG_RUNTIME_DIR="+b.folder)
	}
	env = append(env, "DBUS_SESSION_BUS_ADDRESS="+b.Session, "QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1", "QT_ACCESSIBILITY=1")
	if b.Accessibility != "" {
		env = append(env, "AT_SPI_BUS_ADDRESS="+b.Accessibility)
	}
	return env
}

func (b *Bus) start(ctx context.Context, daemon, launcher string, environ []string) error {
	read, write, err := os.Pipe()
	if err != nil {
		return err
	}
	defer read.Close()
	b.Session = "unix:path=" + filepath.Join(b.folder, "session")
	settings := filepath.Join(b.folder, "bus.conf")
	if err := os.WriteFile(settings, []byte(strings.ReplaceAll(config, "%LISTEN%", b.Session)), 0o600); err != nil {
		return err
	}
	cmd := exec.Command(daemon, "--config-file="+settings, "--nofork", "--nopidfile", "--print-address=3")
	cmd.Env, cmd.ExtraFiles = b.Environ(environ), []*os.File{write}
	err = b.run(cmd)
	_ = write.Close()
	if err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { _ = read.Close() })
	line, err := bufio.NewReader(read).ReadString('\n')
	if !stop() || err != nil {
		return errors.Join(errors.New("dbus-daemon did not start"), err, context.Cause(ctx))
	}
	b.Session = strings.TrimSpace(line)

	cmd = exec.Command(launcher, "--launch-immediately")
	// This turns accessibility on for this bus only, not in the user's settings.
	cmd.Env = append(b.Environ(environ), "GSETTINGS_BACKEND=memory")
	if err := b.run(cmd); err != nil {
		return err
	}
	conn, err := dbus.Connect(b.Session)
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := named(ctx, conn, "org.a11y.Bus"); err != nil {
		return err
	}
	status := conn.Object("org.a11y.Bus", "/org/a11y/bus")
	if err := status.CallWithContext(ctx, "org.a11y.Bus.GetAddress", 0).Store(&b.Accessibility); err != nil {
		return err
	}
	if !strings.Contains(b.Accessibility, "=") {
		return fmt.Errorf("at-spi-bus-launcher has no bus: it answers %q", b.Accessibility)
	}
	return status.CallWithContext(ctx, "org.freedesktop.DBus.Properties.Set", 0, "org.a11y.Status", "IsEnabled", dbus.MakeVariant(true)).Err
}

// named waits until a bus name has an owner.
func named(ctx context.Context, conn *dbus.Conn, name string) error {
	signals := make(chan *dbus.Signal, 16)
	conn.Signal(signals)
	if err := conn.AddMatchSignalContext(ctx, dbus.WithMatchSender("org.freedesktop.DBus"), dbus.WithMatchMember("NameOwnerChanged"), dbus.WithMatchArg(0, name)); err != nil {
		return err
	}
	for {
		var has bool
		if err := conn.BusObject().CallWithContext(ctx, "org.freedesktop.DBus.NameHasOwner", 0, name).Store(&has); err != nil || has {
			return err
		}
		select {
		case <-signals:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// run starts a process that Close ends.
func (b *Bus) run(cmd *exec.Cmd) error {
	detach(cmd)
	p, err := daemon.Start(cmd)
	if err != nil {
		return err
	}
	b.processes = append(b.processes, p)
	return nil
}

// Close ends the buses and the processes that they started, and removes their files.
func (b *Bus) Close() {
	for _, p := range slices.Backward(b.processes) {
		end(p.Cmd, false)
		select {
		case <-p.Done:
		case <-time.After(grace):
		}
		end(p.Cmd, true)
		<-p.Done
	}
	b.processes = nil
	if b.folder != "" {
		_ = os.RemoveAll(b.folder)
	}
}
