package desktop

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	pb "goated/servers/desktop/macosusesdk"
)

// If a name fits two applications or two windows, the error names both.
func TestAmbiguousNamesNameBoth(t *testing.T) {
	f := newFake(t)
	s := connect(t, Options{Getenv: f.environ}, nil)
	f.on("ListApplications", func(proto.Message) (proto.Message, error) {
		return &pb.ListApplicationsResponse{Applications: []*pb.Application{{Name: "applications/7", DisplayName: "Editor"}, {Name: "applications/8", DisplayName: "Editor"}}}, nil
	})
	f.on("ListWindows", func(req proto.Message) (proto.Message, error) {
		parent := req.(*pb.ListWindowsRequest).GetParent()
		return &pb.ListWindowsResponse{Windows: []*pb.Window{{Name: parent + "/windows/1", Title: "notes.txt"}}}, nil
	})
	for _, test := range []struct{ tool, args, one, other string }{
		{"find", `{"in":"Editor","role":"button"}`, "applications/7", "applications/8"},
		{"find", `{"in":"notes","role":"button"}`, "applications/7/windows/1", "applications/8/windows/1"},
		{"see", `{"in":"Editor"}`, "applications/7", "applications/8"},
		{"window", `{"action":"close","window":"notes.txt"}`, "applications/7/windows/1", "applications/8/windows/1"},
		{"screenshot", `{"window":"notes"}`, "applications/7/windows/1", "applications/8/windows/1"},
	} {
		text, _, failed := do(t, s, test.tool, test.args)
		if !failed || !strings.Contains(text, "fits several") || !strings.Contains(text, "("+test.one+")") || !strings.Contains(text, "("+test.other+")") {
			t.Errorf("%s %s answers %q", test.tool, test.args, text)
		}
	}
	if text, _, failed := do(t, s, "find", `{"in":"nothing","role":"button"}`); !failed || !strings.Contains(text, "NOT_FOUND") {
		t.Errorf("a name of nothing: %q", text)
	}
}

// A window's title may contain a slash, for example in a path or an address. It was mistaken for a
// complete name.
func TestATitleWithASlashIsATitle(t *testing.T) {
	f := newFake(t)
	s := connect(t, Options{Getenv: f.environ}, nil)
	f.on("ListWindows", func(proto.Message) (proto.Message, error) {
		return &pb.ListWindowsResponse{Windows: []*pb.Window{{Name: "applications/7/windows/1", Title: "CI/CD dashboard"}}}, nil
	})
	if text, _, failed := do(t, s, "window", `{"action":"focus","window":"CI/CD dash"}`); failed {
		t.Error(text)
	}
	if sent := f.last("FocusWindow"); sent != `{"name":"applications/7/windows/1"}` {
		t.Errorf("it focuses %s", sent)
	}
}

// A name selects the only thing that has it, or the only one that contains it. If several match,
// the error names them.
func TestPick(t *testing.T) {
	type thing struct{ title, id string }
	all := []thing{{"Mail", "applications/1"}, {"Mail Merge", "applications/2"}, {"Files", "applications/3"}, {"Editor", "applications/4"}, {"Editor", "applications/5"}}
	for name, want := range map[string]string{
		"Mail": "applications/1", "mail": "applications/1", "merge": "applications/2", "Files": "applications/3", "file": "applications/3",
		"Editor": "several applications", "i": "several applications", "Browser": `There are: "Mail", "Mail Merge"`,
	} {
		got, err := pick("application", name, all, func(t thing) string { return t.title }, func(t thing) string { return t.id })
		said := got.id
		if err != nil {
			f := toFailure(err)
			said = f.text + " " + f.hint
		}
		if err == nil && said != want || !strings.Contains(said, want) {
			t.Errorf("%q gives %q, want %q", name, said, want)
		}
	}
}

// An element is named together with its application, by its full name or as PID:ID.
func TestElementsAreNamedWithTheirApplication(t *testing.T) {
	for name, want := range map[string]string{"12:7": "applications/12/elements/7", "applications/12/elements/7": "applications/12/elements/7", "Mail:7": "", "7": "", "OK": "", ":7": ""} {
		got, err := desk{}.resolve(t.Context(), "element", name)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q is %q, %v", name, got, err)
		}
	}
}

// A number means the application with this name, such as the game 2048, or with this PID. It means
// the PID even if that process has ended and a title contains the number. If both exist, the caller
// must choose. Before, the game got a click that was meant for the process with this PID, which see
// shows.
func TestDigitsMayBeAName(t *testing.T) {
	f := newFake(t)
	s := connect(t, Options{Getenv: f.environ}, nil)
	f.on("ListApplications", func(proto.Message) (proto.Message, error) {
		return &pb.ListApplicationsResponse{Applications: []*pb.Application{{Name: "applications/7", DisplayName: "2048"}, {Name: "applications/8", DisplayName: "Writer"},
			{Name: "applications/2050", DisplayName: "Mail"}, {Name: "applications/12", DisplayName: "2050"}, {Name: "applications/31", DisplayName: "31"}, {Name: "applications/9", DisplayName: "99"}, {Name: "applications/10", DisplayName: "99"}}}, nil
	})
	f.on("ListWindows", func(req proto.Message) (proto.Message, error) {
		if req.(*pb.ListWindowsRequest).GetParent() != "applications/8" {
			return new(pb.ListWindowsResponse), nil
		}
		return &pb.ListWindowsResponse{Windows: []*pb.Window{{Name: "applications/8/windows/1", Title: "Invoice 1234"}, {Name: "applications/8/windows/2", Title: "8"}, {Name: "applications/8/windows/3", Title: "1984"}}}, nil
	})
	for in, want := range map[string]string{"2048": "applications/7", "2051": "applications/2051", "31": "applications/31", "applications/2050": "applications/2050", "8": "applications/8", "1234": "applications/1234", "1984": "applications/8/windows/3"} {
		if text, _, failed := do(t, s, "see", `{"in":"`+in+`"}`); failed {
			t.Errorf("%s: %q", in, text)
		}
		if sent := f.last("FindElements"); !strings.Contains(sent, `"parent":"`+want+`"`) {
			t.Errorf("%s means %s, want %s", in, sent, want)
		}
	}
	for in, both := range map[string][2]string{"99": {`"99" (applications/9)`, `"99" (applications/10)`}, "2050": {`"Mail" (applications/2050)`, `"2050" (applications/12)`}} {
		text, _, failed := do(t, s, "see", `{"in":"`+in+`"}`)
		if !failed || !strings.Contains(text, "fits several applications") || !strings.Contains(text, both[0]) || !strings.Contains(text, both[1]) {
			t.Errorf("%s fits two programs: %q", in, text)
		}
	}
}
