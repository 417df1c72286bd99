package ui

import (
	"errors"
	"fmt"
	"image"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2/test"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent"
	"goated/client"
	"goated/client/diagnose"
	"goated/internal/sandbox"
	"goated/registry"
	"goated/ui/chats"
	"goated/ui/dialogs"
	"goated/ui/internal/samples"
	"goated/ui/transcript"
	"goated/ui/view"
)

// The pictures are the design: each is looked at by a person before it is kept.
// The typefaces are embedded, so they are the same everywhere.

func matchGolden(t *testing.T, name string, dark bool, show func(d *desk)) {
	t.Helper()
	pictureOf(t, name, dark, Options{}, show)
}

func pictureOf(t *testing.T, name string, dark bool, o Options, show func(d *desk)) {
	t.Helper()
	if testing.Short() {
		t.Skip("drawing is slow under the race detector, and has one goroutine")
	}
	o.Desktop.Dark = &dark
	d := newDesk(t, o)
	d.see(samples.Servers())
	show(d)
	if dark {
		name += "_dark"
	}
	golden(t, name+".png", d.frame.win.Canvas().Capture())
}

// golden compares what is drawn with what is kept in testdata, and keeps what
// differs in testdata/failed. test.AssertImageMatches would write out both in
// hexadecimal.
func golden(t *testing.T, name string, got image.Image) {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	var want image.Image = image.NewNRGBA(image.Rectangle{})
	if err == nil {
		want, err = png.Decode(f)
		_ = f.Close()
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	if samples.SamePicture(got, want) {
		return
	}
	path := filepath.Join("testdata", "failed", name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	failed, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer failed.Close()
	if err := png.Encode(failed, got); err != nil {
		t.Fatal(err)
	}
	t.Errorf("it does not look like testdata/%s; it is in %s", name, path)
}

func TestPictureEmpty(t *testing.T) {
	matchGolden(t, "empty", false, func(d *desk) {})
}

func TestPictureChat(t *testing.T) {
	for _, dark := range []bool{false, true} {
		matchGolden(t, "chat", dark, func(d *desk) {
			d.chats.Chats[0].Chat = samples.Chat()
			d.chats.Chats = append(d.chats.Chats,
				&chats.Conversation{Chat: view.Chat{}.Say("Rename the invoice folder by month and year")},
				&chats.Conversation{Chat: view.Chat{}.Say("Plan a weekend walk")})
			d.chats.Chats[0].Cancel = func() {}
			d.chats.Refresh()
			d.chats.Transcript.View.Rows[1].Block.(*transcript.Card).Toggle()
			toTop(d.chats.Transcript)
		})
	}
}

// A list of objects is a table, and the card says what the model received.
func TestPictureTable(t *testing.T) {
	var rows strings.Builder
	for i, name := range []string{"Nordlicht GmbH", "Café Lumière", "Mara Keller", "東京文具", "Hütte am See", "Blue Pencil Ltd", "Jonas Bauer"} {
		for j := range 500 {
			fmt.Fprintf(&rows, `,{"id":%d,"date":"2026-%02d-14","customer":%q,"country":"Germany","amount":%d.%02d,"status":"paid","tags":["a",%d]}`, 10482+i*500+j, i+1, name, 9980-i*97-j, j%100, j)
		}
	}
	for _, dark := range []bool{false, true} {
		matchGolden(t, "table", dark, func(d *desk) {
			c := view.Chat{}.Say("Which orders of this year were the largest?").
				Apply(agent.ToolCalled{ID: "1", Server: "shop", Tool: "list_orders", Args: map[string]any{"year": 2026}}).
				Apply(agent.ToolDecided{ID: "1", Decision: agent.AllowOnce}).
				Apply(agent.ToolReturned{ID: "1", Duration: 218 * time.Millisecond, Result: &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "[" + rows.String()[1:] + "]"}}}}).
				Apply(agent.TextDelta{Text: "The largest is number 10482 from Nordlicht GmbH."})
			d.chats.Chats[0].Chat = c
			d.chats.Refresh()
			d.chats.Transcript.View.Rows[1].Block.(*transcript.Card).Toggle()
			toTop(d.chats.Transcript)
		})
	}
}

func TestPictureAnswer(t *testing.T) {
	matchGolden(t, "answer", false, func(d *desk) {
		c := view.Chat{}.Say("Explain it,\nthen book a table.")
		for _, e := range []agent.Event{
			agent.ThoughtDelta{Text: "They want an explanation first."},
			agent.TextDelta{Text: "## How it works\n\nA handler *streams* its rows, see `Handler`:\n\n```go\nfunc Handler(w http.ResponseWriter) {\n\tenc := json.NewEncoder(w)\n}\n```\n\n> Nothing is buffered.\n\n- one\n  - under it\n\n| Metric | Q3 |\n|---|---|\n| Latency | 212 ms |\n| Churn | 2.1 % |"},
			agent.ToolCalled{ID: "1", Server: "tables", Tool: "book_table"},
			agent.ToolDecided{ID: "1"},
			agent.ToolReturned{ID: "1", Error: "the user did not allow it"},
			agent.TurnEnded{Reason: agent.StepLimit, Steps: 10},
		} {
			c = c.Apply(e)
		}
		d.chats.Chats[0].Chat = c.Fail(errBoom)
		d.chats.Refresh()
		d.coloured()
		d.shell.Toasts.Say("check", "Connected to filesystem · 11 tools")
	})
}

func TestPictureReading(t *testing.T) {
	for _, dark := range []bool{false, true} {
		for _, end := range []bool{false, true} {
			name := "reading"
			if end {
				name = "reading_end"
			}
			matchGolden(t, name, dark, func(d *desk) {
				d.chats.Transcript.On.Regenerate, d.chats.Transcript.On.Edit, d.chats.Transcript.On.Delete = func(int) {}, func(int) {}, func(int) {}
				d.chats.Chats[0].Chat = view.Chat{}.Say("Can you check how we did against our Q3 targets, and tell me what to fix first?").
					Apply(agent.ThoughtDelta{Text: "The report comes first."}).
					Apply(agent.TextDelta{Text: samples.RichAnswer}).
					Apply(agent.TurnEnded{Reason: agent.Done, Usage: agent.Usage{Prompt: 1000, Answer: 204}})
				d.chats.Refresh()
				if !end {
					toTop(d.chats.Transcript)
				}
				d.coloured()
			})
		}
	}
}

func TestPictureFind(t *testing.T) {
	for _, dark := range []bool{false, true} {
		matchGolden(t, "find", dark, func(d *desk) {
			d.chats.Transcript.Begin = nil
			d.chats.Chats[0].Chat = view.Chat{}.Say("Was the target met in the EU region?").
				Apply(agent.TextDelta{Text: samples.RichAnswer}).
				Apply(agent.TurnEnded{Reason: agent.Done})
			d.chats.Refresh()
			toTop(d.chats.Transcript)
			d.chats.Transcript.Find.Open()
			test.Type(d.chats.Transcript.Find.Query, "target")
			from, to := d.passage("1. Profile the slow endpoint with pprof\n2. Move the JSON decoder out of the hot path\n  • it allocates 14 MB per request\n  • reuse buffers with a sync.Pool\n3. Re-run the load test"), d.passage("Summary")
			d.chats.Transcript.Selection.Mark(transcript.TextPos{Item: 1, Part: to.Part, At: 2}, transcript.TextPos{Item: 1, Part: from.Part, At: 70})
			d.chats.Transcript.Overlay.Hover(0, "https://grafana.example.org/d/q3")
		})
	}
}

func TestPictureConnect(t *testing.T) {
	for _, dark := range []bool{false, true} {
		matchGolden(t, "connect", dark, func(d *desk) {
			d.servers.Connect()
			d.servers.Connector.Path.Put("/home/ada/tools/weather.py")
			d.servers.Connector.Fail(&client.Error{Kind: client.ErrStart, Err: errors.New("exit status 1"), Stderr: []string{
				"Traceback (most recent call last):",
				`  File "/home/ada/tools/weather.py", line 3, in <module>`,
				"ModuleNotFoundError: No module named 'httpx'",
			}})
		})
	}
}

func TestPictureApproval(t *testing.T) {
	matchGolden(t, "approval", false, func(d *desk) {
		d.chats.Chats[0].Chat = view.Chat{}.Say("Tidy up my downloads").Apply(agent.ToolCalled{Server: "filesystem", Tool: "move_file"})
		d.chats.Refresh()
		d.shell.Sheets.Open(dialogs.NewApproval(d.shell, agent.ToolCalled{Tool: "move_file", Server: "filesystem", Args: map[string]any{
			"from":      "/home/ada/Downloads/invoice-2026-10.pdf",
			"to":        "/home/ada/Documents/Invoices/2026/10.pdf",
			"overwrite": false,
		}}, 2, func(any) {}))
	})
}

func TestPictureForm(t *testing.T) {
	matchGolden(t, "form", false, func(d *desk) {
		s := dialogs.NewArguments(d.shell, agent.Question{
			Tool: "book_table", Server: "restaurants",
			Description: "Books a table and sends a confirmation by mail.",
			Schema: schema(t, `{"type":"object","required":["name","guests","seat"],"properties":{
				"name":{"type":"string","title":"Name","description":"Whose name the table is under."},
				"guests":{"type":"integer","title":"Guests","minimum":1,"maximum":12},
				"seat":{"type":"string","title":"Where to sit","enum":["Inside","Outside"]},
				"window":{"type":"boolean","title":"By the window"}}}`),
			Args: map[string]any{"guests": 40.0},
		}, 0, func(any) {})
		d.shell.Sheets.Open(s)
		test.Tap(d.button("Submit"))
	})
}

// nestedForm has every kind of field, with a nested list and an optional object.
const nestedForm = `{"type":"object","required":["title","when","stops"],"properties":{
	"title":{"type":"string","title":"Title","maxLength":60},
	"when":{"type":"string","format":"date","title":"Departure"},
	"seats":{"type":"integer","title":"Seats","minimum":1,"maximum":9,"default":2},
	"budget":{"type":"integer","title":"Budget","minimum":0},
	"stops":{"type":"array","title":"Stops","minItems":1,"items":{"$ref":"#/$defs/Stop"}},
	"contact":{"$ref":"#/$defs/Contact"}},
	"$defs":{"Stop":{"type":"object","title":"Stop","required":["city"],"properties":{
		"city":{"type":"string","title":"City"},"nights":{"type":"integer","title":"Nights","minimum":1}}},
	"Contact":{"type":"object","title":"Contact","required":["mail"],"properties":{"mail":{"type":"string","format":"email","title":"Mail"}}}}}`

// Finding B22 and D7: a nested form, filled, with the messages beside the fields.
func TestPictureNestedForm(t *testing.T) {
	for _, dark := range []bool{false, true} {
		matchGolden(t, "form_nested", dark, func(d *desk) {
			d.shell.Sheets.Open(dialogs.NewArguments(d.shell, agent.Question{Tool: "plan_trip", Server: "travel", Schema: schema(t, nestedForm),
				Args: map[string]any{"title": "Lisbon", "when": "2026-03-31",
					"stops": []any{map[string]any{"city": "Porto", "nights": 2.0}, map[string]any{"city": ""}}},
			}, 0, func(any) {}))
			test.Tap(d.button("Submit"))
		})
	}
}

// A failed server shows its cause and the commands that fix it. One that prints to
// stdout says so, and so does one that restarts.
func TestPictureDiagnosis(t *testing.T) {
	matchGolden(t, "diagnosis", false, func(d *desk) {
		d.see(client.Snapshot{Servers: []client.Server{
			{ID: "weather", Name: "weather", Path: "/home/ada/tools/forecast.py", Status: client.Failed, Err: &client.Error{
				Kind: client.ErrStart, Err: errors.New("exit status 1: ModuleNotFoundError: No module named 'httpx'"),
				Diagnosis: &client.Diagnosis{Diagnosis: diagnose.Diagnosis{Cause: diagnose.PythonModule, Args: diagnose.Args{
					Subject: "httpx", Dir: "/home/ada/tools",
					Commands: [][]string{
						{"/usr/bin/python3", "-m", "venv", "/home/ada/tools/.venv"},
						{"/home/ada/tools/.venv/bin/python3", "-m", "pip", "install", "httpx"},
					},
				}}},
			}},
			{ID: "notes", Name: "notes", Path: "/home/ada/tools/notes.js", Status: client.Connected, Tools: make([]registry.Entry, 3), Confinement: client.Confinement{Sandbox: samples.Sandbox(), Policy: sandbox.Policy{Read: []string{"/home/ada/tools"}, State: "/x"}}, Noise: client.Noise{Lines: 12, Last: "[DEBUG] listening"}},
			{ID: "metrics", Name: "metrics", Path: "/opt/mcp/metrics.py", Status: client.Failed, RetryAt: d.clock.Add(4 * time.Second),
				Err: &client.Error{Kind: client.ErrExited, Err: errors.New("signal: killed"), Diagnosis: &client.Diagnosis{
					Diagnosis: diagnose.Diagnosis{Cause: diagnose.Killed}}}},
		}})
		d.servers.Connect()
	})
}

// How the sheet understands what a README says.
func TestPictureUnderstood(t *testing.T) {
	for _, dark := range []bool{false, true} {
		matchGolden(t, "understood", dark, func(d *desk) {
			d.servers.Connect()
			d.servers.Connector.Path.Put(
				`claude mcp add --transport http linear https://mcp.linear.app/mcp --header "Authorization: Bearer <your-token>"`)
		})
	}
}

// What a command will be able to do in its sandbox, and a folder to let it change.
func TestPictureForeseen(t *testing.T) {
	home, bin := t.TempDir(), t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("PATH", bin)
	if err := os.WriteFile(filepath.Join(bin, "npx"), nil, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Documents", "Pictures"} {
		if err := os.Mkdir(filepath.Join(home, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, dark := range []bool{false, true} {
		matchGolden(t, "foreseen", dark, func(d *desk) {
			d.servers.Probe = func() sandbox.Status { return samples.Sandbox() }
			d.servers.Connect()
			d.servers.Connector.Path.Put("npx -y @modelcontextprotocol/server-filesystem ~/Documents ~/Pictures")
		})
	}
}
