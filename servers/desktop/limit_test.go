package desktop

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/protobuf/proto"

	"goated/servers/desktop/link"
	pb "goated/servers/desktop/macosusesdk"
)

// The client must wait longer than the service, because the service can report how far the action
// got. Both waited 30 s for a command, and the client gave up on a long input before it ended.
func TestTheClientWaitsLongerThanTheService(t *testing.T) {
	input := func(a *pb.InputAction) proto.Message {
		return &pb.CreateInputRequest{Input: &pb.Input{Action: a}}
	}
	for _, c := range []struct {
		name, method string
		req          proto.Message
		args         map[string]any
		least        time.Duration
	}{
		{"a wait", "WaitElement", new(pb.WaitElementRequest), nil, 35 * time.Second},
		{"a wait for a state", "WaitElementState", new(pb.WaitElementStateRequest), nil, 35 * time.Second},
		{"a dialog to open", "AutomateOpenFileDialog", new(pb.AutomateOpenFileDialogRequest), nil, 15 * time.Second},
		{"a dialog to save", "AutomateSaveFileDialog", new(pb.AutomateSaveFileDialogRequest), nil, 15 * time.Second},
		{"a timeout in a string", "ExecuteShellCommand", new(pb.ExecuteShellCommandRequest), map[string]any{"timeout": " 100"}, 105 * time.Second},
		{"a read", "GetWindow", new(pb.GetWindowRequest), nil, time.Second},
		{"a command", "ExecuteShellCommand", new(pb.ExecuteShellCommandRequest), nil, 35 * time.Second},
		{"a command with a timeout", "ExecuteShellCommand", new(pb.ExecuteShellCommandRequest), map[string]any{"timeout": 100.0}, 105 * time.Second},
		{"an application", "OpenApplication", new(pb.OpenApplicationRequest), nil, 35 * time.Second},
		{"a long value", "WriteElementValue", &pb.WriteElementValueRequest{Value: strings.Repeat("é", 3000)}, nil, 65 * time.Second},
		{"a hover", "CreateInput", input(&pb.InputAction{InputType: &pb.InputAction_Hover{Hover: &pb.Hover{Duration: 60}}}), nil, 65 * time.Second},
		{"a held key", "CreateInput", input(&pb.InputAction{InputType: &pb.InputAction_PressKey{PressKey: &pb.KeyPress{HoldDuration: 60}}}), nil, 65 * time.Second},
		{"a slow text", "CreateInput", input(&pb.InputAction{InputType: &pb.InputAction_TypeText{TypeText: &pb.TextInput{Text: strings.Repeat("é", 1000), CharDelay: 0.05}}}), nil, 55 * time.Second},
	} {
		l, err := link.Dial(link.Config{Timeout: time.Second})
		if err != nil {
			t.Fatal(err)
		}
		got := (&call{desk: desk{link: l}, args: c.args}).limit(c.method, c.req)
		if err := l.Close(); err != nil {
			t.Error(err)
		}
		if got < c.least || c.name == "a read" && got != c.least {
			t.Errorf("%s may take %v, want %v", c.name, got, c.least)
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
