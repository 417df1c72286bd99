package view

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"goated/client"
	"goated/internal/errtext"
	"goated/registry"
	"goated/ui/view/format"
)

// Seed 003, property 5: the label of a server contains its name and the exact number of its
// tools.
func TestServerLabelHasNameAndCount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.String().Draw(t, "name")
		n := rapid.IntRange(0, 300).Draw(t, "tools")
		label := ServerLabel(client.Server{Name: name, Tools: make([]registry.Entry, n)})
		if !strings.Contains(label, name) || !strings.HasSuffix(label, " "+ToolCount(n)) {
			t.Fatalf("the label is %q", label)
		}
	})
	for n, want := range map[int]string{0: "0 tools", 1: "1 tool", 3: "3 tools", 12345: "12,345 tools"} {
		if got := ToolCount(n); got != want {
			t.Errorf("%d tools are %q", n, got)
		}
	}
}

func TestUncallableReasonsDoNotRepeat(t *testing.T) {
	got := UncallableReasons(client.Server{Uncallable: []registry.Uncallable{{Reason: "a"}, {Reason: "b"}, {Reason: "a"}}})
	if strings.Join(got, "") != "ab" {
		t.Errorf("the reasons are %q", got)
	}
}

func TestServerCommandCanBeSplitAgain(t *testing.T) {
	got := ServerCommand(client.Server{Path: "/a b/c.py", Args: []string{"--root", "My files", ""}})
	if got != `"/a b/c.py" --root "My files" ""` {
		t.Errorf("the command is %s", got)
	}
}

func TestSentence(t *testing.T) {
	for in, want := range map[string]string{
		"":                    "",
		"no route to host":    "No route to host.",
		"Done already.":       "Done already.",
		"really?":             "Really?",
		"read_file is no use": "read_file is no use.",
		"./a.py: not found":   "./a.py: not found.",
		"goated's window":     "goated's window.",
	} {
		if got := errtext.Sentence(in); got != want {
			t.Errorf("%q becomes %q", in, got)
		}
	}
}

func TestThousands(t *testing.T) {
	for n, want := range map[int]string{0: "0", 9999: "9999", 10000: "10,000", 1234567: "1,234,567", 1000000: "1,000,000"} {
		if got := format.Count(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}
