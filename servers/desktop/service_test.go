package desktop

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	pb "goated/servers/desktop/macosusesdk"
)

// The next call after a restart of the service works, even if it acts.
func TestServiceRestarts(t *testing.T) {
	f := newFake(t)
	s := connect(t, Options{Getenv: f.environ}, nil)
	if text, _, failed := do(t, s, "app", `{"action":"list"}`); failed {
		t.Fatal(text)
	}
	f.server.Stop()
	text, data, failed := do(t, s, "app", `{"action":"list"}`)
	if e, _ := data["error"].(map[string]any); !failed || e["reason"] != "UNAVAILABLE" || !strings.Contains(text, f.socket) || !strings.Contains(text, "MACOS_USE_SERVER_SOCKET_PATH") {
		t.Errorf("without the service: %q", text)
	}
	f.start(t)
	if text, _, failed := do(t, s, "press", `{"x":1,"y":2}`); failed {
		t.Errorf("after the restart: %q", text)
	}
}

// Errors name a service that is too old, and a configuration that cannot work.
func TestServiceLacksAMethod(t *testing.T) {
	f := newFake(t)
	s := connect(t, Options{Getenv: f.environ}, nil)
	f.on("CaptureScreenshot", func(proto.Message) (proto.Message, error) {
		return nil, status.Error(codes.Unimplemented, "unknown method CaptureScreenshot for service macosusesdk.v1.MacosUse")
	})
	if text, _, failed := do(t, s, "screenshot", `{}`); !failed || !strings.Contains(text, "does not have CaptureScreenshot") || !strings.Contains(text, "It is older than this tool") {
		t.Error(text)
	}
	wrong := connect(t, Options{Getenv: func(n string) string { return map[string]string{"MACOS_USE_SERVER_ADDR": "far.example:1"}[n] }}, nil)
	if text, data, failed := do(t, wrong, "see", `{}`); !failed || !strings.Contains(text, "is another machine") || data["error"].(map[string]any)["code"] != -32603.0 {
		t.Error(text)
	}
	broken := connect(t, Options{Getenv: func(string) string { return "" }, Backend: func(context.Context) (pb.Backend, error) { return nil, io.ErrUnexpectedEOF }}, nil)
	if text, _, failed := do(t, broken, "see", `{}`); !failed || !strings.Contains(text, "This computer's desktop cannot be operated: unexpected EOF") {
		t.Error(text)
	}
}

// The server opens the backend of this computer if no address is set, always with Local, and never
// with Remote.
func TestChoiceOfBackend(t *testing.T) {
	f := newFake(t)
	none := func(string) string { return "" }
	for _, test := range []struct {
		o     Options
		opens bool
		want  string
	}{
		{Options{Getenv: none}, true, "no display"},
		{Options{Getenv: f.environ}, false, "the display_name"},
		{Options{Getenv: f.environ, Local: true}, true, "no display"},
		{Options{Getenv: none, Remote: true}, false, ""}, // uses the default address, where anything may run
	} {
		opened := false
		test.o.Backend = func(context.Context) (pb.Backend, error) {
			opened = true
			return nil, errors.New("no display")
		}
		if text, _, _ := do(t, connect(t, test.o, nil), "app", `{"action":"list"}`); opened != test.opens || !strings.Contains(text, test.want) {
			t.Errorf("%+v: opened=%t, %q", test.o, opened, text)
		}
	}
}
