package link

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"cloud.google.com/go/longrunning/autogen/longrunningpb"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"
	"google.golang.org/protobuf/proto"

	"goated/servers/desktop/macosusesdk"
)

// Local serves a backend in this process, over memory, and returns a link to it. Close waits until
// the running calls have ended, but at most two seconds, then closes the backend and ends the
// service.
func Local(b macosusesdk.Backend, timeout time.Duration) (*Link, error) {
	listener := bufconn.Listen(1 << 20)
	s := NewServer(b)
	served := make(chan error, 1)
	go func() { served <- s.Serve(listener) }()
	end := func() error {
		stopped := stop(s)
		closed := b.Close() // ends calls that ignore their contexts, such as a call that waits for a display
		<-stopped
		err := <-served
		if errors.Is(err, grpc.ErrServerStopped) {
			err = nil
		}
		return errors.Join(err, closed)
	}
	l, err := newLink("passthrough:///desktop", insecure.NewCredentials(),
		func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) },
		Config{Address: "this computer's desktop", Timeout: timeout})
	if err != nil {
		return nil, errors.Join(err, end())
	}
	l.end = end
	return l, nil
}

// An Admitter is a backend that limits when calls start. A call that waits or is refused has not
// started.
type Admitter interface {
	// Admit waits until a call of a method, such as "GetWindow", may start, or returns an error.
	Admit(ctx context.Context, method string) error
}

// A Bounder is a backend that can end calls that ignore their contexts.
type Bounder interface {
	// Bound runs a call. It returns before the call does if the call waits for something that does
	// not arrive.
	Bound(ctx context.Context, call func(context.Context) (any, error)) (any, error)
}

// NewServer returns a gRPC server with the services of a backend. The backend may be an [Admitter]
// and a [Bounder]. If the backend panics, the call fails with INTERNAL, but the process continues.
func NewServer(b macosusesdk.Backend) *grpc.Server {
	admit := func(ctx context.Context, full string) error {
		a, ok := b.(Admitter)
		method, ours := strings.CutPrefix(full, fullName(""))
		if !ok || !ours {
			return nil
		}
		return a.Admit(ctx, method)
	}
	s := grpc.NewServer(grpc.MaxRecvMsgSize(MaxRequest), grpc.MaxSendMsgSize(MaxReply),
		grpc.ChainUnaryInterceptor(func(ctx context.Context, req any, info *grpc.UnaryServerInfo, h grpc.UnaryHandler) (_ any, err error) {
			defer recoverError(&err)
			if err := admit(ctx, info.FullMethod); err != nil {
				return nil, err
			}
			if err := checkSize(info.FullMethod, req); err != nil {
				return nil, err
			}
			call := func(ctx context.Context) (_ any, err error) {
				defer recoverError(&err)
				return h(ctx, req)
			}
			if bounds, ok := b.(Bounder); ok {
				return bounds.Bound(ctx, call)
			}
			return call(ctx)
		}),
		grpc.ChainStreamInterceptor(func(srv any, stream grpc.ServerStream, info *grpc.StreamServerInfo, h grpc.StreamHandler) (err error) {
			defer recoverError(&err)
			if err := admit(stream.Context(), info.FullMethod); err != nil {
				return err
			}
			return h(srv, stream)
		}))
	macosusesdk.RegisterMacosUseServer(s, b)
	longrunningpb.RegisterOperationsServer(s, b.Operations())
	return s
}

// checkSize refuses a request that is larger than any text or script may be. WriteClipboard has no such
// limit, because it accepts pictures.
func checkSize(method string, req any) error {
	m, ok := req.(proto.Message)
	if !ok || method == fullName("WriteClipboard") {
		return nil
	}
	if n := proto.Size(m); n > MaxText {
		return status.Errorf(codes.InvalidArgument, "the request has %d bytes; %s takes at most %d", n, strings.TrimPrefix(method, fullName("")), MaxText)
	}
	return nil
}

// recoverError turns a panic into an error.
func recoverError(err *error) {
	if p := recover(); p != nil {
		*err = status.Error(codes.Internal, fmt.Sprintf("the backend failed: %v", p))
	}
}

// stop waits until the running calls end, and cancels them after two seconds. The channel closes
// when the last call has returned.
func stop(s *grpc.Server) (stopped <-chan struct{}) {
	done := make(chan struct{})
	go func() {
		s.GracefulStop()
		close(done)
	}()
	late := time.NewTimer(2 * time.Second)
	defer late.Stop()
	select {
	case <-done:
	case <-late.C:
		s.Stop()
	}
	return done
}
