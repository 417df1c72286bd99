package atspi

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"strings"
	"time"
)

// strayTime is how long connections may take to answer whether they are applications. Most answer
// within a millisecond. The others are asked again later.
const strayTime = 100 * time.Millisecond

// roleDesktopFrame is the role of the root of the registry.
const roleDesktopFrame Role = 14

// unlistedApplications returns the roots of the applications on the bus that the registry does not list. A registry
// that restarted lists only the applications that register again, and some do not.
func unlistedApplications(ctx context.Context, b *Bus, listed []Ref) []Ref {
	var names []string
	if b.conn.BusObject().CallWithContext(ctx, "org.freedesktop.DBus.ListNames", 0).Store(&names) != nil {
		return nil // the caller's next call reports the error
	}
	list, unknown := unregistered(b, names, listed)
	if len(unknown) == 0 {
		return list
	}
	var ask []request
	answered := make(map[string]bool)
	for _, name := range unknown {
		root := Ref{name, rootPath}
		ask = append(ask, request{root, accessibleIface + ".GetRole", nil, func(body []any) {
			answered[name] = true
			if role, _ := first[uint32](body); Role(role) != roleDesktopFrame {
				list = append(list, root)
			}
		}})
	}
	ctx, cancel := context.WithTimeout(ctx, strayTime)
	defer cancel()
	late, _ := b.batch(ctx, queue(&ask))
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, name := range unknown {
		b.others[name] = time.Time{}
		if late > 0 && !answered[name] { // which of them are late is unknown
			b.others[name] = time.Now().Add(hungFor)
		}
	}
	for _, r := range list {
		delete(b.others, r.Bus)
	}
	return list
}

// unregistered divides the connections that the registry does not list. list contains the roots of
// known applications, and unknown the connections that have to be asked. It forgets the connections
// that have ended.
func unregistered(b *Bus, names []string, listed []Ref) (list []Ref, unknown []string) {
	has := make(map[string]bool, len(listed))
	for _, r := range listed {
		has[r.Bus] = true
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	before := b.others
	b.others = make(map[string]time.Time)
	for _, name := range names {
		if !strings.HasPrefix(name, ":") || has[name] || name == b.conn.Names()[0] {
			continue
		}
		again, known := before[name]
		switch {
		case b.apps[name] != nil:
			list = append(list, b.apps[name].info.Root)
		case known && (again.IsZero() || time.Now().Before(again)):
			b.others[name] = again
		default:
			unknown = append(unknown, name)
		}
	}
	return list, unknown
}

// LostError means that an application exposed elements earlier and is no longer on the bus, although it
// still runs. What its windows show is unknown.
type LostError struct{ Name string }

func (e *LostError) Error() string {
	return fmt.Sprintf("%s described its elements before and does not any more, so that it may show a password field; restart it, or ask the user to do it", e.Name)
}

// Succeed makes b the successor of an earlier connection that has ended. b continues the numbering of
// element ids, so that an old id never refers to another element. Applications that were on the old bus
// and are not on this one are lost (see [LostError]).
func Succeed(b, old *Bus) {
	old.known.mu.Lock()
	last := old.known.last
	old.known.mu.Unlock()
	old.mu.Lock()
	met := maps.Clone(old.met)
	old.mu.Unlock()
	b.known.mu.Lock()
	b.known.last = max(b.known.last, last)
	b.known.mu.Unlock()
	b.mu.Lock()
	defer b.mu.Unlock()
	for pid, p := range met {
		if _, ok := b.met[pid]; !ok {
			b.met[pid] = p
		}
	}
}

// A process is a process that had elements.
type process struct {
	name  string
	began string // see [startTime]
}

// lostApplications returns the applications that were on the bus earlier, are still running, and are not on it now.
// The caller holds b.mu.
func lostApplications(b *Bus) (list []Application) {
	present := make(map[int]bool, len(b.apps))
	for _, a := range b.apps {
		present[a.info.PID] = true
	}
	for pid, p := range b.met {
		switch now := startTime(pid); {
		case present[pid]:
		case now == "" || now != p.began: // it has ended
			delete(b.met, pid)
		default:
			list = append(list, Application{Name: p.name, PID: pid})
		}
	}
	return list
}

// startTime returns when a process started, in the format of proc_pid_stat(5), or "" if it is not running.
func startTime(pid int) string {
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	f := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:]) // the name may contain spaces and parentheses
	const state, starttime = 0, 19
	if len(f) <= starttime || string(f[state]) == "Z" {
		return ""
	}
	return string(f[starttime])
}
