package ui

import (
	"strings"
	"testing"
	"time"

	"google.golang.org/genai"

	"goated/agent"
	"goated/internal/store"
	"goated/ui/chats"
	"goated/ui/internal/samples"
	"goated/ui/kit"
	"goated/ui/view"
)

// library puts conversations of all ages into a window.
func library(d *desk) {
	said := func(text string) view.Chat {
		return samples.Chat().Apply(agent.TextDelta{Text: text}).Apply(agent.TurnEnded{Reason: agent.Done})
	}
	d.chats.Chats = nil
	for _, c := range []struct {
		title, preview string
		ago            time.Duration
		pinned, unread bool
	}{
		{"Ferry to the islands", "The **last** boat leaves at 18:40; buy the ticket on the quay.", 430 * 24 * time.Hour, false, false},
		{"Bread that keeps for a week", "Half rye, a stiff dough, and a long rest in the cold.", 67 * 24 * time.Hour, false, false},
		{"Tax return", "The list of deductions is in `deductions.csv`.", 20 * 24 * time.Hour, false, false},
		{"Which of these logs shows the leak?", "The heap grows by 14 MB with each reload, see line 412.", 4 * 24 * time.Hour, false, true},
		{"Plan a weekend walk", "Twelve kilometres, two of them along the river.", 27 * time.Hour, false, false},
		{"Rename the invoice folder by month and year", "All 38 files have new names; nothing was overwritten.", 3 * time.Hour, false, false},
		{"Can you check how we did against our Q3 targets?", "Latency is the only target you missed: 212 ms against 180 ms.", 4 * time.Minute, false, false},
		{"Shopping", "Oats, lemons, coffee", 50 * time.Hour, true, false},
	} {
		d.chats.Chats = append(d.chats.Chats, &chats.Conversation{Saved: chats.SavedState{Title: c.title, Pinned: c.pinned}, Chat: said(c.preview), Began: d.clock.Add(-c.ago), Unread: c.unread})
	}
	d.chats.Current = 6
	d.chats.Refresh()
	toTop(d.chats.Transcript)
}

// shelf is a picture of a window with a history.
func shelf(t *testing.T, name string, draw func(d *desk)) {
	s, _ := archive(t)
	for _, dark := range []bool{false, true} {
		pictureOf(t, name, dark, Options{History: s}, func(d *desk) {
			library(d)
			draw(d)
		})
	}
}

func TestPictureSidebar(t *testing.T) {
	shelf(t, "sidebar", func(d *desk) {
		c := d.chats.Conversation()
		c.Thread = chats.Thread{Starts: []int{0}, End: c.Chat.Len(), Turns: []store.Turn{{ID: "b", User: []*genai.Part{{Text: "x"}}, Siblings: []string{"a", "b", "c"}, Duplicates: []int{0, 1, 1}, Index: 1}}}
		c.Saved.ID, c.Read.Loaded = "1", true
		d.chats.Transcript.Reset()
		d.chats.Refresh()
	})
}

func TestPictureUndo(t *testing.T) {
	matchGolden(t, "undo", false, func(d *desk) {
		library(d)
		d.shell.Toasts.Offer("trash", "Deleted the message, its answer and the 3 messages after it.", "Undo", d.command(t, "undelete").Shortcut, func() {})
	})
}

func TestPictureSearch(t *testing.T) {
	shelf(t, "search", func(d *desk) {
		f := d.chats.Sidebar.Search
		kit.Focus(f.Input)
		f.Input.Put("target missed")
		hit := func(title, turn, text string, ago time.Duration) store.Hit {
			var at [][2]int
			for _, word := range []string{"target", "missed"} {
				if i := strings.Index(text, word); i >= 0 {
					at = append(at, [2]int{i, i + len(word)})
				}
			}
			return store.Hit{Conversation: "1", Title: title, Turn: turn, Snippet: text, Matches: at, When: d.clock.Add(-ago)}
		}
		f.Found("target missed", []store.Hit{
			hit("What to do when a target is missed", "", "What to do when a target is missed", 50*time.Hour),
			hit("Can you check how we did against our Q3 targets?", "1", "…the report says so. Latency is the only target you missed: 212 ms against 180 ms, and only in one region.", 4*time.Minute),
			hit("Rename the invoice folder", "2", "The targets of the links were missed by the script", 3*time.Hour),
		}, nil)
		d.chats.Transcript.Begin = nil
		d.chats.Transcript.Flashes.Show(0, len(d.chats.Transcript.View.Items), []string{"target", "missed"})
		toTop(d.chats.Transcript)
	})
}
