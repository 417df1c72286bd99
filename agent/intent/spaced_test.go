package intent

import (
	"encoding/json"
	"testing"
)

// The words before a word with a file extension belong to the name, back to the verb or to a word
// that cannot be part of a name.
func TestFileNamesWithSpaces(t *testing.T) {
	tools := toolbox(t, known(t, "usual"))
	for request, want := range map[string]string{
		"read trip notes.md": `{"path":"trip notes.md"}`, "open trip notes.md": `{"path":"trip notes.md"}`, "show me trip notes.md": `{"path":"trip notes.md"}`,
		"show me the trip notes.md please": `{"path":"trip notes.md"}`, "open my trip notes.md": `{"path":"trip notes.md"}`, "can you read the file trip notes.md?": `{"path":"trip notes.md"}`,
		"show the contents of trip notes.md": `{"path":"trip notes.md"}`, "what does my trip notes.md say?": `{"path":"trip notes.md"}`, "read docs/trip notes.md": `{"path":"docs/trip notes.md"}`,
		"open Letter to Anna.md": `{"path":"Letter to Anna.md"}`, "read salt and pepper.txt": `{"path":"salt and pepper.txt"}`, "open 2026 budget.csv": `{"path":"2026 budget.csv"}`,
		`read "trip notes.md"`: `{"path":"trip notes.md"}`, "write hello to trip notes.md": `{"content":"hello","path":"trip notes.md"}`,
		"move a b.txt to c d.txt": `{"destination":"c d.txt","source":"a b.txt"}`, "rename trip notes.md to old notes.md": `{"destination":"old notes.md","source":"trip notes.md"}`,
		"show me notes.md and trip plan.md": `{"paths":["notes.md","trip plan.md"]}`, "show the last 5 lines of my server log.txt": `{"path":"server log.txt","tail":5}`,
		// These names have no spaces.
		"read the file notes.txt": `{"path":"notes.txt"}`, "show both readme.md and license.txt": `{"paths":["readme.md","license.txt"]}`, "show first 5 lines notes.txt": `{"head":5,"path":"notes.txt"}`,
		"show info budget.csv": `{"path":"budget.csv"}`, "read my holiday photo beach.png": `{"path":"beach.png"}`, "move notes.md to old/notes.md": `{"destination":"old/notes.md","source":"notes.md"}`,
	} {
		p := Find(request, tools)
		if got, err := json.Marshal(p.Args); p.Tool == nil || err != nil || string(got) != want {
			t.Errorf("%q gives %+v %s, want %s", request, p.Tool, got, want)
		}
	}
	x := newIndex(tools)
	for _, request := range []string{"find TODO in main.go", "delete everything except notes.txt", "git diff main.go", "fix the bugs in main.go", "copy notes to plan.md", "does it work with node.js"} {
		if text, at := x.quoteSpaced(request); text != request || at != nil {
			t.Errorf("%q becomes %q", request, text)
		}
	}
}

// The file names in earlier results decide where a name begins.
func TestListedNamesDecide(t *testing.T) {
	tools := toolbox(t, known(t, "usual"))
	for _, tt := range []struct{ listed, request, want string }{
		{"[FILE] notes.md\n[DIR] trip", "read trip notes.md", `{"path":"notes.md"}`},
		{"[FILE] trip notes.md\n[FILE] notes.md", "read trip notes.md", `{"path":"trip notes.md"}`},
		{"- all for one.md · file", "read all for one.md", `{"path":"all for one.md"}`},
		{`[{"name":"last of us.txt"}]`, "open last of us.txt", `{"path":"last of us.txt"}`},
		{"[FILE] otherwise notes.md5", "read trip notes.md", `{"path":"trip notes.md"}`},
	} {
		p := Find(tt.request, tools, tt.listed)
		if got, err := json.Marshal(p.Args); p.Tool == nil || err != nil || string(got) != tt.want {
			t.Errorf("%q after %q gives %+v %s, want %s", tt.request, tt.listed, p.Tool, got, tt.want)
		}
	}
}
