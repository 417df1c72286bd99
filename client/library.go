package client

import (
	"context"
	"strings"

	"goated/internal/proc"
)

// A library is which outputs of the user's own cache are the standard library's.
type library struct {
	done    chan struct{}   // closed when outputs are known, or cannot be
	outputs map[string]bool // paths in the cache
}

// standard lists what the user's cache has of the standard library, and has go
// compile it there if need be: that is no server's source. All else in that
// cache may be what an editor had compiled of this very server, outside of any
// sandbox, with a secret in it.
func (h *Host) standard(ctx context.Context, t toolchain, folder string) map[string]bool {
	var flags []string
	for flag := range strings.FieldsSeq(t.flags) {
		if !strings.HasPrefix(strings.TrimLeft(flag, "-"), "mod") { // there is no module here
			flags = append(flags, flag)
		}
	}
	env := append(t.own[:len(t.own):len(t.own)], "GOENV=off", "GOTOOLCHAIN=local", "GOFLAGS="+strings.Join(flags, " "), "GOCACHE="+t.set["GOCACHE"])
	for _, name := range compilation {
		env = append(env, name+"="+t.set[name])
	}
	key := t.program + "\x00" + strings.Join(env, "\x00")
	h.mu.Lock()
	l := h.libraries[key]
	if l != nil {
		h.mu.Unlock()
		select {
		case <-l.done:
			return l.outputs
		case <-ctx.Done(): // who asked first may wait for longer
			return nil
		}
	}
	l = &library{done: make(chan struct{})}
	h.libraries[key] = l
	h.mu.Unlock()
	defer close(l.done)
	out, _, end, err := proc.Run(ctx, proc.Command{Program: t.program, Args: []string{"list", "-export", "-f", "{{.Export}}", "std"},
		Dir: folder, Env: env, Keeper: t.keeper})
	if err != nil || end != (proc.Exit{}) {
		h.mu.Lock()
		delete(h.libraries, key) // the next build asks again; this one compiles for itself
		h.mu.Unlock()
		return nil
	}
	l.outputs = make(map[string]bool)
	for line := range strings.Lines(out) {
		l.outputs[strings.TrimSpace(line)] = true
	}
	return l.outputs
}
