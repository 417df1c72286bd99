package portal

import (
	"context"
	"slices"
	"strings"

	"github.com/godbus/dbus/v5"
)

// gnome is the bus name of GNOME's shell.
const gnome = "org.gnome.Shell"

// desktops are the bus names of the programs that show the desktop's own questions and notifications,
// in addition to the portal backends.
var desktops = []string{service, gnome, "org.freedesktop.Notifications", "org.gnome.Settings.GlobalShortcutsProvider", "org.kde.KWin", "org.kde.plasmashell", "com.system76.CosmicSession"}

// backends is the prefix of the bus names of the portal backends, which show the dialogs.
const backends = "org.freedesktop.impl.portal."

// Askers returns the bus names whose owners a [Portal] looks up. A trailing "*" stands for any suffix.
func Askers() []string { return append(slices.Clone(desktops), backends+"*") }

func isAskerName(name string) bool {
	return strings.HasPrefix(name, backends) || slices.Contains(desktops, name)
}

// findAskers finds the programs that ask the user on behalf of the desktop, and keeps track of those that
// start later.
func (p *Portal) findAskers(ctx context.Context) error {
	if err := p.conn.AddMatchSignalContext(ctx, dbus.WithMatchSender(bus), dbus.WithMatchMember("NameOwnerChanged")); err != nil {
		return err
	}
	var names []string
	if err := p.conn.BusObject().CallWithContext(ctx, bus+".ListNames", 0).Store(&names); err != nil {
		return err
	}
	for _, name := range names {
		var owner string
		if !isAskerName(name) || p.conn.BusObject().CallWithContext(ctx, bus+".GetNameOwner", 0, name).Store(&owner) != nil {
			continue
		}
		p.mu.Lock()
		p.asks[name] = asker{bus: owner}
		p.mu.Unlock()
		p.identify(ctx, name, owner)
	}
	return nil
}

// changed records the new owner of a bus name, or that it has none. The caller holds p.mu.
func (p *Portal) changed(name, owner string) {
	if !isAskerName(name) {
		return
	}
	delete(p.asks, name)
	if owner != "" {
		p.asks[name] = asker{bus: owner}
		p.reads.Go(func() { p.identify(p.conn.Context(), name, owner) })
	}
}

// An asker is a program that asks the user on behalf of the desktop.
type asker struct {
	bus string // its unique name
	pid int    // 0 if not known yet
}

// identify looks up the process of the program that owns a bus name.
func (p *Portal) identify(ctx context.Context, name, owner string) {
	var pid uint32
	if err := p.conn.BusObject().CallWithContext(ctx, bus+".GetConnectionUnixProcessID", 0, owner).Store(&pid); err != nil {
		return // it has ended
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.asks[name].bus == owner { // it may have ended in the meantime
		p.asks[name] = asker{owner, int(pid)}
	}
}

// runs reports whether a bus name has an owner.
func (p *Portal) runs(name string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.asks[name].bus != ""
}

// Asks reports whether a process asks the user on behalf of the desktop, for example whether goated may
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
