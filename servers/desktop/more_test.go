package desktop

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"cloud.google.com/go/longrunning/autogen/longrunningpb"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"

	pb "goated/servers/desktop/macosusesdk"
)

// elements returns n elements of a page, numbered from the given number.
func elements(n, from int) []*pb.Element {
	var all []*pb.Element
	for i := range n {
		all = append(all, &pb.Element{Role: "table cell", Text: proto.String(fmt.Sprintf("Row %d: \"naïve\" 日本語", from+i)), ElementId: fmt.Sprintf("e%d", from+i),
			X: proto.Float64(1), Y: proto.Float64(float64(from + i)), Width: proto.Float64(200), Height: proto.Float64(20), Enabled: proto.Bool(true)})
	}
	return all
}

// An answer has at most 8,000 bytes unless the call allows more. Pages neither lose nor repeat
// entries. Longer lists and texts report how much is missing.
func TestAnswersAreShort(t *testing.T) {
	f := newFake(t)
	few := connect(t, Options{Getenv: f.environ}, nil)
	all := connect(t, Options{AllTools: true, Getenv: f.environ, Scripting: true}, nil)
	const rows = 1000
	f.on("FindElements", func(m proto.Message) (proto.Message, error) {
		r := m.(*pb.FindElementsRequest)
		from := 0
		_, _ = fmt.Sscanf(r.GetPageToken(), "after %d", &from) // empty on the first page
		size := min(int(r.GetPageSize()), rows-from)
		if r.GetPageSize() == 0 {
			size = 100
		}
		reply := &pb.FindElementsResponse{Elements: elements(size, from)}
		if from+size < rows {
			reply.NextPageToken = fmt.Sprintf("after %d", from+size)
		}
		return reply, nil
	})
	size := func(text string, data map[string]any) int { return len(text) + len(compactJSON(data)) }
	for name, s := range map[string]*mcp.ClientSession{"see": few, "find_elements": all} {
		seen, token := 0, ""
		for range rows {
			args := map[string]any{"in": "12", "parent": "12", "page_token": token}
			delete(args, map[string]string{"see": "parent", "find_elements": "in"}[name])
			b, err := json.Marshal(args)
			if err != nil {
				t.Fatal(err)
			}
			text, data, failed := do(t, s, name, string(b))
			list, _ := data["elements"].([]any)
			if failed || len(list) == 0 || size(text, data) > defaultBytes {
				t.Fatalf("%s: %d elements in %d bytes: %.300s", name, len(list), size(text, data), text)
			}
			for _, e := range list {
				if want := fmt.Sprintf("Row %d:", seen); !strings.HasPrefix(e.(map[string]any)["text"].(string), want) {
					t.Fatalf("%s: %v, want %s", name, e, want)
				}
				seen++
			}
			token, _ = data["next_page_token"].(string)
			if token == "" {
				break
			}
		}
		if seen != rows {
			t.Errorf("%s showed %d of %d elements", name, seen, rows)
		}
	}
	text, data, _ := do(t, few, "see", `{"in":"12","max_bytes":100000}`)
	if n := len(data["elements"].([]any)); n < 200 || size(text, data) > 100000 {
		t.Errorf("with max_bytes %d elements in %d bytes", n, size(text, data))
	}

	f.on("TraverseAccessibility", func(proto.Message) (proto.Message, error) {
		return &pb.TraverseAccessibilityResponse{Elements: elements(10000, 0)}, nil
	})
	f.on("GetClipboard", func(proto.Message) (proto.Message, error) {
		return &pb.Clipboard{Content: &pb.ClipboardContent{Content: &pb.ClipboardContent_Text{Text: strings.Repeat("日本語\n", 1<<18)}}}, nil
	})
	f.on("ExecuteShellCommand", func(proto.Message) (proto.Message, error) {
		return &pb.ExecuteShellCommandResponse{Success: false, ExitCode: 3, Stdout: strings.Repeat("out\x00", 1<<18), Stderr: strings.Repeat("err ", 1<<18), Error: strings.Repeat("why ", 1<<18)}, nil
	})
	f.on("ListWindows", func(proto.Message) (proto.Message, error) {
		reply := new(pb.ListWindowsResponse)
		for i := range 500 {
			reply.Windows = append(reply.Windows, &pb.Window{Name: fmt.Sprintf("applications/1/windows/%d", i), Title: strings.Repeat("t", 300), Bounds: new(pb.Bounds)})
		}
		return reply, nil
	})
	for _, test := range []struct {
		s                *mcp.ClientSession
		tool, args, want string
	}{
		{all, "traverse_accessibility", `{"name":"1"}`, "of 10000 elements. Pass max_bytes for more."},
		{all, "get_clipboard", `{}`, "of 2621440 bytes]"},
		{all, "execute_shell_command", `{"command":"x"}`, "exit_code: 3"},
		{all, "list_windows", `{}`, "of 500 windows. Pass max_bytes for more."},
		{few, "see", `{}`, "of 500 windows. Pass max_bytes for more."},
	} {
		text, data, _ := do(t, test.s, test.tool, test.args)
		if n := size(text, data); n > defaultBytes || n < defaultBytes/4 || !strings.Contains(text, test.want) {
			t.Errorf("%s: %d bytes (%d text), without %q: %.50s … %s", test.tool, n, len(text), test.want, text, text[max(0, len(text)-80):])
		}
	}
}

// A picture is scaled down, and positions in it are scaled back up.
func TestPositionsInScreenshots(t *testing.T) {
	f := newFake(t)
	s := connect(t, Options{Getenv: f.environ}, nil)
	f.on("ListDisplays", func(proto.Message) (proto.Message, error) {
		return &pb.ListDisplaysResponse{Displays: []*pb.Display{
			{DisplayId: 7, Frame: &pb.Region{X: -1920, Y: 0, Width: 1920, Height: 1080}},
			{DisplayId: 8, IsMain: true, Frame: &pb.Region{Width: 2000, Height: 1000}, Scale: 2},
		}}, nil
	})
	whole := picture(4000, 2000)
	f.on("CaptureScreenshot", func(proto.Message) (proto.Message, error) {
		return &pb.CaptureScreenshotResponse{ImageData: whole, Format: pb.ImageFormat_IMAGE_FORMAT_PNG, Width: 4000, Height: 2000}, nil
	})
	r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "screenshot", Arguments: map[string]any{"max_side": 500}})
	if err != nil || r.IsError {
		t.Fatal(r, err)
	}
	shown := r.Content[1].(*mcp.ImageContent)
	config, _, err := image.DecodeConfig(strings.NewReader(string(shown.Data)))
	if err != nil || config.Width != 500 || config.Height != 250 || shown.MIMEType != "image/png" {
		t.Fatalf("%dx%d %s, %v", config.Width, config.Height, shown.MIMEType, err)
	}
	click := func(args, want string) {
		t.Helper()
		if text, _, failed := do(t, s, "press", args); failed {
			t.Error(text)
		}
		if got := f.last("CreateInput"); !strings.Contains(got, want) {
			t.Errorf("%s sends %s", args, got)
		}
	}
	click(`{"x":100,"y":50,"screenshot":"s1"}`, `"position":{"x":402,"y":202}`)
	click(`{"x":0,"y":0,"to_x":499,"to_y":249,"screenshot":"s1"}`, `"drag":{"end_position":{"x":1998,"y":998},"start_position":{"x":2,"y":2}}`)
	if text, _, failed := do(t, s, "press", `{"x":500,"y":50,"screenshot":"s1"}`); !failed || !strings.Contains(text, "is outside of screenshot") {
		t.Error(text)
	}
	if text, _, failed := do(t, s, "screenshot", `{"display":7,"max_side":500}`); failed || !strings.Contains(text, "1920×1080 at (-1920, 0)") {
		t.Error(text)
	}
	click(`{"x":250,"y":125,"screenshot":"s2"}`, `"position":{"x":-958.08`)
	f.on("CaptureScreenshot", func(proto.Message) (proto.Message, error) {
		return &pb.CaptureScreenshotResponse{ImageData: []byte("no picture")}, nil
	})
	if text, _, failed := do(t, s, "screenshot", `{}`); !failed || !strings.Contains(text, "damaged") {
		t.Error(text)
	}
}

// A picture of an element at the edge of the screen lacks the part beyond the edge. Positions count
// from the visible part. If the picture's size matches neither part, the server refuses positions
// in it.
func TestPositionsInPicturesAtTheEdge(t *testing.T) {
	f := newFake(t)
	s := connect(t, Options{Getenv: f.environ}, nil)
	f.on("ListDisplays", func(proto.Message) (proto.Message, error) {
		return &pb.ListDisplaysResponse{Displays: []*pb.Display{{DisplayId: 1, IsMain: true, Frame: &pb.Region{Width: 1000, Height: 800}, Scale: 1.5}}}, nil
	})
	x, y, width, height := -20.0, 770.0, 140.0, 80.0
	f.on("GetElement", func(proto.Message) (proto.Message, error) {
		return &pb.Element{Role: "button", ElementId: "e1", X: &x, Y: &y, Width: &width, Height: &height}, nil
	})
	sizes := [][2]int{{120, 30}, {140, 80}, {77, 33}} // cut at the left and bottom; whole; neither
	f.on("CaptureElementScreenshot", func(proto.Message) (proto.Message, error) {
		n := sizes[0]
		sizes = sizes[1:]
		return &pb.CaptureElementScreenshotResponse{ImageData: picture(n[0], n[1]), Format: pb.ImageFormat_IMAGE_FORMAT_PNG, Width: int32(n[0]), Height: int32(n[1])}, nil
	})
	for _, want := range []string{`"position":{"x":10.5,"y":780.5}`, `"position":{"x":-9.5,"y":780.5}`, ""} {
		_, data, failed := do(t, s, "screenshot", `{"element":"1:e1"}`)
		if failed {
			t.Fatal(data)
		}
		text, _, failed := do(t, s, "press", fmt.Sprintf(`{"x":10,"y":10,"screenshot":%q}`, data["screenshot"]))
		// The request has a parent, so the service refuses another application there.
		if got := f.last("CreateInput"); failed != (want == "") || !failed && !(strings.Contains(got, want) && strings.Contains(got, `"parent":"applications/1"`)) {
			t.Errorf("%s (%s), want %s", got, text, want)
		}
	}
}

// Events of an observation arrive as progress and in the answer, each exactly once.
func TestObservationsStream(t *testing.T) {
	f := newFake(t)
	more := make(chan struct{})
	f.streams["StreamObservations"] = func(_ proto.Message, send func(proto.Message)) error {
		for i := range int64(5) {
			if i == 3 {
				<-more
			}
			send(&pb.StreamObservationsResponse{Event: &pb.ObservationEvent{Sequence: i + 1, EventType: &pb.ObservationEvent_WindowEvent{WindowEvent: &pb.WindowEvent{EventType: 1, Title: fmt.Sprint("w", i)}}}})
		}
		return nil
	}
	var mu sync.Mutex
	var progress, logs int
	s := connect(t, Options{AllTools: true, Getenv: f.environ}, &mcp.ClientOptions{
		ProgressNotificationHandler: func(context.Context, *mcp.ProgressNotificationClientRequest) { mu.Lock(); progress++; mu.Unlock() },
		//lint:ignore SA1019 clients of the earlier era get observations as log messages
		LoggingMessageHandler: func(context.Context, *mcp.LoggingMessageRequest) { mu.Lock(); logs++; mu.Unlock() },
	})
	text, data, failed := do(t, s, "create_observation", `{"parent":"applications/1","type":"window_changes"}`)
	if failed {
		t.Fatal(text)
	}
	name := data["name"].(string)
	var titles []string
	after := 0.0
	for n := 0; len(titles) < 3 && n < 6; n++ {
		_, data, failed = do(t, s, "stream_observations", fmt.Sprintf(`{"name":%q,"after":%g,"timeout":5}`, name, after))
		if failed {
			t.Fatal(data)
		}
		for _, e := range data["events"].([]any) {
			titles = append(titles, e.(map[string]any)["window_event"].(map[string]any)["title"].(string))
		}
		after = data["last_sequence"].(float64)
	}
	if _, data, _ = do(t, s, "stream_observations", fmt.Sprintf(`{"name":%q,"after":%g,"timeout":0}`, name, after)); len(data["events"].([]any)) != 0 || data["ended"] != false {
		t.Errorf("polled %v", data)
	}
	close(more)
	params := &mcp.CallToolParams{Name: "stream_observations", Arguments: map[string]any{"name": name, "after": after, "timeout": 5}}
	params.SetProgressToken("p")
	for n := 0; len(titles) < 5 && n < 6; n++ {
		params.Arguments = map[string]any{"name": name, "after": after, "timeout": 5}
		r, err := s.CallTool(t.Context(), params)
		if err != nil || r.IsError {
			t.Fatal(r, err)
		}
		got := r.StructuredContent.(map[string]any)
		for _, e := range got["events"].([]any) {
			titles = append(titles, e.(map[string]any)["window_event"].(map[string]any)["title"].(string))
		}
		after = got["last_sequence"].(float64)
	}
	if strings.Join(titles, " ") != "w0 w1 w2 w3 w4" {
		t.Errorf("events %q", titles)
	}
	_, data, _ = do(t, s, "stream_observations", fmt.Sprintf(`{"name":%q,"after":5,"timeout":5}`, name))
	if data["ended"] != true {
		t.Errorf("after the end: %v", data)
	}
	told := func() bool { mu.Lock(); defer mu.Unlock(); return progress >= 2 }
	for deadline := time.Now().Add(20 * time.Second); !told() && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond) // the client handles notifications concurrently with answers
	}
	mu.Lock()
	defer mu.Unlock()
	if progress != 2 || logs != 0 { // the client has not set a level
		t.Errorf("%d progress notifications, %d log messages", progress, logs)
	}
}

// A macro reports each action as progress.
func TestMacroReportsProgress(t *testing.T) {
	f := newFake(t)
	var mu sync.Mutex
	var messages []string
	s := connect(t, Options{Getenv: f.environ}, &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			mu.Lock()
			defer mu.Unlock()
			messages = append(messages, r.Params.Message)
		},
	})
	step := int32(0)
	f.operation = func(op *longrunningpb.Operation) *longrunningpb.Operation {
		if step++; step > 3 {
			return op
		}
		metadata, err := anypb.New(&pb.ExecuteMacroMetadata{CurrentAction: step, TotalActions: 3})
		if err != nil {
			t.Error(err)
		}
		return &longrunningpb.Operation{Name: op.GetName(), Metadata: metadata}
	}
	params := &mcp.CallToolParams{Name: "run", Arguments: map[string]any{"macro": "m"}}
	params.SetProgressToken("p")
	if r, err := s.CallTool(t.Context(), params); err != nil || r.IsError {
		t.Fatal(r, err)
	}
	mu.Lock()
	defer mu.Unlock()
	if got := strings.Join(messages, ", "); got != "Action 1 of 3, Action 2 of 3, Action 3 of 3" {
		t.Error(got)
	}
	f.on("ExecuteMacro", func(proto.Message) (proto.Message, error) {
		return &pb.ExecuteMacroResponse{ActionsExecuted: 2, Error: "the window is gone"}, nil
	})
	text, data, failed := do(t, s, "run", `{"macro":"m"}`)
	if !failed || !strings.Contains(text, "It did not work: the window is gone (FAILED_PRECONDITION)") || data["actions_executed"] != 2.0 {
		t.Error(text, data)
	}
}

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

// A failing call never ends the server. A cancelled call ends soon.
func TestCancelledCalls(t *testing.T) {
	f := newFake(t)
	s := connect(t, Options{Getenv: f.environ}, nil)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	began := time.Now()
	if _, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "wait", Arguments: map[string]any{"seconds": 60}}); err == nil {
		t.Error("the call was not cancelled")
	}
	if d := time.Since(began); d > 5*time.Second {
		t.Errorf("it took %s", d)
	}
	if text, _, failed := do(t, s, "see", `{}`); failed {
		t.Error(text)
	}
}
