package backend_test

import (
	"context"
	"flag"
	"io"
	"log"
	"os"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/longrunning/autogen/longrunningpb"
	"github.com/jezek/xgb"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"goated/servers/desktop/backend"
	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/x11"
	"goated/servers/desktop/x11/hidden"
	"goated/servers/desktop/x11/x11test"
)

var desk x11test.Desk

// sequences is the default number of random action sequences that the test runs. "make props" runs
// more.
const sequences = "12"

func TestMain(m *testing.M) {
	if title := os.Getenv(envProgram); title != "" {
		os.Exit(program(title))
	}
	flag.Parse()
	if os.Getenv("RAPID_CHECKS") == "" {
		_ = flag.Set("rapid.checks", sequences)
	}
	xgb.Logger = log.New(io.Discard, "", 0)
	os.Exit(x11test.Main(m, &desk, hidden.Options{}))
}

// open opens a backend on the desktop of the tests.
func open(t testing.TB, change func(*backend.Options)) *backend.Backend {
	t.Helper()
	desk.Need(t)
	o := backend.Options{Display: desk.Display, Authority: desk.Authority(), Shell: true}
	if change != nil {
		change(&o)
	}
	b, err := backend.New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	return b
}

// result waits for an operation and returns its response.
func result[M proto.Message](t testing.TB, b *backend.Backend, o *longrunningpb.Operation, err error, into M) M {
	t.Helper()
	if err == nil {
		o, err = b.Operations().WaitOperation(t.Context(), &longrunningpb.WaitOperationRequest{Name: o.GetName()})
	}
	if err == nil && o.GetError() != nil {
		err = status.FromProto(o.GetError()).Err()
	}
	if err == nil {
		err = o.GetResponse().UnmarshalTo(into)
	}
	if err != nil {
		t.Fatal(err)
	}
	return into
}

// refused checks an error's code and that its message contains the words.
func refused(t testing.TB, what string, err error, code codes.Code, words ...string) {
	t.Helper()
	if status.Code(err) != code {
		t.Errorf("%s: %v, want %v", what, err, code)
		return
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%s: %v does not mention %q", what, err, w)
		}
	}
}

// must fails the test if the call returns an error.
func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// terminal opens an xterm and returns its window as the protocol describes it.
func terminal(t testing.TB, b *backend.Backend, d *x11.Desktop, title string, command ...string) *pb.Window {
	t.Helper()
	w := desk.Terminal(t, d, title, command...)
	return named(t, b, w.PID, title)
}

// named returns the window of a process with a title.
func named(t testing.TB, b *backend.Backend, pid int, title string) *pb.Window {
	t.Helper()
	list, err := b.ListWindows(t.Context(), &pb.ListWindowsRequest{Parent: application(pid)})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range list.GetWindows() {
		if strings.Contains(w.GetTitle(), title) {
			return w
		}
	}
	t.Fatalf("no window %q in %v", title, list)
	return nil
}

func parent(name string) string {
	application, _, _ := strings.Cut(name, "/windows/")
	return application
}

func action(a *pb.InputAction) *pb.CreateInputRequest {
	return &pb.CreateInputRequest{Input: &pb.Input{Action: a}}
}

func typed(text string, delay float64) *pb.CreateInputRequest {
	return action(&pb.InputAction{InputType: &pb.InputAction_TypeText{TypeText: &pb.TextInput{Text: text, CharDelay: delay}}})
}

func key(name string, modifiers ...pb.KeyPress_Modifier) *pb.CreateInputRequest {
	return action(&pb.InputAction{InputType: &pb.InputAction_PressKey{PressKey: &pb.KeyPress{Key: name, Modifiers: modifiers}}})
}

func click(x, y float64) *pb.CreateInputRequest {
	return action(&pb.InputAction{InputType: &pb.InputAction_Click{Click: &pb.MouseClick{Position: &pb.Point{X: x, Y: y}}}})
}

// soon returns a context for a call that must end well before the context does.
func soon(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// failure returns the error of a finished operation.
func failure(o *longrunningpb.Operation) error {
	if o.GetError() == nil {
		return nil
	}
	return status.FromProto(o.GetError()).Err()
}

// second returns the error of a call.
func second[T any](_ T, err error) error { return err }
