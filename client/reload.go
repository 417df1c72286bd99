package client

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"goated/client/internal/sources"
)

// reload restarts the servers whose scripts change, until ctx ends.
func reload(ctx context.Context, h *Host) {
	w, err := sources.NewWatcher()
	if err != nil { // such as too many for this user
		h.o.Logger.Warn("watching the scripts of servers", "cause", err)
		return
	}
	defer w.Close()
	var known map[*server]sources.Source
	for {
		h.list.mu.Lock()
		listed := h.list.changed
		h.list.mu.Unlock()
		known = sourcesOf(h, known)
		byID := make(map[string]sources.Source)
		for s, source := range known {
			byID[s.view.ID] = source
		}
		w.Follow(byID)
		changed, ok := w.Wait(ctx, listed)
		if !ok {
			return
		}
		for _, id := range changed {
			h.wg.Go(func() { restartChanged(ctx, h, id) })
		}
	}
}

// sourcesOf returns the sources of the servers in the list. It keeps those in known, because a server runs the
// sources that it had at its start, and finding them may read many files.
func sourcesOf(h *Host, known map[*server]sources.Source) map[*server]sources.Source {
	h.list.mu.Lock()
	servers := slices.Clone(h.list.servers)
	h.list.mu.Unlock()
	out := make(map[*server]sources.Source)
	for _, s := range servers {
		source, ok := known[s]
		if !ok {
			source, ok = s.config.source()
		}
		if ok {
			out[s] = source
		}
	}
	return out
}

// restartChanged restarts a server whose script changed.
func restartChanged(ctx context.Context, h *Host, id string) {
	h.o.Logger.Info("a script changed, so its server restarts", "server", id)
	_ = h.Restart(ctx, id) // its card and the log show a failure
	h.list.update(func() {
		for _, s := range h.list.servers {
			if s.view.ID == id {
				s.view.Reloads++
			}
		}
	})
}

// source returns the files of this computer that a server runs: a script, or the Go files
// of a folder. ok is false for servers of packages, and for goated's own.
func (c Config) source() (s sources.Source, ok bool) {
	if c.Bundled || c.URL != "" {
		return s, false
	}
	path := c.Path
	if c.Command != "" {
		if given, isGo := sources.OfGoRun(c.Command, c.Args); isGo && filepath.Ext(given) != ".go" {
			dir, err := filepath.Abs(filepath.Join(c.Dir, given))
			return sources.Source{Dir: dir}, err == nil
		}
		script, err := c.script("")
		if err != nil || script == "" {
			return s, false
		}
		path = script
	}
	path, err := filepath.Abs(path)
	if err != nil || strings.Contains(path, string(filepath.Separator)+"node_modules"+string(filepath.Separator)) {
		return s, false
	}
	if filepath.Ext(path) == ".go" && sources.Package(path) == "." {
		return sources.Source{Dir: filepath.Dir(path)}, true
	}
	return sources.Source{Dir: filepath.Dir(path), File: filepath.Base(path)}, true
}
