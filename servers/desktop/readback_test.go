package desktop

import (
	"encoding/json"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	pb "goated/servers/desktop/macosusesdk"
)

// A correct write has no note. An empty field shows its label, Chromium adds an empty line to a
// text area, applications store only \n, and a slider shows its number in its own form. The server
// used to report all of these as wrong.
func TestACorrectWriteHasNoNote(t *testing.T) {
	f := newFake(t)
	s := connect(t, Options{Getenv: f.environ}, nil)
	for _, test := range []struct {
		role, value, shows string
		noted              bool
	}{
		{"text field", "", "Search", false},
		{"text area", "abc", "abc\n", false},
		{"text area", "a\r\nb", "a\nb", false},
		{"text area", "a\r\nb", "a\nb\n", false},
		{"text area", "a\nb", "a\r\nb", false},
		{"slider", "50.0", "50", false},
		{"text field", "abc", "xyz", true},
		{"text field", "abc\n", "abc", true},
		{"text area", "abc", "abc\n\n", true},
		{"table cell", "007", "7", true},
		{"slider", "50", "49", true},
	} {
		f.on("WriteElementValue", func(proto.Message) (proto.Message, error) {
			return &pb.WriteElementValueResponse{Success: true, Element: &pb.Element{Role: test.role, Text: proto.String(test.shows), ElementId: "e"}}, nil
		})
		args, err := json.Marshal(map[string]any{"element": "12:e", "text": test.value})
		if err != nil {
			t.Fatal(err)
		}
		text, data, failed := do(t, s, "type", string(args))
		note, _ := data["note"].(string)
		if failed || (note != "") != test.noted || strings.Contains(text, "not the written value") != test.noted {
			t.Errorf("a %s with %q shows %q: %s", test.role, test.value, test.shows, text)
		}
	}
}

// A key after the text leaves the element and the note about its text in the structured content,
// which some clients show instead of the text.
func TestAKeyKeepsTheNoteOfTheText(t *testing.T) {
	f := newFake(t)
	s := connect(t, Options{Getenv: f.environ}, nil)
	f.on("WriteElementValue", func(proto.Message) (proto.Message, error) {
		return &pb.WriteElementValueResponse{Success: true, Element: &pb.Element{Role: "text field", Text: proto.String("xyz"), ElementId: "e"}}, nil
	})
	text, data, failed := do(t, s, "type", `{"element":"12:e","text":"abc","key":"return"}`)
	e, _ := data["element"].(map[string]any)
	if note, _ := data["note"].(string); failed || !strings.Contains(note, "not the written value") || e["ref"] != "12:e" || data["state"] != "completed" {
		t.Errorf("%v: %s", data, text)
	}
}
