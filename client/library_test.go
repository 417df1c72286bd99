//go:build unix

package client

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// The standard library is listed as servers are compiled. Who waits for another's
// list, and is stopped, waits no longer.
func TestToolchainListsItsLibrary(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tool := toolchain{program: filepath.Join(dir, "go"), set: map[string]string{
		"GOEXPERIMENT": "x", "GOAMD64": "v3", "GOARM64": "v8.1", "GOCACHE": dir}}
	text := "#!/bin/sh\n: >begun; while [ ! -e go-on ]; do sleep 0.01; done; echo $GOEXPERIMENT $GOAMD64 $GOARM64\n"
	if err := os.WriteFile(tool.program, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	tool.own = []string{"PATH=" + os.Getenv("PATH")}
	h := New(Options{})
	defer h.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	first := make(chan map[string]bool, 1)
	go func() { first <- h.standard(ctx, tool, dir) }()
	for {
		if _, err := os.Stat(filepath.Join(dir, "begun")); err == nil {
			break
		} else if ctx.Err() != nil {
			t.Fatal(ctx.Err())
		}
		time.Sleep(time.Millisecond)
	}
	stopped, stop := context.WithCancel(ctx)
	stop()
	if got := h.standard(stopped, tool, dir); got != nil || ctx.Err() != nil {
		t.Errorf("who was stopped got %v; %v", got, ctx.Err())
	}
	if err := os.WriteFile(filepath.Join(dir, "go-on"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, got := range []map[string]bool{<-first, h.standard(ctx, tool, dir)} {
		if !got["x v3 v8.1"] {
			t.Errorf("listed with other settings: %v", got)
		}
	}
}
