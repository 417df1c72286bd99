package instance

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"goated/internal/config"
	"goated/internal/waittest"
)

// A handover is the request that the window gets from a later start.
type handover struct {
	Servers []config.Launch `json:"servers,omitempty"`
}

func TestSecondStartRaisesTheFirst(t *testing.T) {
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	data := t.TempDir()
	in, err := Claim(data)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(in.socket)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the socket is %v, %v", info.Mode(), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	heard, done := make(chan handover, 1), make(chan struct{})
	go func() {
		defer close(done)
		Serve(ctx, in, func(k handover) { heard <- k })
	}()
	if _, err := Claim(data); !errors.Is(err, ErrRunning) {
		t.Fatalf("the second claim is %v", err)
	}
	if err := Send(data, handover{Servers: []config.Launch{{Path: "/tool.py", Env: []config.Variable{{Name: "SHADE", Value: "green"}}}}}); err != nil {
		t.Fatal(err)
	}
	if k := waittest.Receive(t, "the first start hears of the second", heard); len(k.Servers) != 1 || k.Servers[0].Path != "/tool.py" || !slices.Equal(config.Environ(k.Servers[0].Env), []string{"SHADE=green"}) {
		t.Errorf("it heard %+v", k)
	}
	other, err := Claim(t.TempDir())
	if err != nil {
		t.Errorf("another data folder has no window of its own: %v", err)
	} else {
		other.Close()
	}
	cancel()
	waittest.Receive(t, "the socket is closed", done)
	again, err := Claim(data)
	if err != nil {
		t.Fatalf("after the end: %v", err)
	}
	again.Close()
}

// A crash leaves a socket without a lock.
func TestStaleSocketIsReplaced(t *testing.T) {
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	data := t.TempDir()
	dir, name, err := rendezvous(data)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(dir, name+".sock")})
	if err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false)
	_ = l.Close()
	in, err := Claim(data)
	if err != nil {
		t.Fatal(err)
	}
	in.Close()
}

func TestNobodyAnswers(t *testing.T) {
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	if err := Send(t.TempDir(), handover{}); err == nil {
		t.Error("a handover at nobody's door is answered")
	}
}
