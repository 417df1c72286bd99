package link

import (
	"context"
	"fmt"
	"net"
	"os"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/connectivity"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"goated/servers/desktop/macosusesdk"
)

// The limits of a message in bytes. A screenshot of two large displays is smaller than MaxReply.
// The largest request contains the clipboard.
const (
	MaxReply   = 64 << 20
	MaxRequest = 16 << 20
	MaxText    = 1 << 20 // requests without clipboard content
)

// connectWait is how long a call waits for a missing connection.
const connectWait = 2 * time.Second

// A Link is a connection to the service. It connects at the first call and reconnects after a
// failure. It is safe for concurrent use.
type Link struct {
	conn    *grpc.ClientConn
	where   string
	timeout time.Duration
	end     func() error // closes the service in this process; nil if it is elsewhere
}

// Dial returns a link to the service at an address. It does not connect yet.
func Dial(c Config) (*Link, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	creds := insecure.NewCredentials()
	target := "passthrough:///" + c.target()
	dial := plainDialer
	switch {
	case c.Socket != "":
		target = "passthrough:///" + c.Socket
		dial = socketDialer
	case c.TLS:
		t, err := c.tls()
		if err != nil {
			return nil, err
		}
		creds, dial = credentials.NewTLS(t), nil
		target = "dns:///" + c.target()
	}
	return newLink(target, creds, dial, c)
}

// newLink returns a link with a client connection.
func newLink(target string, creds credentials.TransportCredentials, dial func(context.Context, string) (net.Conn, error), c Config) (*Link, error) {
	opts := []grpc.DialOption{
		grpc.WithTransportCredentials(creds),
		grpc.WithNoProxy(), // the service is on this machine, or the user named its address
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(MaxReply), grpc.MaxCallSendMsgSize(MaxRequest)),
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff:           backoff.Config{BaseDelay: 100 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2, MaxDelay: 5 * time.Second},
			MinConnectTimeout: 5 * time.Second,
		}),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 5 * time.Minute, Timeout: 20 * time.Second}),
		grpc.WithDisableServiceConfig(),
	}
	if dial != nil {
		opts = append(opts, grpc.WithContextDialer(dial))
	}
	conn, err := grpc.NewClient(target, opts...)
	if err != nil {
		return nil, fmt.Errorf("connecting to %s: %w", c.Location(), err)
	}
	return &Link{conn: conn, where: c.Location(), timeout: c.timeout()}, nil
}

// plainDialer connects without encryption, and only to this machine.
func plainDialer(ctx context.Context, address string) (net.Conn, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	if tcp, ok := conn.RemoteAddr().(*net.TCPAddr); !ok || !tcp.IP.IsLoopback() {
		_ = conn.Close()
		return nil, fmt.Errorf("%s leads to %s, which is another machine. Use TLS", address, conn.RemoteAddr())
	}
	return conn, nil
}

// socketDialer connects to a Unix socket that only its owner may use.
func socketDialer(ctx context.Context, path string) (net.Conn, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Mode().Perm()&0o077 != 0 && !isPrivate(path) {
		return nil, fmt.Errorf("other users may use the socket %s. Run: chmod 600 %s", path, path)
	}
	return new(net.Dialer).DialContext(ctx, "unix", path)
}

// Close closes the connection. It also closes the service if that is in this process.
func (l *Link) Close() error {
	err := l.conn.Close()
	if l.end != nil {
		if e := l.end(); err == nil {
			err = e
		}
	}
	return err
}

// Timeout returns the timeout of a request that sets none.
func (l *Link) Timeout() time.Duration { return l.timeout }

// Call calls a method of the service by its name, such as GetWindow, with the default timeout. The
// error is a [*Failure].
func (l *Link) Call(ctx context.Context, method string, req, reply proto.Message) error {
	return l.CallFor(ctx, method, req, reply, l.timeout)
}

// CallFor is like Call, with another timeout.
func (l *Link) CallFor(ctx context.Context, method string, req, reply proto.Message, limit time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	l.connect(ctx)
	var header metadata.MD
	err := l.conn.Invoke(ctx, fullName(method), req, reply, grpc.Header(&header))
	if status.Code(err) == codes.Unavailable && isReadOnly(method) {
		// The service may have restarted since the last call. Actions are not repeated, because
		// they may have taken effect.
		l.connect(ctx)
		err = l.conn.Invoke(ctx, fullName(method), req, reply, grpc.Header(&header))
	}
	addGaps(ctx, header)
	return l.failure(err, method)
}

// isReadOnly reports whether a method only reads.
func isReadOnly(method string) bool {
	for _, verb := range []string{"Get", "List", "Find", "Capture", "Traverse", "Validate"} {
		if strings.HasPrefix(method, verb) {
			return true
		}
	}
	return false
}

func fullName(method string) string {
	return "/" + macosusesdk.MacosUse_ServiceDesc.ServiceName + "/" + method
}

// connect waits briefly for a connection. A call must not wait for a backoff that started before
// the call, and must not fail just because the service has restarted.
func (l *Link) connect(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, connectWait)
	defer cancel()
	s := l.conn.GetState()
	if s == connectivity.TransientFailure {
		// A failed attempt may follow so quickly that no state change is visible.
		again, stop := context.WithTimeout(ctx, 300*time.Millisecond)
		defer stop()
		l.conn.ResetConnectBackoff()
		l.conn.WaitForStateChange(again, s)
		s = l.conn.GetState()
	}
	for s == connectivity.Idle || s == connectivity.Connecting {
		if s == connectivity.Idle {
			l.conn.Connect()
		}
		if !l.conn.WaitForStateChange(ctx, s) {
			return
		}
		s = l.conn.GetState()
	}
}

// Observe calls event for the events of an observation until ctx or the observation ends. The error
// is a [*Failure], or nil.
func (l *Link) Observe(ctx context.Context, name string, event func(*macosusesdk.ObservationEvent)) error {
	l.connect(ctx)
	stream, err := macosusesdk.NewMacosUseClient(l.conn).StreamObservations(ctx, &macosusesdk.StreamObservationsRequest{Name: name})
	if err != nil {
		return l.failure(err, "StreamObservations")
	}
	for {
		r, err := stream.Recv()
		if err != nil {
			return l.failure(ended(err), "StreamObservations")
		}
		if r.GetEvent() != nil {
			event(r.GetEvent())
		}
	}
}

// Watch calls change for changes of an application's elements until ctx ends, which is not a
// failure. If the service ends the stream with the same codes earlier, this is a failure, because
// the application hangs or the service stops.
func (l *Link) Watch(ctx context.Context, req *macosusesdk.WatchAccessibilityRequest, change func(*macosusesdk.WatchAccessibilityResponse)) error {
	l.connect(ctx)
	stream, err := macosusesdk.NewMacosUseClient(l.conn).WatchAccessibility(ctx, req)
	if err != nil {
		return l.failure(err, "WatchAccessibility")
	}
	for {
		r, err := stream.Recv()
		if err != nil {
			if hasEnded(ctx) {
				return nil
			}
			return l.failure(ended(err), "WatchAccessibility")
		}
		change(r)
	}
}

// hasEnded reports whether ctx has ended. The service has the same deadline, and its reply may arrive
// before ctx reports its own end.
func hasEnded(ctx context.Context) bool {
	end, ok := ctx.Deadline()
	return ctx.Err() != nil || ok && !time.Now().Before(end)
}
