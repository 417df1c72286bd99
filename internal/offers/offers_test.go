package offers_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"goated/client"
	"goated/internal/offers"
	"goated/internal/waittest"
)

// connected returns a host with a server that has prompts and resources.
func connected(t *testing.T) *client.Host {
	t.Helper()
	h := client.New(client.Options{Unconfined: func(context.Context, string, client.Config) bool { return true }})
	t.Cleanup(h.Close)
	if _, err := h.Connect(t.Context(), client.Config{Path: "testdata/offers.py", Name: "Memos", Unconfined: true}); err != nil {
		t.Fatal(err)
	}
	return h
}

func named(t *testing.T, list []offers.Offer, name string) offers.Offer {
	t.Helper()
	i := slices.IndexFunc(list, func(o offers.Offer) bool { return o.Name == name })
	if i < 0 {
		t.Fatalf("%s is not among %v", name, list)
	}
	return list[i]
}

func listed(t *testing.T, b *offers.Cache, h *client.Host) []offers.Offer {
	t.Helper()
	list, wrong := b.List(t.Context(), h)
	if len(wrong) > 0 {
		t.Error(wrong)
	}
	return list
}

func TestOffersAreListedFilledAndRead(t *testing.T) {
	h := connected(t)
	var b offers.Cache
	list := listed(t, &b, h)
	if again := listed(t, &b, h); len(list) != 11 || len(again) != 11 {
		t.Fatalf("%d offers, then %d: %+v", len(list), len(again), list)
	}
	report := named(t, list, "report")
	if report.Title != "Write a report" || report.From != "Memos" || len(report.Entries) != 2 || !report.Entries[0].Required {
		t.Errorf("the prompt is %+v", report)
	}
	if got := report.Suggest(t.Context(), h, "topic", "b", nil); !slices.Equal(got, []string{"bread", "butter"}) {
		t.Errorf("completion gives %q", got)
	}
	if _, err := report.Fill(t.Context(), h, nil); err == nil || !strings.Contains(err.Error(), "needs topic") {
		t.Errorf("without its argument: %v", err)
	}
	if got, err := report.Fill(t.Context(), h, map[string]string{"topic": "wine"}); err != nil || got.Text != "Report on wine (plain)" {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := named(t, list, "empty").Fill(t.Context(), h, nil); err == nil {
		t.Error("a prompt without text is no error")
	}
	if d, err := named(t, list, "plan").Read(t.Context(), h, nil, 1<<20); err != nil || len(d) != 1 || d[0].Name != "plan.md" || !strings.Contains(string(d[0].Data), "Buy bread.") {
		t.Errorf("%+v, %v", d, err)
	}
	if _, err := named(t, list, "huge").Read(t.Context(), h, nil, 20<<20); err == nil || !strings.Contains(err.Error(), "larger than 20 MB") {
		t.Errorf("a resource that is too large: %v", err)
	}
	note := named(t, list, "note")
	if d, err := note.Read(t.Context(), h, map[string]string{"day": "1 May"}, 1<<20); err != nil || string(d[0].Data) != "Note of 1%20May" {
		t.Errorf("%+v, %v", d, err)
	}
}

// goated did not expand expressions with more than one variable, so a server could read something
// else. It also did not escape some characters that end a value.
func TestExpand(t *testing.T) {
	args := map[string]string{"day": "a/b c", "table": "users", "limit": "3", "path": "docs/my file", "odd": "a&b=c+d:e@f", "id": "12345", "tags": "x,y", "user-id": "7"}
	for template, want := range map[string]string{
		"memo://notes/{day}":         "memo://notes/a%2Fb%20c",
		"file:///{+day}":             "file:///a/b%20c",
		"memo://x{#day}":             "memo://x#a/b%20c",
		"memo://x{#none}":            "memo://x",
		"memo://notes/{month}":       "memo://notes/",
		"db://{table}{?limit,where}": "db://users?limit=3",
		"db://{table}?all=1{&limit}": "db://users?all=1&limit=3",
		"repo://{table}{/path*}":     "repo://users/docs/my%20file",
		"repo://{table}{/path}":      "repo://users/docs%2Fmy%20file",
		"tags://x{?tags*}":           "tags://x?tags=x&tags=y",
		"v://{table,limit}":          "v://users,3",
		"q://{id:3}":                 "q://123",
		"s://{odd}":                  "s://a%26b%3Dc%2Bd%3Ae%40f",
		"dot://file{.table}":         "dot://file.users",
		"semi://x{;limit}":           "semi://x;limit=3",
		"users://{user-id}/x":        "users://7/x",
		"plain://x":                  "plain://x",
	} {
		if got, err := offers.Expand(template, args); got != want || err != nil {
			t.Errorf("%s becomes %s, %v; want %s", template, got, err, want)
		}
	}
	for _, template := range []string{"memo://{day}/{}", "memo://{day", "memo://{=day}"} {
		if got, err := offers.Expand(template, args); err == nil {
			t.Errorf("%s becomes %s", template, got)
		}
	}
}

// Only variables in a query are optional.
func TestArgumentsOfATemplate(t *testing.T) {
	h := connected(t)
	list := listed(t, new(offers.Cache), h)
	rows := named(t, list, "rows")
	if len(rows.Entries) != 3 || !rows.Entries[0].Required || rows.Entries[1].Required || rows.Entries[2].Name != "where" {
		t.Errorf("the arguments are %+v", rows.Entries)
	}
	if d, err := rows.Read(t.Context(), h, map[string]string{"table": "users", "limit": "3"}, 1<<20); err != nil || string(d[0].Data) != "Note of users?limit=3" {
		t.Errorf("%+v, %v", d, err)
	}
	if _, err := rows.Read(t.Context(), h, nil, 1<<20); err == nil || !strings.Contains(err.Error(), "the resource rows needs table") {
		t.Errorf("without its argument: %v", err)
	}
}

// A line from the terminal with a prompt or a resource is replaced by its text.
func TestLinesOfTheTerminal(t *testing.T) {
	h := connected(t)
	var b offers.Cache
	for _, c := range []struct {
		line, text, says string
		send             bool
	}{
		{"Hello", "Hello", "", true},
		{"ada@example.org wrote", "ada@example.org wrote", "", true},
		{"/greet", "Dear reader,", "", true},
		{"/memos:greet", "Dear reader,", "", true},
		{"/report topic=red wine tone=dry", "Report on red wine (dry)", "", true},
		{"/report wine and bread", "Report on wine and bread (plain)", "", true},
		{"/report", "", "needs topic. Use it as /report topic=… [tone=…]", false},
		{`/roll {"sides": 6}`, `/roll {"sides": 6}`, "", true},
		{"/prompts", "", "report topic=… [tone=…]", false},
		{"/resources", "", "@memo://plan.md", false},
		{"What does @plan say?", "What does @plan say?\n\n[memo://plan.md of Memos]\n# Plan\nBuy bread.", "", true},
		{"Read @memo://plan.md", "Read @memo://plan.md\n\n[memo://plan.md of Memos]\n# Plan\nBuy bread.", "", true},
		{"Read @huge", "", "larger than", false},
		{"Ask @nobody", "Ask @nobody", "", true},
		{"/two words", "Report on None (plain)", "", true},
		{"/two words topic=tea", "Report on tea (plain)", "", true},
		{"/two wordsmiths", "/two wordsmiths", "", true},
		{"Read @memo://notes/may", "Read @memo://notes/may\n\n[memo://notes/may of Memos]\nNote of may", "", true},
		{"Read @none://x", "", "method not found", false},
		{"See @https://example.org/x", "See @https://example.org/x", "", true},
	} {
		var said strings.Builder
		text, _, send := b.Line(t.Context(), h, &said, c.line)
		if text != c.text || send != c.send || !strings.Contains(said.String(), c.says) {
			t.Errorf("%q becomes %q, %t, and says %q", c.line, text, send, said.String())
		}
	}
}

// A prompt that a server adds later is listed after the server reports the change.
func TestAddedPromptIsListed(t *testing.T) {
	h := connected(t)
	var b offers.Cache
	if n := len(listed(t, &b, h)); n != 11 {
		t.Fatalf("%d offers", n)
	}
	if _, err := h.Call(t.Context(), "memos__add", nil, nil); err != nil {
		t.Fatal(err)
	}
	waittest.Until(t, "the prompt is listed", func() bool { return len(listed(t, &b, h)) == 12 })
}

// The images, documents and links of a prompt were silently omitted, and the model's messages
// became the user's.
func TestAllPartsOfAPromptAreKept(t *testing.T) {
	h := connected(t)
	list := listed(t, new(offers.Cache), h)
	got, err := named(t, list, "chart").Fill(t.Context(), h, nil)
	if err != nil || got.Text != "Look at this.\n\ndata memo://data.csv" || len(got.Files) != 2 || got.Files[0].Name != "chart 1.png" || got.Files[1].Name != "paper.pdf" {
		t.Errorf("%+v, %v", got, err)
	}
	got, err = named(t, list, "dialogue").Fill(t.Context(), h, nil)
	if want := "User:\nHello\n\nAssistant:\nWhich one?\n\nUser:\nBoth"; err != nil || got.Text != want {
		t.Errorf("%q, %v", got.Text, err)
	}
}

// An image between texts was omitted.
func TestAllContentsOfAResourceAreRead(t *testing.T) {
	h := connected(t)
	all, err := named(t, listed(t, new(offers.Cache), h), "dir").Read(t.Context(), h, nil, 1<<20)
	if err != nil || len(all) != 2 || string(all[0].Data) != "first\n\nsecond" || !all[0].Text || all[1].Name != "b.png" || all[1].Text {
		t.Errorf("%+v, %v", all, err)
	}
	var said strings.Builder
	text, files, send := new(offers.Cache).Line(t.Context(), h, &said, "See @dir")
	if !send || len(files) != 1 || !strings.HasSuffix(text, "first\n\nsecond") {
		t.Errorf("%q with %+v, %t; it says %s", text, files, send, said.String())
	}
}

// goated reported that a server had no resources if the server refused to list them or had very
// many.
func TestWhyAListIsMissing(t *testing.T) {
	for mode, want := range map[string]string{
		"refuse": "Memos does not list its resources: MCP protocol error: not logged in: run foo login",
		"many":   "These are 200 of 300.",
	} {
		h := client.New(client.Options{Unconfined: func(context.Context, string, client.Config) bool { return true }})
		t.Cleanup(h.Close)
		if _, err := h.Connect(t.Context(), client.Config{Path: "testdata/offers.py", Args: []string{mode}, Name: "Memos", Unconfined: true}); err != nil {
			t.Fatal(err)
		}
		var said strings.Builder
		new(offers.Cache).Line(t.Context(), h, &said, "/resources")
		if !strings.Contains(said.String(), want) || strings.Contains(said.String(), "No connected server") {
			t.Errorf("%s: it says %s", mode, said.String())
		}
	}
}
