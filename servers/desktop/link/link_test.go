package link

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"cloud.google.com/go/longrunning/autogen/longrunningpb"
	"go.uber.org/goleak"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/status"

	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/emptypb"

	pb "goated/servers/desktop/macosusesdk"

	"goated/internal/waittest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The environment variables of seed 002 and its clients.
func TestFromEnviron(t *testing.T) {
	for _, test := range []struct {
		env   map[string]string
		want  Config
		given bool
		err   string // part of the error
	}{
		{nil, Config{}, false, ""},
		{map[string]string{EnvAddress: "localhost:50052"}, Config{Address: "localhost:50052"}, true, ""},
		{map[string]string{EnvAddress: "[::1]:1", EnvTimeout: "2.5"}, Config{Address: "[::1]:1", Timeout: 2500 * time.Millisecond}, true, ""},
		{map[string]string{EnvAddress: "mac.example:443", EnvTLS: "YES", EnvCert: "/c.pem"}, Config{Address: "mac.example:443", TLS: true, Cert: "/c.pem"}, true, ""},
		{map[string]string{EnvSocket: "/run/mac.sock", EnvAddress: "far:1", EnvTimeout: "45s"}, Config{Socket: "/run/mac.sock", Address: "far:1", Timeout: 45 * time.Second}, true, ""},
		{map[string]string{EnvAddress: "mac.example:443"}, Config{}, true, "is another machine, and without TLS"},
		{map[string]string{EnvAddress: "10.0.0.1:443"}, Config{}, true, "Set MACOS_USE_SERVER_TLS=true"},
		{map[string]string{EnvAddress: "localhost"}, Config{}, true, "Set it to host:port"},
		{map[string]string{EnvAddress: "localhost:99999"}, Config{}, true, `"99999" is no port`},
		{map[string]string{EnvTLS: "maybe"}, Config{}, false, EnvTLS + ` is "maybe"`},
		{map[string]string{EnvTimeout: "-1"}, Config{}, false, EnvTimeout + ` is "-1"`},
		{map[string]string{EnvSocket: "mac.sock"}, Config{}, true, "absolute path"},
		{map[string]string{EnvSocket: "/s", EnvTLS: "1"}, Config{}, true, "needs no TLS"},
	} {
		got, given, err := FromEnviron(func(n string) string { return test.env[n] })
		if given != test.given || (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) || err == nil && got != test.want {
			t.Errorf("%v: %+v, %t, %v", test.env, got, given, err)
		}
	}
}

// A desk is a backend with the methods that the tests call.
type desk struct {
	pb.UnimplementedMacosUseServer
	operations
	mu     sync.Mutex
	closed int
}

type operations struct {
	longrunningpb.UnimplementedOperationsServer
	mu       sync.Mutex
	steps    int32
	canceled chan string
}

func (d *desk) Operations() longrunningpb.OperationsServer { return &d.operations }

func (d *desk) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed++
	return nil
}

func (d *desk) GetWindow(_ context.Context, r *pb.GetWindowRequest) (*pb.Window, error) {
	if r.GetName() == "panic" {
		panic("a bug")
	}
	return &pb.Window{Name: r.GetName()}, nil
}

func (d *desk) FocusWindow(ctx context.Context, _ *pb.FocusWindowRequest) (*pb.Window, error) {
	<-ctx.Done() // hangs
	return nil, ctx.Err()
}

func (d *desk) ExecuteMacro(_ context.Context, r *pb.ExecuteMacroRequest) (*longrunningpb.Operation, error) {
	return &longrunningpb.Operation{Name: r.GetMacro()}, nil
}

// Admit refuses ListWindows.
func (d *desk) Admit(_ context.Context, method string) error {
	if method == "ListWindows" {
		return status.Error(codes.ResourceExhausted, "too many")
	}
	return nil
}

// GetOperation ends the macro after three steps. An operation named endless never ends.
func (o *operations) GetOperation(_ context.Context, r *longrunningpb.GetOperationRequest) (*longrunningpb.Operation, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.steps++
	metadata, err := anypb.New(&pb.ExecuteMacroMetadata{CurrentAction: o.steps, TotalActions: 3})
	if err != nil {
		return nil, err
	}
	op := &longrunningpb.Operation{Name: r.GetName(), Metadata: metadata}
	switch {
	case r.GetName() == "late":
		return nil, status.Error(codes.DeadlineExceeded, context.DeadlineExceeded.Error())
	case r.GetName() == "failing" && o.steps >= 2:
		op.Done, op.Result = true, &longrunningpb.Operation_Error{Error: status.New(codes.FailedPrecondition, "the window is gone").Proto()}
	case r.GetName() == "odd":
		other, err := anypb.New(new(pb.Window))
		if err != nil {
			return nil, err
		}
		op.Done, op.Result = true, &longrunningpb.Operation_Response{Response: other}
	case r.GetName() == "macro" && o.steps > 3:
		response, err := anypb.New(&pb.ExecuteMacroResponse{Success: true, ActionsExecuted: 3})
		if err != nil {
			return nil, err
		}
		op.Done, op.Result = true, &longrunningpb.Operation_Response{Response: response}
	}
	return op, nil
}

func (o *operations) CancelOperation(_ context.Context, r *longrunningpb.CancelOperationRequest) (*emptypb.Empty, error) {
	o.canceled <- r.GetName()
	return new(emptypb.Empty), nil
}

// A backend in this process supports calls, deadlines, panics, operations and closing.
func TestLocal(t *testing.T) {
	d := &desk{operations: operations{canceled: make(chan string, 1)}}
	l, err := Local(d, 5*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	w := new(pb.Window)
	if err := l.Call(t.Context(), "GetWindow", &pb.GetWindowRequest{Name: "w"}, w); err != nil || w.GetName() != "w" {
		t.Errorf("%v, %v", w, err)
	}
	is := func(err error, code codes.Code, words string) {
		t.Helper()
		var f *Failure
		if !errors.As(err, &f) || f.Code != code || !strings.Contains(f.Message, words) || f.Hint == "" {
			t.Errorf("%#v", err)
		}
	}
	is(l.Call(t.Context(), "GetWindow", &pb.GetWindowRequest{Name: "panic"}, w), codes.Internal, "the backend failed: a bug")
	is(l.CallFor(t.Context(), "FocusWindow", new(pb.FocusWindowRequest), w, 20*time.Millisecond), codes.DeadlineExceeded, "FocusWindow did not finish in time")
	is(l.Call(t.Context(), "ClickElement", new(pb.ClickElementRequest), w), codes.Unimplemented, "")
	is(l.Call(t.Context(), "ListWindows", new(pb.ListWindowsRequest), new(pb.ListWindowsResponse)), codes.ResourceExhausted, "too many")
	is(l.Call(t.Context(), "NoSuchMethod", new(pb.ClickElementRequest), w), codes.Unimplemented, "does not have NoSuchMethod")
	is(l.Call(t.Context(), "GetWindow", &pb.GetWindowRequest{Name: strings.Repeat("x", MaxRequest+1)}, w), codes.ResourceExhausted, "the message is too large")

	reply := new(pb.ExecuteMacroResponse)
	var steps []int32
	err = l.Run(t.Context(), "ExecuteMacro", &pb.ExecuteMacroRequest{Macro: "macro"}, reply, time.Minute, func(a *anypb.Any) {
		m := new(pb.ExecuteMacroMetadata)
		if err := a.UnmarshalTo(m); err != nil {
			t.Error(err)
		}
		steps = append(steps, m.GetCurrentAction())
	})
	if err != nil || !reply.GetSuccess() || len(steps) != 3 || steps[2] != 3 {
		t.Errorf("%v, %v, progress %v", reply, err, steps)
	}
	is(l.Run(t.Context(), "ExecuteMacro", &pb.ExecuteMacroRequest{Macro: "failing"}, reply, time.Minute, nil), codes.FailedPrecondition, "the window is gone")
	is(l.Run(t.Context(), "ExecuteMacro", &pb.ExecuteMacroRequest{Macro: "odd"}, reply, time.Minute, nil), codes.Internal, "has another type")
	is(l.Run(t.Context(), "ExecuteMacro", &pb.ExecuteMacroRequest{Macro: "endless"}, reply, 30*time.Millisecond, nil), codes.DeadlineExceeded, "ExecuteMacro did not finish in time")
	canceled := func(want string) {
		t.Helper()
		if name := waittest.Receive(t, want+" is cancelled", d.canceled); name != want {
			t.Errorf("cancelled %q, want %q", name, want)
		}
	}
	canceled("endless")
	is(l.Run(t.Context(), "ExecuteMacro", &pb.ExecuteMacroRequest{Macro: "late"}, reply, time.Minute, nil), codes.DeadlineExceeded, "ExecuteMacro did not finish in time")
	canceled("late")
	if err := l.Close(); err != nil || d.closed != 1 {
		t.Errorf("closed %d times, %v", d.closed, err)
	}
}

// serve runs a service at an address until the test calls stop.
func serve(t *testing.T, network, address string, opts ...grpc.ServerOption) (at string, stop func()) {
	t.Helper()
	listener, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	s := grpc.NewServer(opts...)
	pb.RegisterMacosUseServer(s, new(desk))
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = s.Serve(listener) // stop ends it
	}()
	return listener.Addr().String(), func() { s.Stop(); <-done }
}

func dial(t *testing.T, c Config) *Link {
	t.Helper()
	l, err := Dial(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

func call(t *testing.T, l *Link) error {
	t.Helper()
	return l.Call(t.Context(), "GetWindow", &pb.GetWindowRequest{Name: "w"}, new(pb.Window))
}

// After the service restarts, the next call works, even if it comes long after the connection was
// lost.
func TestReconnects(t *testing.T) {
	address, stop := serve(t, "tcp", "127.0.0.1:0")
	l := dial(t, Config{Address: address})
	if err := call(t, l); err != nil {
		t.Fatal(err)
	}
	stop()
	var f *Failure
	for range 3 { // a read is repeated on a new connection
		if err := call(t, l); !errors.As(err, &f) || f.Code != codes.Unavailable || !strings.Contains(f.Message, "nothing that drives the desktop runs at "+address) {
			t.Fatalf("without the service: %v", err)
		}
	}
	_, stop = serve(t, "tcp", address)
	defer stop()
	if err := call(t, l); err != nil {
		t.Errorf("after the restart: %v", err)
	}
}

// Without a service, a call fails at once, and the error names the address and the variables.
func TestNoService(t *testing.T) {
	began := time.Now()
	err := call(t, dial(t, Config{Socket: filepath.Join(t.TempDir(), "none")}))
	var f *Failure
	if !errors.As(err, &f) || f.Code != codes.Unavailable || !strings.Contains(f.Message, "no such file") || !strings.Contains(f.Hint, EnvSocket) {
		t.Errorf("%#v", err)
	}
	if d := time.Since(began); d > time.Second {
		t.Errorf("it took %s", d)
	}
}

// If another kind of server runs at the address, the error reports it.
func TestWrongService(t *testing.T) {
	web := httptest.NewServer(http.NotFoundHandler())
	defer web.Close()
	err := call(t, dial(t, Config{Address: web.Listener.Addr().String()}))
	if err == nil || !strings.Contains(err.Error(), "does not speak gRPC") {
		t.Errorf("a web server: %v", err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	other := grpc.NewServer()
	done := make(chan struct{})
	go func() { defer close(done); _ = other.Serve(listener) }() // Stop ends it
	defer func() { other.Stop(); <-done }()
	err = call(t, dial(t, Config{Address: listener.Addr().String()}))
	if err == nil || !strings.Contains(err.Error(), "it does not have macosusesdk.v1.MacosUse") {
		t.Errorf("another gRPC server: %v", err)
	}
}

// Only the user may have access to the socket.
func TestSocket(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "open")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "s")
	_, stop := serve(t, "unix", path)
	defer stop()
	for mode, want := range map[os.FileMode]string{0o600: "", 0o666: "other users may use the socket"} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		err := call(t, dial(t, Config{Socket: path}))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("mode %o: %v", mode, err)
		}
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := call(t, dial(t, Config{Socket: path})); err != nil {
		t.Errorf("in a private folder: %v", err)
	}
}

// With TLS, the certificate decides. Without TLS, an address on another machine is refused, even if
// a name resolves to it.
func TestTLS(t *testing.T) {
	certificate, file := certificate(t)
	address, stop := serve(t, "tcp", "127.0.0.1:0", grpc.Creds(credentials.NewServerTLSFromCert(&certificate)))
	defer stop()
	if err := call(t, dial(t, Config{Address: address, TLS: true, Cert: file})); err != nil {
		t.Errorf("with its certificate: %v", err)
	}
	if err := call(t, dial(t, Config{Address: address, TLS: true})); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("with an unknown certificate: %v", err)
	}
	if err := call(t, dial(t, Config{Address: address})); err == nil {
		t.Error("without encryption it works")
	}
	if _, err := Dial(Config{Address: address, TLS: true, Cert: filepath.Join(t.TempDir(), "none")}); err == nil || !strings.Contains(err.Error(), EnvCert) {
		t.Errorf("a missing file: %v", err)
	}
	conn, err := plainDialer(t.Context(), address)
	if err != nil {
		t.Fatalf("this machine: %v", err)
	}
	_ = conn.Close()
}

func certificate(t *testing.T) (tls.Certificate, string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "cert.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, file
}
