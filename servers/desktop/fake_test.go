package desktop

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"image"
	"image/png"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"cloud.google.com/go/longrunning/autogen/longrunningpb"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/anypb"

	"goated/internal/waittest"
	pb "goated/servers/desktop/macosusesdk"
)

// A fake is a gRPC server that implements every method of the service. It answers each request with
// a message in which every field is set, unless the test sets another answer.
type fake struct {
	longrunningpb.UnimplementedOperationsServer

	mu       sync.Mutex
	requests []request
	answers  map[string]func(proto.Message) (proto.Message, error) // by method
	streams  map[string]func(proto.Message, func(proto.Message)) error
	fails    codes.Code
	gaps     []string // reasons why each answer lacks elements
	remarks  []string // remarks that come with each answer

	operationGaps []string // the same for replies about operations
	pending       map[string]*longrunningpb.Operation

	operation func(*longrunningpb.Operation) *longrunningpb.Operation // nil: the operation is done at once

	server *grpc.Server
	socket string
}

type request struct {
	method  string
	message proto.Message
}

// errStays keeps a stream open until its caller ends it.
var errStays = errors.New("the stream stays")

// newFake starts a fake on a Unix socket.
func newFake(t testing.TB) *fake {
	t.Helper()
	f := &fake{answers: make(map[string]func(proto.Message) (proto.Message, error)), streams: make(map[string]func(proto.Message, func(proto.Message)) error),
		pending: make(map[string]*longrunningpb.Operation), socket: filepath.Join(t.TempDir(), "s")}
	f.start(t)
	t.Cleanup(func() { f.server.Stop() })
	return f
}

// start serves on the socket. It works again after a stop.
func (f *fake) start(t testing.TB) {
	t.Helper()
	listener, err := net.Listen("unix", f.socket)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(f.socket, 0o600); err != nil {
		t.Fatal(err)
	}
	f.server = grpc.NewServer(grpc.UnknownServiceHandler(f.handle))
	longrunningpb.RegisterOperationsServer(f.server, f)
	go func() { _ = f.server.Serve(listener) }() // Stop ends it
}

// handle handles any method of the service.
func (f *fake) handle(_ any, stream grpc.ServerStream) error {
	full, _ := grpc.MethodFromServerStream(stream)
	service, name, _ := strings.Cut(strings.TrimPrefix(full, "/"), "/")
	m := pb.File_macosusesdk_v1_macos_use_proto.Services().ByName("MacosUse").Methods().ByName(protoreflect.Name(name))
	if service != pb.MacosUse_ServiceDesc.ServiceName || m == nil {
		return status.Error(codes.Unimplemented, "unknown method "+full)
	}
	req := newMessage(m.Input()).Interface()
	if err := stream.RecvMsg(req); err != nil {
		return err
	}
	f.mu.Lock()
	f.requests = append(f.requests, request{name, req})
	answer, live, fails := f.answers[name], f.streams[name], f.fails
	for _, gap := range f.gaps {
		_ = stream.SetHeader(metadata.Pairs(pb.PartialHeader, gap))
	}
	for _, r := range f.remarks {
		_ = stream.SetHeader(metadata.Pairs(pb.NoteHeader, r))
	}
	f.mu.Unlock()
	if fails != codes.OK {
		return status.Error(fails, "the reason of the server")
	}
	if m.IsStreamingServer() {
		if live != nil {
			err := live(req, func(m proto.Message) { _ = stream.SendMsg(m) })
			if errors.Is(err, errStays) {
				<-stream.Context().Done()
				return status.FromContextError(stream.Context().Err()).Err()
			}
			return err
		}
		reply := newMessage(m.Output())
		populate(reply, 0)
		return stream.SendMsg(reply.Interface())
	}
	t, operation := replyType(m)
	reply := t.New().Interface()
	populate(reply.ProtoReflect(), 0)
	if answer != nil {
		var err error
		if reply, err = answer(req); err != nil {
			return err
		}
	}
	if operation {
		packed, err := anypb.New(reply)
		if err != nil {
			return err
		}
		f.mu.Lock()
		f.pending["operations/1"] = &longrunningpb.Operation{Name: "operations/1", Done: true, Result: &longrunningpb.Operation_Response{Response: packed}}
		f.mu.Unlock()
		return stream.SendMsg(&longrunningpb.Operation{Name: "operations/1"})
	}
	return stream.SendMsg(reply)
}

// GetOperation returns an operation as finished, unless the test sets another answer.
func (f *fake) GetOperation(ctx context.Context, r *longrunningpb.GetOperationRequest) (*longrunningpb.Operation, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, gap := range f.operationGaps {
		_ = grpc.SetHeader(ctx, metadata.Pairs(pb.PartialHeader, gap))
	}
	if op := f.pending[r.GetName()]; op != nil {
		if f.operation != nil {
			op = f.operation(op)
		}
		return op, nil
	}
	return nil, status.Error(codes.NotFound, "no such operation")
}

func (f *fake) on(method string, answer func(proto.Message) (proto.Message, error)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.answers[method] = answer
}

func (f *fake) fail(code codes.Code) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fails = code
}

// last returns the latest request of a method as text, and forgets all requests.
func (f *fake) last(method string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	found := "no request"
	for _, r := range f.requests {
		if r.method == method {
			found = string(compactJSON(jsonOf(r.message.ProtoReflect())))
		}
	}
	f.requests = nil
	return found
}

// jsonOf returns a message as JSON with only the fields that are set.
func jsonOf(m protoreflect.Message) map[string]any {
	out := make(map[string]any)
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		one := func(v protoreflect.Value) any {
			switch {
			case fd.Message() != nil && !fd.IsMap():
				return jsonOf(v.Message())
			case fd.Enum() != nil:
				return string(fd.Enum().Values().ByNumber(v.Enum()).Name())
			}
			return v.Interface()
		}
		switch {
		case fd.IsList():
			var all []any
			for i := range v.List().Len() {
				all = append(all, one(v.List().Get(i)))
			}
			out[string(fd.Name())] = all
		case fd.IsMap():
			all := make(map[string]any)
			v.Map().Range(func(k protoreflect.MapKey, v protoreflect.Value) bool { all[k.String()] = v.Interface(); return true })
			out[string(fd.Name())] = all
		default:
			out[string(fd.Name())] = one(v)
		}
		return true
	})
	return out
}

// picture returns a PNG image of a size.
func picture(w, h int) []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewRGBA(image.Rect(0, 0, w, h))); err != nil {
		panic(err) // writing to memory does not fail
	}
	return b.Bytes()
}

// populate sets every field that a successful answer has.
func populate(m protoreflect.Message, depth int) {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		fd := fields.Get(i)
		if o := fd.ContainingOneof(); o != nil && !o.IsSynthetic() && o.Fields().Get(0) != fd {
			continue
		}
		switch name := string(fd.Name()); {
		case name == "error" || name == "errors" || name == "next_page_token" || depth > 4:
		case fd.IsMap():
			m.Mutable(fd).Map().Set(protoreflect.ValueOfString("key").MapKey(), mapValue(fd))
		case fd.IsList() && fd.Message() != nil:
			populate(m.Mutable(fd).List().AppendMutable().Message(), depth+1)
		case fd.IsList():
			m.Mutable(fd).List().Append(sample(fd))
		case fd.Message() != nil:
			populate(m.Mutable(fd).Message(), depth+1)
		default:
			m.Set(fd, sample(fd))
		}
	}
}

func mapValue(fd protoreflect.FieldDescriptor) protoreflect.Value {
	if fd.MapValue().Kind() == protoreflect.Int32Kind {
		return protoreflect.ValueOfInt32(3)
	}
	return protoreflect.ValueOfString("value")
}

func sample(fd protoreflect.FieldDescriptor) protoreflect.Value {
	switch fd.Kind() {
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(true)
	case protoreflect.Int32Kind:
		return protoreflect.ValueOfInt32(7)
	case protoreflect.Int64Kind:
		return protoreflect.ValueOfInt64(8)
	case protoreflect.DoubleKind:
		return protoreflect.ValueOfFloat64(100)
	case protoreflect.EnumKind:
		if fd.Enum().FullName() == "macosusesdk.v1.Input.State" {
			return protoreflect.ValueOfEnum(protoreflect.EnumNumber(pb.Input_STATE_COMPLETED))
		}
		return protoreflect.ValueOfEnum(1)
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes(picture(40, 20))
	}
	return protoreflect.ValueOfString("the " + string(fd.Name()))
}

// environ returns the environment variables that connect a server to the fake.
func (f *fake) environ(name string) string {
	return map[string]string{"MACOS_USE_SERVER_SOCKET_PATH": f.socket, "MACOS_USE_REQUEST_TIMEOUT": "5"}[name]
}

// connect runs the server with an in-process client until the test ends.
func connect(t testing.TB, o Options, client *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	if o.Log == nil {
		o.Log = io.Discard
	}
	ours, theirs := mcp.NewInMemoryTransports()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = New(o).Run(ctx, theirs) // ctx ends it
	}()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, client).Connect(ctx, ours, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = session.Close()
		cancel()
		waittest.Receive(t, "the server ends", ended)
	})
	return session
}

// do calls a tool. data is the structured content of the result.
func do(t testing.TB, s *mcp.ClientSession, name, args string) (text string, data map[string]any, failed bool) {
	t.Helper()
	r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: json.RawMessage(args)})
	if err != nil {
		t.Fatalf("%s %s: %v", name, args, err)
	}
	b, err := json.Marshal(r.StructuredContent)
	if err != nil || json.Unmarshal(b, &data) != nil {
		t.Fatalf("%s: structured content %v", name, r.StructuredContent)
	}
	return r.Content[0].(*mcp.TextContent).Text, data, r.IsError
}
