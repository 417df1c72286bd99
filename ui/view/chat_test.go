package view

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"pgregory.net/rapid"

	"goated/agent"
	"goated/internal/wording"
	"goated/ui/view/format"
)

func fold(c Chat, events ...agent.Event) Chat {
	for _, e := range events {
		c = c.Apply(e)
	}
	return c
}

func text(s string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: s}}}
}

func TestFold(t *testing.T) {
	call := agent.ToolCalled{ID: "1", Name: "files__read", Server: "files", Tool: "read", Args: map[string]any{"path": "a"}}
	given := TextOf("Arguments", FormatJSON(call.Args))
	began := time.Unix(9, 0)
	card := Card{ID: "1", Server: "files", Tool: "read", Arguments: FormatJSON(call.Args), Given: &given}
	with := func(c Card, change func(*Card)) Card { change(&c); return c }
	for _, c := range []struct {
		name   string
		events []agent.Event
		want   []Item
	}{
		{"pieces of an answer are one", []agent.Event{agent.TextDelta{Text: "Hel"}, agent.TextDelta{Text: "lo"}}, []Item{Answer{Text: "Hello"}}},
		{"blanks alone are no answer", []agent.Event{agent.TextDelta{Text: " \n"}}, nil},
		{"thoughts stand apart", []agent.Event{agent.ThoughtDelta{Text: "Hm"}, agent.ThoughtDelta{Text: "m"}, agent.TextDelta{Text: "Yes"}}, []Item{Thought{"Hmm"}, Answer{Text: "Yes"}}},
		{"a call waits", []agent.Event{call}, []Item{card}},
		{"a call runs", []agent.Event{call, agent.ToolDecided{ID: "1", Decision: agent.AllowOnce, At: began}}, []Item{with(card, func(c *Card) { c.Status, c.Began = Running, began })}},
		{"a call runs as the user changed it", []agent.Event{call, agent.ToolDecided{ID: "1", Decision: agent.AllowOnce, At: began, Args: map[string]any{"path": "b"}}}, []Item{with(card, func(c *Card) {
			changed := TextOf("Arguments, as you changed them", FormatJSON(map[string]any{"path": "b"}))
			c.Status, c.Began, c.Arguments, c.Given = Running, began, changed.Raw, &changed
		})}},
		{"a call runs without its arguments", []agent.Event{call, agent.ToolDecided{ID: "1", Decision: agent.AllowOnce, Args: map[string]any{}}}, []Item{with(card, func(c *Card) { c.Status, c.Arguments, c.Given = Running, "{}", nil })}},
		{"a call progresses", []agent.Event{call, agent.ToolDecided{ID: "1", Decision: agent.AllowOnce}, agent.ToolProgressed{ID: "1", Progress: 1, Total: 4, Message: "at 1"}, agent.ToolProgressed{ID: "1", Progress: 2, Total: 4, Message: "at 1"}, agent.ToolProgressed{ID: "1", Progress: 2, Total: 4, Message: "at 2\nat 3"}}, []Item{with(card, func(c *Card) { c.Status, c.Progress, c.Total, c.Log = Running, 2, 4, "at 1\nat 2\nat 3" })}},
		{"progress never goes back", []agent.Event{call, agent.ToolDecided{ID: "1", Decision: agent.AllowOnce, At: began}, agent.ToolProgressed{ID: "1", Progress: 3, Total: 4}, agent.ToolProgressed{ID: "1", Progress: 2, Total: 4}, agent.ToolProgressed{ID: "1", Progress: 3, Total: 4}}, []Item{with(card, func(c *Card) { c.Status, c.Began, c.Progress, c.Total = Running, began, 3, 4 })}},
		{"a chain replaces its progress", []agent.Event{call, agent.ToolDecided{ID: "1", Decision: agent.AllowOnce}, agent.ToolProgressed{ID: "1", Message: "at 1"}, agent.ToolReturned{ID: "1", Result: text("ok"), Chain: []agent.ChainStep{{Tool: "store"}}}}, []Item{with(card, func(c *Card) {
			c.Status, c.Result, c.Content, c.Log = Complete, "ok", NewResult(text("ok")), wording.ChainLines([]agent.ChainStep{{Tool: "store"}})
		})}},
		{"progress stays without a chain", []agent.Event{call, agent.ToolDecided{ID: "1", Decision: agent.AllowOnce}, agent.ToolProgressed{ID: "1", Message: "at 1"}, agent.ToolReturned{ID: "1", Result: text("ok")}}, []Item{with(card, func(c *Card) {
			c.Status, c.Result, c.Content, c.Log = Complete, "ok", NewResult(text("ok")), "at 1"
		})}},
		{"what comes late is passed over", []agent.Event{call, agent.ToolProgressed{ID: "1", Progress: 1}, agent.ToolProgressed{ID: "9", Progress: 1}}, []Item{card}},
		{"a call is denied", []agent.Event{call, agent.ToolDecided{ID: "1"}, agent.ToolReturned{ID: "1", Error: "the user said no"}}, []Item{with(card, func(c *Card) { c.Status, c.Error = Denied, "The user said no." })}},
		{"a call completes", []agent.Event{call, agent.ToolDecided{ID: "1", Decision: agent.AllowAlways}, agent.ToolReturned{ID: "1", Result: text("ok"), Duration: time.Second}}, []Item{with(card, func(c *Card) {
			c.Status, c.Result, c.Duration, c.Content = Complete, "ok", time.Second, NewResult(text("ok"))
		})}},
		{"a call fails", []agent.Event{call, agent.ToolReturned{ID: "1", Error: "Tool execution timeout after 60 seconds"}}, []Item{with(card, func(c *Card) { c.Status, c.Error = Failed, "Tool execution timeout after 60 seconds." })}},
		{"a tool's own error is a failure", []agent.Event{call, agent.ToolReturned{ID: "1", Result: &mcp.CallToolResult{IsError: true, Content: text("no").Content}}}, []Item{with(card, func(c *Card) {
			c.Status, c.Result, c.Error, c.Content = Failed, "no", "no", NewResult(text("no"))
		})}},
		{"an end closes what is open", []agent.Event{call, agent.TurnEnded{Reason: agent.Done}}, []Item{with(card, func(c *Card) { c.Status, c.Error = Stopped, "This call did not run, because the turn ended." })}},
		{"an end fails what runs", []agent.Event{call, agent.ToolDecided{ID: "1", Decision: agent.AllowOnce}, agent.TurnEnded{Reason: agent.Done}}, []Item{with(card, func(c *Card) { c.Status, c.Error = Failed, "The turn ended before the tool answered." })}},
		{"an unknown call is passed over", []agent.Event{agent.ToolDecided{ID: "9"}, agent.ToolReturned{ID: "9"}}, nil},
		{"a text after a call is a new answer", []agent.Event{agent.TextDelta{Text: "a"}, call, agent.TextDelta{Text: "b"}}, []Item{Answer{Text: "a"}, card, Answer{Text: "b"}}},
		{"done leaves nothing", []agent.Event{agent.TextDelta{Text: "a"}, agent.TurnEnded{Reason: agent.Done}}, []Item{Answer{Text: "a"}}},
		{"tokens are counted at the last answer", []agent.Event{agent.TextDelta{Text: "a"}, call, agent.ToolReturned{ID: "1", Error: "no"}, agent.TextDelta{Text: "b"}, agent.TurnEnded{Reason: agent.Done, Usage: agent.Usage{Prompt: 1000, Answer: 200, Thought: 4, Cost: 0.0042}}},
			[]Item{Answer{Text: "a"}, with(card, func(c *Card) { c.Status, c.Error = Failed, "No." }), Answer{Text: "b", Spent: Spent{Tokens: 1204, Cost: 0.0042}}}},
		{"a step limit is said", []agent.Event{agent.TurnEnded{Reason: agent.StepLimit, Steps: 10}}, []Item{Notice{Text: "Stopped after 10 steps. The model wanted to go on: send a message to let it."}}},
		{"a cut answer is said", []agent.Event{agent.TurnEnded{Reason: agent.Truncated}}, []Item{Notice{Text: "The answer is cut off: the model reached its output limit. Ask it to continue."}}},
		{"a withheld answer is said", []agent.Event{agent.TurnEnded{Reason: agent.Blocked, Cause: agent.AnswerWithheld, Code: "SAFETY"}}, []Item{Notice{Text: "The provider of the model withheld the answer: it may be unsafe. Ask in other words."}}},
		{"a stop is said", []agent.Event{agent.TurnEnded{Reason: agent.Cancelled}}, []Item{Notice{Text: "You stopped this turn.", Retry: true}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := fold(Chat{}, c.events...).Items(); !reflect.DeepEqual(got, c.want) {
				t.Errorf("got  %#v\nwant %#v", got, c.want)
			}
		})
	}
}

// A wait adds no item: it counts down beside the conversation until the next event. A discarded
// answer leaves nothing behind.
func TestRepeatedRequests(t *testing.T) {
	wait := func(ms int) agent.Event {
		return agent.RetryScheduled{Kind: agent.RateLimited, Model: "m", Left: time.Duration(ms) * time.Millisecond, Attempt: 2}
	}
	c := fold(Chat{}.Say("hello"), wait(34_070), wait(33_000))
	if c.Len() != 1 || c.Wait.Text() != "Retrying in 33 s" || c.Wait.Total != 34_070*time.Millisecond || c.Wait.Kind != agent.RateLimited {
		t.Errorf("while it waits: %#v", c)
	}
	if again := c.Apply(agent.RetryScheduled{Left: 2 * time.Second, Attempt: 3}); again.Wait.Total != 2*time.Second {
		t.Errorf("the next wait is %+v", again.Wait)
	}
	for _, next := range []Chat{c.Apply(agent.TextDelta{Text: "Hi."}), c.Fail(errors.New("no")), c.Say("more")} {
		if next.Wait != (Wait{}) || next.Wait.Text() != "" || next.Len() != 2 {
			t.Errorf("then: %#v", next)
		}
	}
	card := agent.ToolCalled{ID: "1"}
	c = fold(Chat{}.Say("hello"), agent.TextDelta{Text: "I look."}, card, agent.ThoughtDelta{Text: "hm"}, agent.TextDelta{Text: "I c"}, agent.AnswerDiscarded{Kind: agent.CallBroken})
	if _, ok := c.last().(Card); !ok || c.Len() != 3 {
		t.Errorf("after a discarded answer: %#v", c.Items())
	}
}

// A summary is an item, and undo marks it as undone. The previous summary is in force again. The
// usage of a summary belongs to no answer.
func TestSummaries(t *testing.T) {
	one, two := agent.ContextCompacted{Summary: "one", Before: 9000, After: 1000}, agent.ContextCompacted{Summary: "two"}
	end := agent.TurnEnded{Reason: agent.Done, Usage: agent.Usage{Prompt: 500}}
	c := fold(Chat{}.Say("hello"), agent.TextDelta{Text: "Hi."}, end, one, end, two)
	if a := c.At(1).(Answer); a.Spent.Tokens != 500 || c.Spent.Tokens != 1000 {
		t.Errorf("the answer took %+v, all %+v", a.Spent, c.Spent)
	}
	if !InForce(c.Items(), 3) || InForce(c.Items(), 2) || !strings.Contains(c.At(2).(Summary).Note, "8k tokens") {
		t.Errorf("%#v", c.Items())
	}
	failed := c.Say("more").Apply(agent.TextDelta{Text: "Yes."}).Apply(end).Apply(agent.TurnEnded{Reason: agent.NoSummary, Usage: agent.Usage{Prompt: 30}})
	if a := failed.At(5).(Answer); a.Spent.Tokens != 500 || failed.Spent.Tokens != 1530 {
		t.Errorf("after a summary that failed, the answer took %+v, all %+v", a.Spent, failed.Spent)
	}
	c = c.Apply(agent.ContextRestored{})
	if !c.At(3).(Summary).Undone || !InForce(c.Items(), 2) {
		t.Errorf("after undo: %#v", c.Items())
	}
	if c = c.Apply(agent.ContextRestored{}).Apply(agent.ContextRestored{}); InForce(c.Items(), 2) || InForce(c.Items(), 3) {
		t.Errorf("after all: %#v", c.Items())
	}
}

// The meter names everything that fills the context, and the free space.
func TestMeterParts(t *testing.T) {
	m := agent.ContextUsage{Limit: 128_000, Instructions: 900, Tools: 12_400, Conversation: 26_800, Results: 21_900, Messages: 38, Declared: 107, Servers: 10, Responses: 14, Trimmed: 3, Noted: 3, Stored: 9, Cached: 39_700}
	text := strings.Join(MeterLines(m), "\n")
	for _, want := range []string{"62k of 128k tokens (48 %)", "Yours, and 3 servers' own", "107 tools of 10 servers", "38 messages", "14 results, 3 shortened", "Free              66k", "9  whole results", "40k  of the last request"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if full := MeterParts(agent.ContextUsage{Limit: 10, Tools: 20}); full[4].Tokens != 0 || Filled(agent.ContextUsage{}) != 0 {
		t.Errorf("%+v", full)
	}
}

func TestSilenceIsSaid(t *testing.T) {
	c := Chat{}.Say("hello").Apply(agent.TurnEnded{Reason: agent.Done})
	if n, ok := c.last().(Notice); !ok || n.Text == "" {
		t.Errorf("the chat ends with %#v", c.last())
	}
}

func TestFailAndRetract(t *testing.T) {
	said := Chat{}.Say("hello")
	failed := said.Fail(errors.New("no route to host"))
	if f, ok := failed.last().(Failure); !ok || f.Text != "No route to host." || f.Advice == "" {
		t.Errorf("the failure is %#v", failed.last())
	}
	if got := failed.Retract(); !reflect.DeepEqual(got.Items(), said.Items()) || got.Spent != said.Spent {
		t.Errorf("retracted it is %#v", got)
	}
	if got := said.Retract(); !reflect.DeepEqual(got, said) {
		t.Error("a message was retracted")
	}
	if _, ok := said.Fail(fmt.Errorf("asking: %w", context.Canceled)).last().(Notice); !ok {
		t.Error("a cancelled turn is shown as an error")
	}
}

func TestTitleIsTheFirstMessageCutAt30(t *testing.T) {
	c := Chat{}
	if c.Title() != "New chat" {
		t.Errorf("an empty chat is %q", c.Title())
	}
	c = c.Say("Give me  a very long answer\nabout everything").Say("no")
	if got := c.Title(); got != "Give me a very long answer ab…" || len([]rune(got)) != 30 {
		t.Errorf("the title is %q", got)
	}
}

// events generates arbitrary events, with few ids so that events refer to the same calls.
func events() *rapid.Generator[agent.Event] {
	id := rapid.SampledFrom([]string{"1", "2", ""})
	words := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", " ", "Hello", "```\nx", "\n\n"}))
	return rapid.OneOf(
		rapid.Custom(func(t *rapid.T) agent.Event { return agent.TextDelta{Text: words.Draw(t, "text")} }),
		rapid.Custom(func(t *rapid.T) agent.Event { return agent.ThoughtDelta{Text: words.Draw(t, "thought")} }),
		rapid.Custom(func(t *rapid.T) agent.Event {
			return agent.ToolCalled{ID: id.Draw(t, "id"), Tool: words.Draw(t, "tool"), Args: map[string]any{"a": words.Draw(t, "arg")}}
		}),
		rapid.Custom(func(t *rapid.T) agent.Event {
			return agent.ToolDecided{ID: id.Draw(t, "id"), Decision: agent.Decision(rapid.IntRange(-1, 3).Draw(t, "decision"))}
		}),
		rapid.Custom(func(t *rapid.T) agent.Event {
			return agent.ToolProgressed{ID: id.Draw(t, "id"), Progress: rapid.Float64().Draw(t, "progress"), Total: rapid.Float64().Draw(t, "total"), Message: words.Draw(t, "message")}
		}),
		rapid.Custom(func(t *rapid.T) agent.Event {
			e := agent.ToolReturned{ID: id.Draw(t, "id"), Error: rapid.SampledFrom([]string{"", "broken"}).Draw(t, "error")}
			if rapid.Bool().Draw(t, "answered") {
				e.Result = text(words.Draw(t, "result"))
			}
			return e
		}),
		rapid.Custom(func(t *rapid.T) agent.Event {
			reason := rapid.SampledFrom([]agent.Reason{agent.Done, agent.StepLimit, agent.Truncated, agent.Blocked, agent.Cancelled, "new"})
			return agent.TurnEnded{Reason: reason.Draw(t, "reason"), Detail: words.Draw(t, "detail")}
		}),
	)
}

// Folding has no side effects: after any events, all earlier values are unchanged, even if two
// chats continue from the same value. Folding never panics.
func TestFoldIsPure(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		chat := Chat{}
		var chats []Chat
		var copies [][]Item
		keep := func() {
			chats = append(chats, chat)
			copies = append(copies, chat.Items())
		}
		keep()
		for range rapid.IntRange(0, 30).Draw(t, "steps") {
			// Continuing from an earlier value would reveal a write to a shared slice.
			chat = rapid.SampledFrom(chats).Draw(t, "from")
			switch rapid.IntRange(0, 5).Draw(t, "step") {
			case 0:
				chat = chat.Say("hi")
			case 1:
				chat = chat.Fail(errors.New("boom")).Retract()
			default:
				chat = chat.Apply(events().Draw(t, "event"))
			}
			keep()
		}
		for i, c := range chats {
			if !slices.Equal(c.Items(), copies[i]) {
				t.Fatalf("the chat of step %d has changed from %#v to %#v", i, copies[i], c.Items())
			}
		}
	})
}

// The owner of an event may change its arguments later without affecting the card.
func TestCardKeepsNoMap(t *testing.T) {
	args := map[string]any{"path": "a"}
	c := Chat{}.Apply(agent.ToolCalled{ID: "1", Args: args})
	args["path"] = "b"
	if got := c.At(0).(Card).Arguments; strings.Contains(got, `"b"`) {
		t.Errorf("the card now says %s", got)
	}
}

// A card keeps the last lines of long progress, and does not cut within a line.
func TestLongProgressKeepsItsEnd(t *testing.T) {
	start := []agent.Event{agent.ToolCalled{ID: "1", Name: "a"}, agent.ToolDecided{ID: "1", Decision: agent.AllowOnce}}
	for _, lines := range []int{maxLog / 4, maxLog/4 + 1} { // each line has four bytes including its line break
		c := fold(Chat{}, start...)
		for i := range lines {
			c = c.Apply(agent.ToolProgressed{ID: "1", Message: fmt.Sprint(100 + i%2)})
		}
		log := c.Items()[0].(Card).Log
		if len(log) > maxLog || !strings.HasPrefix(log, "10") || len(log) != 4*(maxLog/4)-1 {
			t.Errorf("%d lines leave %d bytes, which begin with %q", lines, len(log), log[:4])
		}
	}
	whole := "ab\n" + strings.Repeat("x", maxLog-3)
	c := fold(Chat{}, append(start, agent.ToolProgressed{ID: "1", Message: "ab"}, agent.ToolProgressed{ID: "1", Message: whole[3:]})...)
	if log := c.Items()[0].(Card).Log; log != whole {
		t.Errorf("%d bytes that just fit leave %d", maxLog, len(log))
	}
}

// While servers start, the wait keeps the longest remaining time that was reported.
func TestWaitForServersKeepsItsLength(t *testing.T) {
	c := fold(Chat{}, agent.ServersStarting{Names: []string{"a"}, Left: 30 * time.Second}, agent.ServersStarting{Names: []string{"a"}, Left: 10 * time.Second})
	if c.Wait.Total != 30*time.Second || c.Wait.Left != 10*time.Second {
		t.Errorf("%+v", c.Wait)
	}
}

func TestClip(t *testing.T) {
	lines := strings.Repeat("x\n", 299) + "x"
	for _, c := range []struct {
		name, text  string
		shown, note string
	}{
		{"all", "a\nb", "a\nb", ""},
		{"lines", lines, strings.Repeat("x\n", 199) + "x", "Showing the first 200 of 300 lines (399 bytes of 599 bytes)"},
		{"bytes", strings.Repeat("x", 3000), strings.Repeat("x", 1000), "Showing the first 1.0 kB of 3.0 kB"},
		{"half a character", strings.Repeat("x", 999) + "é", strings.Repeat("x", 999), "Showing the first 999 bytes of 1.0 kB"},
	} {
		shown, note := Clip(c.text, 1000, 200)
		if shown != c.shown || note != c.note {
			t.Errorf("%s: %d bytes, %q", c.name, len(shown), note)
		}
	}
}

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "", 5 * time.Microsecond: "<1 ms", 128 * time.Millisecond: "128 ms", 1240 * time.Millisecond: "1.2 s",
		42 * time.Second: "42 s", 125 * time.Second: "2 min 5 s",
	} {
		if got := format.Duration(d); got != want {
			t.Errorf("%v is %q", d, got)
		}
	}
}

func TestLastWordsArePlain(t *testing.T) {
	c := Chat{}.Say("go").Apply(agent.TextDelta{Text: "## Done\n\nIt is **done**, see [here](https://example.com)."})
	if got := LastAnswerLine(c); got != "Done It is done, see here (example.com)." {
		t.Errorf("the last words are %q", got)
	}
}

func TestSkim(t *testing.T) {
	for text, want := range map[string]string{
		"2 + 2 = 4, and 10 - 3 > 5 * x":         "2 + 2 = 4, and 10 - 3 > 5 * x",
		"The roots of $x + y = 0$":              "The roots of $x + y = 0$",
		"# Plan\n\n- eggs\n- milk\n\n> a quote": "Plan eggs milk a quote",
		"| Paris | Rome | |---|---| | a | b |":  "Paris Rome a b",
		"Buy: - eggs - milk":                    "Buy: eggs milk",
		"hello":                                 "hello",
		"- a\n- **b** and `c`\n":                "a b and c",
		"# A title\n\n> quoted":                 "A title quoted",
		"| a | b |\n|---|:-:|\n| 1 | 2 |":       "a b 1 2",
		"```go\nx := 1\n```":                    "go x 1",
		"snake_case, C# and 3 > 2":              "snake_case, C# and 3 > 2",
		"Most went to **groceries**. The rest":  "Most went to groceries. The rest",
		"**Note:** (**bold**), *so*; ~~old~~!":  "Note: (bold), so; old!",
		"still **coming up":                     "still coming up",
		"***both*** and **a *b* c**":            "both and a b c",
		"all *.go and a*b*c, 2**8":              "all *.go and a*b*c, 2**8",
		"see [the **plan**](https://x.y/z), ok": "see the plan, ok",
		"![a cat](cat.png) and [1] or a[i](x":   "a cat and [1] or a[i](x",
		"run `ls *.md`, then `a":                "run ls *.md, then a",
		strings.Repeat("word ", 300):            strings.Repeat("word ", 19) + "word…",
		"\xff" + strings.Repeat("é", 400):       strings.Repeat("é", 99) + "…",
	} {
		if got := PreviewLine(text); got != want {
			t.Errorf("%q is skimmed as %q, not %q", text, got, want)
		}
	}
}

// A card shows the title of its tool, and its copy also contains the name.
func TestCardsHaveTitles(t *testing.T) {
	c := Chat{}.Apply(agent.ToolCalled{ID: "1", Server: "ghost", Tool: "create_desktop_note", Title: "Write a note on the desktop"}).
		Apply(agent.ToolCalled{ID: "2", Server: "ghost", Tool: "list"})
	first, second := c.Items()[0].(Card), c.Items()[1].(Card)
	if first.Heading() != "Write a note on the desktop" || second.Heading() != "list" {
		t.Errorf("the cards are %q and %q", first.Heading(), second.Heading())
	}
	if got := first.PlainText(); !strings.HasPrefix(got, "Write a note on the desktop [create_desktop_note] (ghost)") {
		t.Errorf("a copy is %q", got)
	}
}

// The sidebar skims an answer for each new word.
func BenchmarkSkim(b *testing.B) {
	text := strings.Repeat("Most of it went to **groceries**, see [the *plan*](https://x.y/z) and `a * b`. ", 10)
	for b.Loop() {
		PreviewLine(text)
	}
}

func FuzzSkim(f *testing.F) {
	f.Add("a **b** *c* [d](e) `f` ~~g~~ ***h")
	f.Fuzz(func(t *testing.T, text string) {
		if got := PreviewLine(text); strings.ContainsAny(got, "\n\r") || utf8.RuneCountInString(got) > 101 {
			t.Errorf("%q is skimmed as %q", text, got)
		}
	})
}
