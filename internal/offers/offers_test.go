package offers_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"goated/client"
	"goated/internal/offers"
)

// connected is a host with a server that has prompts and resources.
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

func TestOffersAreListedFilledAndRead(t *testing.T) {
	h := connected(t)
	var b offers.Cache
	list := b.List(t.Context(), h)
	if again := b.List(t.Context(), h); len(list) != 7 || len(again) != 7 {
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
	if text, err := report.Fill(t.Context(), h, map[string]string{"topic": "wine"}); err != nil || text != "Report on wine (plain)" {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := named(t, list, "empty").Fill(t.Context(), h, nil); err == nil {
		t.Error("a prompt without text is no error")
	}
	if d, err := named(t, list, "plan").Read(t.Context(), h, nil, 1<<20); err != nil || d.Name != "plan.md" || !strings.Contains(string(d.Data), "Buy bread.") {
		t.Errorf("%+v, %v", d, err)
	}
	if _, err := named(t, list, "huge").Read(t.Context(), h, nil, 20<<20); err == nil || !strings.Contains(err.Error(), "larger than 20 MB") {
		t.Errorf("a resource that is too large: %v", err)
	}
	note := named(t, list, "note")
	if d, err := note.Read(t.Context(), h, map[string]string{"day": "1 May"}, 1<<20); err != nil || string(d.Data) != "Note of 1%20May" {
		t.Errorf("%q, %v", d.Data, err)
	}
}

// goated sent expressions of more than one variable unexpanded, so a server could read something
// else, and it left some letters raw that end a value.
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

// A query may lack each of its variables, and nothing else may.
func TestArgumentsOfATemplate(t *testing.T) {
	list := new(offers.Cache).List(t.Context(), connected(t))
	rows := named(t, list, "rows")
	if len(rows.Entries) != 3 || !rows.Entries[0].Required || rows.Entries[1].Required || rows.Entries[2].Name != "where" {
		t.Errorf("the arguments are %+v", rows.Entries)
	}
	h := connected(t)
	if d, err := rows.Read(t.Context(), h, map[string]string{"table": "users", "limit": "3"}, 1<<20); err != nil || string(d.Data) != "Note of users?limit=3" {
		t.Errorf("%q, %v", d.Data, err)
	}
	if _, err := rows.Read(t.Context(), h, nil, 1<<20); err == nil || !strings.Contains(err.Error(), "the resource rows needs table") {
		t.Errorf("without its argument: %v", err)
	}
}

// A line of the terminal that names a prompt or a resource becomes its text.
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
	} {
		var said strings.Builder
		text, send := b.Line(t.Context(), h, &said, c.line)
		if text != c.text || send != c.send || !strings.Contains(said.String(), c.says) {
			t.Errorf("%q becomes %q, %t, and says %q", c.line, text, send, said.String())
		}
	}
}

// A prompt that a server adds later is listed, once the server tells the change.
func TestAddedPromptIsListed(t *testing.T) {
	h := connected(t)
	var b offers.Cache
	if n := len(b.List(t.Context(), h)); n != 7 {
		t.Fatalf("%d offers", n)
	}
	if _, err := h.Call(t.Context(), "memos__add", nil, nil); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(20 * time.Second); len(b.List(t.Context(), h)) != 8; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the prompt is never listed")
		}
	}
}
