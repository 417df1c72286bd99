package desktop

import (
	"strconv"
	"strings"
	"testing"

	"cloud.google.com/go/longrunning/autogen/longrunningpb"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	pb "goated/servers/desktop/macosusesdk"
)

// lacking makes every answer of the service lack elements, for these reasons.
func (f *fake) lacking(reasons ...string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.gaps = nil
	for _, r := range reasons {
		f.gaps = append(f.gaps, strconv.QuoteToASCII(r))
	}
}

// An answer that lacks elements reports it in its text and its data, without exceeding its maximum
// length. A complete answer does not.
func TestAPartialTreeSaysSo(t *testing.T) {
	f := newFake(t)
	all := connect(t, Options{AllTools: true, Getenv: f.environ}, nil)
	few := connect(t, Options{Getenv: f.environ}, nil)
	const gap = "the application “x” answers slowly"
	for _, test := range []struct {
		compact    bool
		name, args string
	}{
		{false, "find_elements", `{"parent":"applications/12"}`},
		{false, "traverse_accessibility", `{"name":"applications/12"}`},
		{false, "get_element", `{"name":"applications/12/elements/e1"}`},
		{true, "find", `{"in":"12","role":"button"}`},
		{true, "see", `{"in":"12"}`},
		{true, "run", `{"tool":"find_elements","arguments":"{\"parent\":\"applications/12\"}"}`},
	} {
		s := all
		if test.compact {
			s = few
		}
		f.lacking()
		if text, data, failed := do(t, s, test.name, test.args); failed || strings.Contains(text, "missing") {
			t.Errorf("%s: a whole answer says %q, %v", test.name, text, data)
		}
		f.lacking(gap, gap)
		text, data, failed := do(t, s, test.name, test.args)
		note, _ := data["note"].(string)
		if want := "Elements are missing: " + gap + "."; failed || strings.Count(text, want) != 1 || !strings.Contains(note, want) {
			t.Errorf("%s answers %q with the note %q", test.name, text, note)
		}
	}
}

// A thing that was not found may be in the missing part, and a long answer stays within its maximum
// length. Texts from the service are limited in length.
func TestGapsOfFailuresAndLongAnswers(t *testing.T) {
	f := newFake(t)
	s := connect(t, Options{AllTools: true, Getenv: f.environ}, nil)
	f.lacking("it is slow")
	f.on("FindElements", func(proto.Message) (proto.Message, error) { return nil, status.Error(codes.NotFound, "no such thing") })
	if text, _, failed := do(t, s, "find_elements", `{"parent":"applications/12"}`); !failed || !strings.Contains(text, "Elements are missing: it is slow.") {
		t.Errorf("a failure answers %q", text)
	}
	long := &pb.FindElementsResponse{}
	for range 500 {
		long.Elements = append(long.Elements, &pb.Element{Role: "button", Text: proto.String("a name of some length"), ElementId: "e"})
	}
	f.on("FindElements", func(proto.Message) (proto.Message, error) { return proto.Clone(long), nil })
	f.lacking(strings.Repeat("é", 5000), "b", "c", "d", "e", "f")
	text, data, failed := do(t, s, "find_elements", `{"parent":"applications/12"}`)
	if n := len(text) + len(compactJSON(data)); failed || n > 8<<10 || !strings.Contains(text, "Elements are missing: é") || strings.Contains(text, "; e") {
		t.Errorf("%d bytes: %q", n, text)
	}
	f.mu.Lock()
	f.gaps = []string{"not quoted"}
	f.mu.Unlock()
	if text, _, failed := do(t, s, "find_elements", `{"parent":"applications/12"}`); failed || strings.Contains(text, "missing") {
		t.Errorf("a header that is not quoted gives %q", text)
	}
}

// A wait looks at the elements in a long operation. The last look may have missed elements, whether
// or not the wait succeeded.
func TestAWaitSaysThatElementsAreMissing(t *testing.T) {
	f := newFake(t)
	all := connect(t, Options{AllTools: true, Getenv: f.environ}, nil)
	few := connect(t, Options{Getenv: f.environ}, nil)
	const want = "Elements are missing: it answers slowly."
	f.mu.Lock()
	f.operationGaps = []string{strconv.QuoteToASCII("it answers slowly")}
	f.mu.Unlock()
	for _, fails := range []bool{false, true} {
		f.mu.Lock()
		f.operation = nil
		if fails {
			f.operation = func(op *longrunningpb.Operation) *longrunningpb.Operation {
				late := status.New(codes.DeadlineExceeded, "it did not happen").Proto()
				return &longrunningpb.Operation{Name: op.GetName(), Done: true, Result: &longrunningpb.Operation_Error{Error: late}}
			}
		}
		f.mu.Unlock()
		for _, test := range []struct {
			s          *mcp.ClientSession
			name, args string
		}{
			{all, "wait_element", `{"parent":"applications/1","text":"OK"}`},
			{all, "wait_element_state", `{"parent":"applications/1","element_id":"e","condition":"enabled"}`},
			{few, "wait", `{"in":"1","text":"OK"}`},
			{few, "wait", `{"element":"1:e","state":"enabled"}`},
		} {
			if text, _, failed := do(t, test.s, test.name, test.args); failed != fails || strings.Count(text, want) != 1 {
				t.Errorf("%s: failed=%t %q", test.name, failed, text)
			}
		}
	}
}

// An answer with a picture contains the remarks of the service, for example that the picture may
// show passwords.
func TestAPictureComesWithRemarks(t *testing.T) {
	f := newFake(t)
	s := connect(t, Options{Getenv: f.environ}, nil)
	f.mu.Lock()
	f.remarks = []string{strconv.QuoteToASCII("It may show passwords.")}
	f.mu.Unlock()
	text, data, failed := do(t, s, "screenshot", `{}`)
	note, _ := data["note"].(string)
	if failed || strings.Count(text, "It may show passwords.") != 1 || note != "It may show passwords." {
		t.Errorf("failed=%t %q with the note %q", failed, text, note)
	}
}
