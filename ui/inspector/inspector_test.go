package inspector_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"goated/internal/inspect"
)

// traffic adds messages of some servers and a model.
func traffic(d *desk) {
	items := strings.TrimSuffix(strings.Repeat(`{"subject":"Night train"},`, 12), ",")
	for i := range 40 {
		d.call("files", "read_text_file", fmt.Sprintf(`{"path":"/home/ada/trip/%d.md"}`, i), `"result":{"content":[{"type":"text","text":"ok"}]}`, time.Duration(3+i)*time.Millisecond)
	}
	for i := range 8 {
		result := `"result":{"content":[]}`
		if i < 2 {
			result = `"error":{"code":-32603,"message":"rate limit"}`
		}
		d.call("gitHub", "list_issues", `{"repo":"x/y"}`, result, time.Duration(900+i*400)*time.Millisecond)
	}
	d.rec.Add(inspect.Frame{Server: "gemini", Sent: true, Time: d.Now, Data: []byte(`{"contents":[]}`), Size: 9400, Call: &inspect.Call{Method: "gemini-flash-latest:streamGenerateContent", ID: "1"}})
	d.rec.Add(inspect.Frame{Server: "gemini", Time: d.Now.Add(1310 * time.Millisecond), Data: []byte(`{"candidates":[]}`), Size: 3100, Call: &inspect.Call{ID: "1"}})
	d.add("mail", false, d.Now.Add(time.Second), `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
	d.Now = d.Now.Add(3 * time.Second)
	d.call("mail", "search_mail", `{"query":"“night train” booking","limit":20,"token":"[secret]"}`,
		`"result":{"structuredContent":{"result":[`+items+`]},"content":[{"type":"text","text":"12 messages: Night train"}],"isError":false}`, 412*time.Millisecond)
}

func TestMessagesAppearWhileTheyTravel(t *testing.T) {
	d := newDesk(t, true, fyne.NewSize(1020, 840))
	if !d.Reads("Waiting for messages") || !d.Reads("Live") {
		t.Fatalf("an empty inspector says %q", d.Texts())
	}
	d.Look("inspector-empty")
	traffic(d)
	d.Until("the call is listed", func() bool { return d.Reads("search_mail") })
	d.Until("the tiles are shown", func() bool { return d.Reads("Tokens") })
	for _, want := range []string{"412 ms", "1.31 s", "-32603", "note", "gemini-flash-latest", "streamGenerateContent", "notifications/tools/list_changed", "25%", "0.3k"} {
		if !d.Reads(want) {
			t.Errorf("the page does not say %q: %q", want, d.Texts())
		}
	}
	d.Press("search_mail", 1) // the first is in the tile
	d.Look("inspector")
	for _, want := range []string{"Mail · id 49 · 412 ms", `"query": `, "hidden", `12 items`, `1 field`, "Copy as goated call"} {
		if !d.Reads(want) {
			t.Errorf("the detail does not say %q: %q", want, d.Texts())
		}
	}
	d.Press("Copy as goated call")
	if want := `goated call search_mail --args '{"query":"“night train” booking","limit":20,"token":"[secret]"}' --server ./mail.py`; d.Copied != want {
		t.Errorf("copied %s", d.Copied)
	}
	d.Press("12 items") // opens structuredContent
	if d.Count(`"Night train"`) == 0 {
		t.Errorf("the list stays folded: %q", d.Texts())
	}
	d.Press("Raw")
	if !d.Says(`{"jsonrpc":"2.0","id":49,`) {
		t.Errorf("the raw message is missing: %q", d.Texts())
	}
	d.Key(fyne.KeyEscape)
	if d.Reads("Raw") {
		t.Error("Esc leaves the detail open")
	}
}

func TestFiguresOfTheTools(t *testing.T) {
	d := newDesk(t, false, fyne.NewSize(1020, 840))
	traffic(d)
	d.Until("the tiles are shown", func() bool { return d.Reads("Tokens") })
	d.Press("search_mail", 1)
	d.Look("inspector-light")
	d.Key(fyne.KeyEscape)
	d.Look("inspector-light-closed")
	d.PressIcon("list")
	if !d.Reads("Figures of the tools") || !d.Reads("75.0%") || !d.Reads("300") {
		t.Errorf("the sheet of the figures says %q", d.Texts())
	}
	d.Look("inspector-figures")
}

// If a tool fails before the user opens the inspector, the failed call is listed.
func TestMessagesFromBeforeAreThere(t *testing.T) {
	rec := &inspect.Recorder{}
	began := time.Date(2026, 11, 28, 9, 0, 0, 0, time.UTC)
	frame := func(sent bool, after time.Duration, data string) inspect.Frame {
		return inspect.Frame{Server: "boom", Sent: sent, Time: began.Add(after), Data: []byte(data), Size: len(data)}
	}
	rec.Earlier = func() []inspect.Frame {
		return []inspect.Frame{
			frame(true, 0, `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"explode","arguments":{}}}`),
			frame(false, 31*time.Millisecond, `{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"no"}],"isError":true}}`),
		}
	}
	d := deskOf(t, rec, true, fyne.NewSize(1020, 840))
	d.Until("the call from before the page opened is listed", func() bool { return d.Reads("explode") && d.Reads("31 ms") })
	d.call("mail", "later", `{}`, `"result":{"content":[]}`, time.Millisecond)
	d.Until("the next one is, too", func() bool { return d.Reads("later") })
}

// The call during which a server exited stayed "waiting", and its tile showed no error.
func TestACallThatEndsItsServerIsAnError(t *testing.T) {
	d := newDesk(t, false, fyne.NewSize(1020, 840))
	d.add("weather", true, d.Now, `{"jsonrpc":"2.0","id":1,"method":"server/discover"}`)
	d.add("weather", false, d.Now, `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}`)
	d.call("weather", "forecast", `{}`, "", 0)
	d.rec.Add(inspect.Frame{Server: "weather", Time: d.Now.Add(time.Millisecond), Data: []byte("Server exited: exit status 7"), Size: 28, End: inspect.Lost})
	d.Until("the call has ended", func() bool { return d.Count("ended") == 2 && d.Reads("declined") && d.Reads("100%") })
	if d.Reads("waiting") || d.Reads("-32601") {
		t.Errorf("the list says %q", d.Texts())
	}
	d.Press("forecast", 1)
	if !d.Says("Server exited: exit status 7") {
		t.Errorf("the detail says %q", d.Texts())
	}
	d.Look("inspector-ended")
	d.Key(fyne.KeyEscape)
	d.Key(fyne.KeyE)
	d.Until("only the errors are listed", func() bool { return d.Count("ended") == 2 && !d.Reads("declined") })
	d.Key(fyne.KeyE)
	d.rec.Add(inspect.Frame{Server: "weather", Sent: true, Time: d.Now.Add(time.Second), End: inspect.Closed})
	d.Until("the next connection is closed", func() bool { return d.Reads("connection closed") && d.Reads("closed") })
	d.Press("connection closed")
	if !d.Says("goated closed the connection.") {
		t.Errorf("the detail says %q", d.Texts())
	}
}

// "Pretty" showed a message whose end is not kept as one line. The sentence about that ended with
// an ellipsis, and a string of 34 bytes was folded.
func TestACutMessageIsFormatted(t *testing.T) {
	d := newDesk(t, true, fyne.NewSize(1020, 840))
	const method = "notifications/tools/list_changed of this server"
	data := `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","method":"` + method + `","tools":[{"name":"forecast","description":"Tells the wea`
	d.add("weather", true, d.Now, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	d.rec.Add(inspect.Frame{Server: "weather", Time: d.Now.Add(2 * time.Millisecond), Data: []byte(data), Size: 97_000})
	d.Until("the list of tools is there", func() bool { return d.Reads("tools/list") && d.Reads("cut") })
	d.Press("tools/list")
	for _, want := range []string{"goated keeps only the first 0.2 kB of this message.", `"resultType": `, `"forecast"`, "wea…"} {
		if !d.Says(want) {
			t.Errorf("the detail does not say %q: %q", want, d.Texts())
		}
	}
	if joined := strings.Join(d.Texts(), ""); !strings.Contains(joined, method) || strings.Contains(joined, " B,") {
		t.Errorf("the string is not whole: %q", d.Texts())
	}
	d.Look("inspector-cut")
}

func TestFiltersNarrowTheList(t *testing.T) {
	d := newDesk(t, false, fyne.NewSize(1020, 840))
	traffic(d)
	d.Until("the call is listed", func() bool { return d.Count("search_mail") == 2 })
	d.Key(fyne.KeyE)
	d.Until("only errors are listed", func() bool { return d.Count("-32603") == 2 && d.Count("ok") == 0 })
	d.Key(fyne.KeyEscape)
	d.Until("all are listed", func() bool { return d.Count("ok") > 10 })
	d.Enter("Find in messages", "NIGHT train")
	d.Key(fyne.KeyReturn)
	d.Until("the text is found", func() bool { return d.Count("ok") == 1 })
	d.Enter("Find in messages", "nowhere")
	d.Key(fyne.KeyReturn)
	d.Until("the page says that nothing matches", func() bool { return d.Reads("No message matches") })
	d.Press("Show all")
	d.Until("all are listed again", func() bool { return d.Count("ok") > 10 })
	d.Press("All servers")
	d.Press("Mail")
	d.Until("only one server is listed", func() bool { return d.Count("ok") == 1 && d.Count("note") == 1 })
	d.Press("All methods")
	d.Press("tools/call")
	d.Until("only its calls are listed", func() bool { return d.Count("ok") == 1 && d.Count("note") == 0 })
	if d.Reads("list_issues") {
		t.Error("the tiles don't follow the filter")
	}
}

// Messages that arrive later are shown in the open detail, and a scrolled list stays in place.
func TestTheDetailFollowsItsCall(t *testing.T) {
	d := newDesk(t, false, fyne.NewSize(1020, 840))
	id := d.call("mail", "slow", `{}`, "", 0)
	d.Until("the call is listed", func() bool { return d.Reads("waiting") })
	d.Key(fyne.KeyDown)
	if d.Says("Response") {
		t.Error("there is an answer before it came")
	}
	d.add("mail", false, d.Now.Add(time.Second), fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"done at last"}]}}`, id))
	d.Until("the answer is shown", func() bool { return d.Says("done at last") && d.Says("after 1.00 s") })
}

func TestPauseStopsTheRecording(t *testing.T) {
	d := newDesk(t, false, fyne.NewSize(1020, 840))
	d.call("mail", "one", `{}`, `"result":{}`, time.Millisecond)
	d.Until("the call is listed", func() bool { return d.Count("one") == 2 })
	d.Key(fyne.KeyP)
	if d.rec.On() || !d.Reads("Paused") {
		t.Error("P does not pause")
	}
	d.call("mail", "unseen", `{}`, `"result":{}`, time.Millisecond)
	d.Press("Resume")
	d.call("mail", "two", `{}`, `"result":{}`, time.Millisecond)
	d.Until("the next call is listed", func() bool { return d.Reads("two") })
	if d.Reads("unseen") {
		t.Error("a paused inspector records")
	}
	d.Press("Clear")
	d.Until("the list is empty", func() bool { return d.Reads("Waiting for messages") && !d.Reads("two") })
}

// A closed page continues to record, and shows the new messages when it opens again.
func TestRecordingGoesOnWhileThePageIsClosed(t *testing.T) {
	d := newDesk(t, false, fyne.NewSize(1020, 840))
	d.call("mail", "before", `{}`, `"result":{}`, time.Millisecond)
	d.Until("the call is listed", func() bool { return d.Count("before") == 2 })
	d.Press("before", 1) // focuses the list
	d.Shell.Main.Close()
	d.Canvas().Unfocus()
	d.call("mail", "meanwhile", `{}`, `"result":{}`, time.Millisecond)
	d.page.Open()
	d.Until("the call is listed", func() bool { return d.Reads("meanwhile") })
	d.Shell.Main.Close()
	d.page.Open()
	d.call("mail", "again", `{}`, `"result":{}`, time.Millisecond)
	d.Until("the page is live again", func() bool { return d.Reads("again") })
}

// A message that arrived just as the page closed crashed goated, because it was sent to a closed
// channel. The race detector finds that in each run.
func TestClosingWhileMessagesArrive(t *testing.T) {
	d := newDesk(t, false, fyne.NewSize(1020, 840))
	f := inspect.Frame{Server: "mail", Time: d.Now, Data: []byte(`{"jsonrpc":"2.0","method":"notifications/message"}`), Size: 50}
	over, added := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(added)
		for {
			select {
			case <-over:
				return
			default:
				d.rec.Add(f)
			}
		}
	}()
	defer func() { close(over); <-added }()
	for range 30 {
		d.Shell.Main.Close()
		d.page.Open()
	}
}

func TestMessagesAreExportedAndImported(t *testing.T) {
	d := newDesk(t, false, fyne.NewSize(1020, 840))
	traffic(d)
	d.Until("the call is listed", func() bool { return d.Count("search_mail") == 2 })
	d.Press("Export…")
	d.Until("the messages are exported", func() bool { return len(d.saved) > 0 })
	d.picked = filepath.Join(t.TempDir(), "trip.json")
	if err := os.WriteFile(d.picked, d.saved, 0o600); err != nil {
		t.Fatal(err)
	}
	d.Press("Clear")
	d.Until("the list is empty", func() bool { return d.Reads("Waiting for messages") })
	d.Press("Import…")
	d.Until("the file is shown", func() bool {
		return d.Reads("From a file") && d.Count("search_mail") == 2 && d.Says("trip.json · 101 messages")
	})
	d.call("mail", "fresh", `{}`, `"result":{}`, time.Millisecond)
	d.Press("Back to live")
	d.Until("the recording is shown", func() bool { return d.Reads("fresh") && !d.Reads("search_mail") })

	if err := os.WriteFile(d.picked, []byte(`{"messages":[{"timestamp":"x"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	d.Press("Import…")
	d.Until("a broken file is named", func() bool { return d.Says("trip.json can't be shown: ") || d.Says("Trip.json can't be shown: ") })
	if !d.Reads("fresh") {
		t.Error("a broken file replaces the list")
	}
}

// In a narrow window the detail replaces the list.
func TestANarrowWindowShowsOneAtATime(t *testing.T) {
	d := newDesk(t, true, fyne.NewSize(620, 600))
	traffic(d)
	d.Until("the call is listed", func() bool { return d.Reads("search_mail") })
	d.Look("inspector-narrow")
	d.Press("search_mail")
	d.Look("inspector-narrow-detail")
	if !d.Reads("Copy as goated call") || d.Reads("Took") {
		t.Errorf("the screen says %q", d.Texts())
	}
	d.PressIcon("close")
	if d.Reads("Copy as goated call") || !d.Reads("Took") {
		t.Errorf("the screen says %q", d.Texts())
	}
}

// All buttons of the header are visible, even in a narrow window, and after some were replaced by
// others.
func TestTheHeaderFitsANarrowWindow(t *testing.T) {
	for _, width := range []float32{260, 340, 560, 620, 1020} {
		d := newDesk(t, false, fyne.NewSize(width, 600))
		traffic(d)
		d.Until("the messages are counted", func() bool { return d.Says("1 server") || d.Says("servers") })
		fits := func(buttons ...string) {
			t.Helper()
			d.Look(fmt.Sprintf("inspector-header-%g-%s", width, buttons[0]))
			for _, text := range buttons {
				at, size, seen := d.Place(text)
				if !seen || at.X < 0 || at.X+size.Width > width-20 {
					t.Errorf("in a window of %g, %s is from %g to %g", width, text, at.X, at.X+size.Width)
				}
			}
			search, _, _ := d.PlaceOfField("Find in messages")
			if at, _, _ := d.Place("Export…"); search.Y < at.Y+20 {
				t.Errorf("in a window of %g, the body begins at %g, and the header ends below %g", width, search.Y, at.Y)
			}
		}
		fits("Pause", "Clear", "Import…", "Export…")
		d.Press("Export…")
		d.Until("the messages are exported", func() bool { return len(d.saved) > 0 })
		d.picked = filepath.Join(t.TempDir(), "messages.json")
		if err := os.WriteFile(d.picked, d.saved, 0o600); err != nil {
			t.Fatal(err)
		}
		d.Press("Import…")
		d.Until("the file is shown", func() bool { return d.Reads("Back to live") })
		fits("From a file", "Back to live", "Import…", "Export…")
	}
}

// BenchmarkScroll measures how much time of the UI goroutine it takes to scroll a list of 100,000
// frames by one notch of the wheel.
func BenchmarkScroll(b *testing.B) {
	d := newDesk(b, true, fyne.NewSize(1020, 840))
	for i := range inspect.MaxFrames / 2 {
		d.call("mail", fmt.Sprintf("tool_%d", i%300), `{"n":1}`, `"result":{"content":[]}`, time.Duration(i)*time.Microsecond)
	}
	d.Until("the frames are listed", func() bool { return d.Says("100,000 messages") })
	b.ResetTimer()
	for i := 0; b.Loop(); i++ {
		d.ScrollAt(fyne.NewPos(300, 600), []float32{-60, -60, -60, 60}[i%4])
	}
}

// The stream of a model is shown as a list of its events.
func TestAStreamIsFormatted(t *testing.T) {
	d := newDesk(t, false, fyne.NewSize(1020, 840))
	body := "data: {\"candidates\":[{\"index\":0}]}\r\n\r\ndata: {\"usageMetadata\":{\"totalTokenCount\":7}}\r\n\r\n"
	d.rec.Add(inspect.Frame{Server: "gemini", Sent: true, Time: d.Now, Data: []byte(`{}`), Size: 2, Call: &inspect.Call{Method: "m:streamGenerateContent", ID: "1"}})
	d.rec.Add(inspect.Frame{Server: "gemini", Time: d.Now.Add(time.Second), Data: []byte(body), Size: len(body), Call: &inspect.Call{ID: "1"}})
	d.Until("the request is listed", func() bool { return d.Reads("streamGenerateContent") })
	d.Key(fyne.KeyDown)
	if !d.Reads(`"totalTokenCount": `) || d.Says("data:") {
		t.Errorf("the screen says %q", d.Texts())
	}
	d.Press("Raw")
	if !d.Says("data:") || d.Says("U+000D") {
		t.Errorf("the screen says %q", d.Texts())
	}
}
