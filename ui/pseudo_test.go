package ui

import (
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent"
	"goated/ui/say"
	"goated/ui/view"
)

// texts is everything of the window's furniture that is visible on the top
// layer, and the hints in its fields.
func texts(d *desk) (all []string) {
	find(d, func(l *label) bool { all = append(all, l.text); return false })
	find(d, func(l *lettered) bool { all = append(all, l.text); return false })
	find(d, func(b *button) bool { all = append(all, b.text); return false })
	find(d, func(p *prose) bool { all = append(all, plainText(p.spans)); return false })
	find(d, func(in *input) bool { all = append(all, in.PlaceHolder); return false })
	slices.Sort(all)
	return slices.Compact(all)
}

// moreStates are those in which there is something else to read than in states.
func moreStates(t *testing.T) map[string]func(d *desk) {
	all := states()
	all["question"] = func(d *desk) {
		ask(d, agent.Question{Tool: "book_table", Server: "restaurants", Schema: schema(t, `{"type":"object","required":["name"],
			"properties":{"name":{"type":"string"},"guests":{"type":"integer","minimum":1}}}`)})
		test.Tap(d.button(say.S("Submit")))
	}
	all["elicitation"] = func(d *desk) {
		ask(d, elicitation{"restaurants", &mcp.ElicitParams{Message: "which?", RequestedSchema: schema(t, `{"type":"object","properties":{"name":{"type":"string"}}}`)}})
	}
	all["page"] = func(d *desk) {
		ask(d, elicitation{"restaurants", &mcp.ElicitParams{Mode: "url", Message: "which?", URL: "https://example.com/"}})
	}
	all["no page"] = func(d *desk) {
		ask(d, elicitation{"restaurants", &mcp.ElicitParams{Mode: "url", Message: "which?", URL: "file:///"}})
	}
	all["rename"] = func(d *desk) { d.rename(d.conversation()) }
	all["save"] = func(d *desk) { d.save("result.json", []byte("{}")) }
	all["viewer"] = func(d *desk) { d.view(view.TextOf("", strings.Repeat("-\n", 30000))) }
	all["find"] = func(d *desk) { d.transcript.find() }
	all["toasts"] = func(d *desk) {
		d.copy("1")
		d.removes(removal{c: d.conversation()}, "")
		d.toasts.say("info", d.spent())
	}
	all["cautions"] = func(d *desk) { d.waiting(errors.New("0")) }
	all["days"] = func(d *desk) {
		for _, days := range []int{0, 1, 5, 20, 60, 400} {
			d.chats = append(d.chats, &conversation{began: d.clock.AddDate(0, 0, -days)})
		}
		d.list()
	}
	all["no key"] = func(d *desk) { d.options.Keys = &Keys{}; d.openSettings(settingsModel) }
	all["nothing yet"] = func(d *desk) {
		d.see(someServers())
		d.servers.Servers = nil
		d.see(d.servers)
		d.openPalette()
	}
	return all
}

// given are what comes from servers, models, files and people in the states, and
// what is the same in every language.
var given = []string{
	"/home/ada/", "/home/ada/tools", "/home/ada/tools/", "/opt/mcp/", "/path/to/server.py", "/a/b.py", "/a/c.js", "My files", "forecast.py", ".py", ".js", ".go", "ghost", "destination",
	"Run the script in a terminal to see what it says.", "Server exited: exit status 1.", `The server offers 2 tools named "query", so none of them can be called.`, // of client's
	"filesystem", "calendar", "weather", "metrics", "restaurants", "book_table", "guests", "name", "which?",
	"goated", "gemini-flash-latest", "move_file", "query_range", "fetch_traces", "write", "p95(latency)", "p95_ms", "target_ms",
	"read_file", `"text": "`, `line\n`, "expr", "range", "since", "source", "90d", "7d", "path", "limit",
	"/home/ada/.local/share/", "/logs/goated.log", "https://example.com/", "file:///", "/path/to/file",
	"The model can't be reached: connection refused.", "There is no file reports/2026-Q3.md.", "reports/2026-Q3.md",
	"Can you check how we did against our Q3 targets, and tell me what to fix first?", "Another one",
	"A sentence that goes on for a while, so that it takes lines. ", view.Cut(strings.Repeat("A sentence that goes on for a while, so that it takes lines. ", 30), 400),
	"harbour at dusk.png", "tides.csv", "Pasted text.txt", "PNG", "CSV", "TXT", "goated-flash",
	"List the files in .", "Remember coffee as flat white", "What do you remember about coffee", // Offline understands no other
}

var (
	letter    = regexp.MustCompile(`[A-Za-z]`)
	modelName = regexp.MustCompile(`^gemini-\d+-flash$`)
	keyName   = regexp.MustCompile(`(^|\+)([A-Z]|F\d+)$|^filesystem__read_text_file_\d+$`)
)

// declared is what the servers on show say of their tools.
func declared() []string {
	var all []string
	for _, e := range toolServers().Servers[0].Tools {
		schema, _ := json.Marshal(e.Tool.InputSchema) // of the test's own values
		all = append(all, e.Tool.Name, e.Tool.Description)
		for _, text := range regexp.MustCompile(`"[^"]*"`).FindAllString(string(schema), -1) {
			all = append(all, strings.Trim(text, `"`))
		}
	}
	return all
}

// english is what is left of a text without what is given.
func english(text string) string {
	text = modelName.ReplaceAllString(keyName.ReplaceAllString(text, ""), "")
	given := append(declared(), given...)
	longest := slices.SortedFunc(slices.Values(given), func(a, b string) int { return len(b) - len(a) })
	for _, g := range longest {
		text = strings.ReplaceAll(text, g, "")
	}
	if cut, ok := strings.CutSuffix(text, "…"); ok { // where there was no room for all of it
		for _, g := range given {
			if strings.HasPrefix(g, strings.TrimSpace(cut)) {
				return ""
			}
		}
	}
	if !letter.MatchString(text) {
		return ""
	}
	return text
}

// Everything that the window shows is in the language that is spoken, and has
// room where that takes 40 % more of it than English.
func TestNothingIsLeftInEnglish(t *testing.T) {
	for name, draw := range moreStates(t) {
		t.Run(name, func(t *testing.T) {
			speakStrangely(t)
			d := newDesk(t, Options{})
			d.see(someServers())
			draw(d)
			d.win.Resize(fyne.NewSize(1280, 840))
			d.head()
			fits(t, d, "at 1280 × 840")
			strange := 0
			for _, text := range texts(d) {
				if strings.Contains(text, "~]") {
					strange++
				}
				if rest := english(text); rest != "" {
					t.Errorf("%q is English: %q", text, rest)
				}
			}
			if strange == 0 {
				t.Error("nothing is said")
			}
			apart(t, d)
		})
	}
}

// apart looks whether two texts are written over each other.
func apart(t *testing.T, d *desk) {
	t.Helper()
	type written struct {
		text string
		at   fyne.Position
		size fyne.Size
	}
	var all []written
	add := func(o fyne.CanvasObject, text string, need fyne.Size) {
		if at, size, seen := sight(d, o); seen && text != "" {
			all = append(all, written{text, at, fyne.NewSize(min(size.Width, need.Width), min(size.Height, need.Height))})
		}
	}
	find(d, func(l *label) bool {
		if !l.right && !l.centre {
			add(l, l.text, l.measure(l.text))
		} else {
			add(l, l.text, l.Size())
		}
		return false
	})
	find(d, func(p *prose) bool { add(p, plainText(p.spans), p.Size()); return false })
	for i, a := range all {
		for _, b := range all[:i] {
			wide := min(a.at.X+a.size.Width, b.at.X+b.size.Width) - max(a.at.X, b.at.X)
			high := min(a.at.Y+a.size.Height, b.at.Y+b.size.Height) - max(a.at.Y, b.at.Y)
			if wide > 1 && high > 1 {
				t.Errorf("%q is written over %q: %v %v, %v %v", view.Cut(a.text, 60), view.Cut(b.text, 60), a.at, a.size, b.at, b.size)
			}
		}
	}
}

func TestEnglishIsFound(t *testing.T) {
	for text, found := range map[string]bool{
		"Deny": true, "[Ŕûñ write? ~~]": false, "[Ŕûñ it? ~~]": true, "filesystem": false, "Can you check…": false, "Can we…": true,
		strange("Deny %s"): true, strings.ReplaceAll(strange("Deny %s"), "%s", "metrics"): false, "1 more": true, "3 tools": true,
	} {
		if got := english(text) != ""; got != found {
			t.Errorf("%q: %v, want %v", text, got, found)
		}
	}
}
