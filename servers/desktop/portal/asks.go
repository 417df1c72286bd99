package portal

import (
	"context"
	"slices"
	"strings"

	"github.com/godbus/dbus/v5"
)

// gnome is the name of GNOME's desktop.
const gnome = "org.gnome.Shell"

// desktops are the names on the bus of programs that show the desktop's own questions and its
// notifications, beside the backends of the portals.
var desktops = []string{service, gnome, "org.freedesktop.Notifications", "org.gnome.Settings.GlobalShortcutsProvider", "org.kde.KWin", "org.kde.plasmashell", "com.system76.CosmicSession"}

// backends is how the names of the backends of the portals begin: they show the dialogs.
const backends = "org.freedesktop.impl.portal."

// Askers are the names whose owners a [Portal] asks for. ".*" stands for all that begin alike.
func Askers() []string { return append(slices.Clone(desktops), backends+"*") }

func questions(name string) bool {
	return strings.HasPrefix(name, backends) || slices.Contains(desktops, name)
}

// meet finds the processes that ask the user for the desktop, and follows those that start.
func (p *Portal) meet(ctx context.Context) error {
	if err := p.conn.AddMatchSignalContext(ctx, dbus.WithMatchSender(bus), dbus.WithMatchMember("NameOwnerChanged")); err != nil {
		return err
	}
	var names []string
	if err := p.conn.BusObject().CallWithContext(ctx, bus+".ListNames", 0).Store(&names); err != nil {
		return err
	}
	for _, name := range names {
		var owner string
		if !questions(name) || p.conn.BusObject().CallWithContext(ctx, bus+".GetNameOwner", 0, name).Store(&owner) != nil {
			continue
		}
		p.mu.Lock()
		p.asks[name] = asker{bus: owner}
		p.mu.Unlock()
		p.identify(ctx, name, owner)
	}
	return nil
}

// changed notes that a name has another owner, or none. The caller holds p.mu.
func (p *Portal) changed(name, owner string) {
	if !questions(name) {
		return
	}
	delete(p.asks, name)
	if owner != "" {
		p.asks[name] = asker{bus: owner}
		p.reads.Go(func() { p.identify(p.conn.Context(), name, owner) })
	}
}

// An asker is a program that asks the user for the desktop.
type asker struct {
	bus string // its unique name
	pid int    // 0: not known yet
}

// identify finds the process of a name that a program has.
func (p *Portal) identify(ctx context.Context, name, owner string) {
	var pid uint32
	if err := p.conn.BusObject().CallWithContext(ctx, bus+".GetConnectionUnixProcessID", 0, owner).Store(&pid); err != nil {
		return // it ended
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.asks[name].bus == owner { // it may have ended meanwhile
		p.asks[name] = asker{owner, int(pid)}
	}
}

// runs reports whether one of the desktops runs.
func (p *Portal) runs(name string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.asks[name].bus != ""
}

// Asks reports whether a process asks the user for the desktop, such as whether goated may
// press keys. Only the user may answer there.
func (p *Portal) Asks(pid int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, a := range p.asks {
		if pid != 0 && a.pid == pid {
			return true
		}
	}
	return false
}
