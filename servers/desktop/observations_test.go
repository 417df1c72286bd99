package desktop

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/protobuf/proto"

	pb "goated/servers/desktop/macosusesdk"
)

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
