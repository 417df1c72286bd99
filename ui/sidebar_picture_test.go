package ui_test

import (
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"google.golang.org/genai"

	"goated/agent"
	"goated/internal/store"
	"goated/ui"
	"goated/ui/chats"
	"goated/ui/internal/samplechat"
	"goated/ui/kit"
)

// library returns a window with conversations of all ages. change modifies the shown one and
// may be nil.
func library(t *testing.T, dark bool, history *store.Store, change func(*chats.Conversation)) *desk {
	t.Helper()
	var all []*chats.Conversation
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
		all = append(all, &chats.Conversation{
			Saved: chats.SavedState{Title: c.title, Pinned: c.pinned}, Began: deskTime.Add(-c.ago), Unread: c.unread,
			Chat: samplechat.Chat().Apply(agent.TextDelta{Text: c.preview}).Apply(agent.TurnEnded{Reason: agent.Done}),
		})
	}
	const shown = 6
	if change != nil {
		change(all[shown])
	}
	d := pictured(t, dark, ui.Options{History: history})
	d.window.ShowChats(shown, all...)
	d.scrollToTop()
	return d
}

// The message of the shown conversation has three versions.
func TestPictureSidebar(t *testing.T) {
	s, _ := archive(t)
	for _, dark := range []bool{false, true} {
		library(t, dark, s, func(c *chats.Conversation) {
			c.Thread = chats.Thread{Starts: []int{0}, End: c.Chat.Len(), Turns: []store.Turn{{ID: "b", User: []*genai.Part{{Text: "x"}}, Siblings: []string{"a", "b", "c"}, Duplicates: []int{0, 1, 1}, Index: 1}}}
			c.Saved.ID, c.Read.Loaded = "1", true
		}).looksLike("sidebar", dark)
	}
}

func TestPictureUndo(t *testing.T) {
	d := library(t, false, nil, nil)
	d.window.Shell().Toasts.Offer("trash", "Deleted the message, its answer and the 3 messages after it.", "Undo", kit.ModKey(fyne.KeyZ).Shifted(), func() {})
	d.looksLike("undo", false)
}

// The menu of a conversation separates the item that deletes the conversation from the others.
func TestPictureMenu(t *testing.T) {
	s, _ := archive(t)
	for _, dark := range []bool{false, true} {
		var shown *chats.Conversation
		d := library(t, dark, s, func(c *chats.Conversation) { shown = c })
		shown.Saved.ID = "1"
		d.window.ShowMenu(fyne.NewPos(180, 160))
		d.Key(fyne.KeyDown)
		d.looksLike("menu", dark)
	}
}

func TestPictureSearch(t *testing.T) {
	words := []string{"target", "missed"}
	hit := func(title, turn, text string, ago time.Duration) store.Hit {
		var at [][2]int
		for _, word := range words {
			if i := strings.Index(text, word); i >= 0 {
				at = append(at, [2]int{i, i + len(word)})
			}
		}
		return store.Hit{Conversation: "1", Title: title, Turn: turn, Snippet: text, Matches: at, When: deskTime.Add(-ago)}
	}
	s, _ := archive(t)
	for _, dark := range []bool{false, true} {
		d := library(t, dark, s, nil)
		d.Shortcut(fyne.KeyF, fyne.KeyModifierShortcutDefault|fyne.KeyModifierShift)
		d.Type("target missed")
		d.window.ShowFound("target missed", words, []store.Hit{
			hit("What to do when a target is missed", "", "What to do when a target is missed", 50*time.Hour),
			hit("Can you check how we did against our Q3 targets?", "1", "…the report says so. Latency is the only target you missed: 212 ms against 180 ms, and only in one region.", 4*time.Minute),
			hit("Rename the invoice folder", "2", "The targets of the links were missed by the script", 3*time.Hour),
		})
		d.scrollToTop()
		d.looksLike("search", dark)
	}
}
