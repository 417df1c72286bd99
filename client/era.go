package client

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"goated/internal/proc"
	"goated/internal/state"
)

const (
	// legacy is the version of the protocol by which servers are greeted that do
	// not know server/discover.
	legacy = "2025-11-25"
	// patient is no version: it greets by server/discover, and waits.
	patient = "patient"
	// maxEras and eraAge bound what is remembered of servers.
	maxEras = 500
	eraAge  = 30 * 24 * time.Hour
)

// eras remembers which servers do not know server/discover, so that the next
// start does not have to find out. What can't be read or written is found out
// again.
type eras struct {
	path string // of the file; empty keeps it in memory
	log  *slog.Logger

	mu    sync.Mutex
	known map[string]era
	read  bool
}

// An era is which greeting a server understands, and since when that is known.
type era struct {
	Version string    `json:"version"`
	Seen    time.Time `json:"seen"`
}

// identity tells a server's program from every other, and from itself after a
// change: its files by path, size and time, its arguments, and what was set for it
// alone of its environment.
func identity(c proc.Command, script string, set []string) string {
	h := sha256.New()
	for _, path := range []string{c.Program, script} {
		if info, err := os.Stat(path); err == nil {
			fmt.Fprintf(h, "%q %d %d\n", path, info.Size(), info.ModTime().UnixNano())
		}
	}
	fmt.Fprintf(h, "%q %q %q\n", c.Dir, c.Args, set)
	return fmt.Sprintf("%x", h.Sum(nil)[:16])
}

// get returns the version by which to greet, or nothing where it isn't known.
func (e *eras) get(key string) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.load()
	if was := e.known[key]; was.Version == legacy && time.Since(was.Seen) < eraAge {
		return legacy
	}
	return ""
}

// put remembers how a server was greeted; an empty version forgets it.
func (e *eras) put(key, version string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.load()
	was, ok := e.known[key]
	switch {
	case version == "" && !ok, version != "" && was.Version == version && time.Since(was.Seen) < eraAge/2:
		return
	case version == "":
		delete(e.known, key)
	default:
		e.known[key] = era{Version: version, Seen: time.Now()}
	}
	for len(e.known) > maxEras {
		oldest := ""
		for k, v := range e.known {
			if oldest == "" || v.Seen.Before(e.known[oldest].Seen) {
				oldest = k
			}
		}
		delete(e.known, oldest)
	}
	e.save()
}

// An eraFile is what is kept of them.
type eraFile struct {
	Known map[string]era `json:"known"`
}

// load reads the file once; the caller holds mu.
func (e *eras) load() {
	if e.read {
		return
	}
	var kept eraFile
	if e.read = true; e.path != "" {
		warning, err := state.File{Path: e.path}.Load(&kept)
		if err = errors.Join(warning, err); err != nil {
			e.log.Warn("reading how servers are greeted", "cause", err)
		}
	}
	if e.known = kept.Known; e.known == nil {
		e.known = make(map[string]era)
	}
}

// save replaces the file as a whole; the caller holds mu.
func (e *eras) save() {
	if e.path == "" {
		return
	}
	if err := (state.File{Path: e.path}).Save(eraFile{e.known}); err != nil {
		e.log.Warn("keeping how servers are greeted", "cause", err)
	}
}
