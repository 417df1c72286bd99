package history_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"goated/servers/pause/dialog"
	"goated/servers/pause/history"
)

func record(question, answer string) history.Record {
	at := time.Unix(1000, 0).UTC()
	return history.Record{Kind: dialog.KindConfirm, Question: question, Answer: answer, Outcome: history.Answered, Asked: at, Ended: at,
		Caller: dialog.Caller{Name: "Claude Code", Folder: "/home/mara/trip"}}
}

func add(t *testing.T, h *history.History, all ...history.Record) {
	t.Helper()
	for _, r := range all {
		if err := h.Add(r); err != nil {
			t.Fatal(err)
		}
	}
}

func reopen(t *testing.T, path string) *history.History {
	t.Helper()
	h, err := history.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestTheHistoryIsSearched(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "dialogs.jsonl")
	add(t, reopen(t, path), record("Delete the map?", "No"), record("Which part first?", "Screens"))
	h := reopen(t, path)
	for query, want := range map[string]string{"": "Which part first?,Delete the map?", "MAP no": "Delete the map?", "trip claude screens": "Which part first?", "map screens": ""} {
		var got []string
		for _, r := range h.Search(query) {
			got = append(got, r.Question)
		}
		if strings.Join(got, ",") != want {
			t.Errorf("%q finds %q", query, got)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("others can read the answers: %v, %v", info.Mode(), err)
	}
	if err := h.Clear(); err != nil || reopen(t, path).Len() != 0 {
		t.Errorf("after Clear there are %d: %v", reopen(t, path).Len(), err)
	}
}

// A program that is killed during a write loses only the last dialog. The next dialog does not
// become part of the incomplete line.
func TestATornLineIsLeftOut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "dialogs.jsonl")
	add(t, reopen(t, path), record("First?", "Yes"), record("Second?", "Yes"))
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text[:len(text)-20], 0o600); err != nil {
		t.Fatal(err)
	}
	h := reopen(t, path)
	add(t, h, record("Third?", "No"))
	if all := reopen(t, path).Search(""); len(all) != 2 || all[0].Question != "Third?" || all[1].Question != "First?" {
		t.Errorf("%+v", all)
	}
}

func TestTheHistoryIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "dialogs.jsonl")
	h := reopen(t, path)
	for i := range 2*history.Most + 5 {
		add(t, h, record(fmt.Sprint("question ", i), strings.Repeat("x", 10)))
	}
	if h.Len() != history.Most || len(h.Search("")) != history.Most {
		t.Errorf("it has %d", h.Len())
	}
	if h = reopen(t, path); h.Len() != history.Most || h.Search("")[0].Question != fmt.Sprint("question ", 2*history.Most+4) {
		t.Errorf("the file has %d", h.Len())
	}
}

func TestWords(t *testing.T) {
	yes := true
	plan := &dialog.Planner{Options: []dialog.Option{{Label: "Screens first", Value: "s"}}}
	for want, got := range map[string]string{
		"Keep": history.AnswerText(&dialog.Confirm{YesLabel: "Keep"}, dialog.Answer{Confirmed: &yes}, false),
		"Screens first · keep the map · deep · plan · map.png": history.AnswerText(plan, dialog.Answer{Choice: "s", Context: "keep the map", ThinkingMode: dialog.Deep, Action: dialog.Plan, Attachments: []dialog.Attachment{{Name: "map.png"}}}, false),
		"••••••":          history.AnswerText(&dialog.TextInput{}, dialog.Answer{Text: "hunter2"}, true),
		"•••••• · ••••••": history.AnswerText(&dialog.TextInput{}, dialog.Answer{Text: "hunter2", Context: "hunter3"}, true),
		"A, B": history.AnswerText(&dialog.MultiChoice{Options: []dialog.Option{{Label: "A", Value: "a"}, {Label: "B", Value: "b"}}}, dialog.Answer{Choices: []string{"a", "b"}}, false),
		"":     history.AnswerText(plan, dialog.Answer{Cancelled: true}, false),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// If the disk is full, only the beginning of a line may be written. The next dialog does not become
// part of it.
func TestAnUnfinishedLineSwallowsNoDialog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "dialogs.jsonl")
	h := reopen(t, path)
	add(t, h, record("First?", "Yes"))
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(`{"question":"Sec`); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	add(t, h, record("Third?", "No"))
	if all := reopen(t, path).Search(""); len(all) != 2 || all[0].Question != "Third?" || all[1].Question != "First?" {
		t.Errorf("%+v", all)
	}
}

// A line that lacks only its end is read. The next dialog does not become part of it.
func TestALineWithoutItsEndIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "dialogs.jsonl")
	add(t, reopen(t, path), record("First?", "Yes"))
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text[:len(text)-1], 0o600); err != nil {
		t.Fatal(err)
	}
	add(t, reopen(t, path), record("Second?", "No"))
	if all := reopen(t, path).Search(""); len(all) != 2 || all[1].Question != "First?" {
		t.Errorf("%+v", all)
	}
}
