package desktop

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/protobuf/proto"

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
