package ui_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"goated/internal/waittest"
)

// compactable returns a window with a conversation of three long questions. Its service gets
// its summaries from sums.
func compactable(t *testing.T, path string, sums func() string) *desk {
	t.Helper()
	d, service := talking(t, path, "quick:7b")
	service.sums = sums
	for i := range 3 {
		d.says(fmt.Sprintf("question %d %s", i, strings.Repeat("and more words ", 12)))
		d.until(fmt.Sprintf("question %d is answered", i), func() bool { return service.count() == i+1 && !d.busy() })
	}
	d.until("the gauge shows the share", func() bool { return d.Reads("1%") })
	return d
}

// A terminal continued the conversation while its summary was being written. The summary could
// not be saved, and the window did not show what the terminal had added.
func TestAConversationGoesOnElsewhereDuringItsSummary(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	asked, answer := make(chan struct{}), make(chan struct{})
	d := compactable(t, path, func() string {
		close(asked)
		<-answer
		return "The gist of it."
	})
	other := elsewhere(t, path)
	list, err := other.Conversations(t.Context())
	if err != nil || len(list) != 1 {
		t.Fatalf("%d conversations, %v", len(list), err)
	}
	d.run("What fills the context")
	d.Press("Compact now")
	waittest.Receive(t, "the request for a summary", asked)
	terminal(t, other, list[0].ID, list[0].Active, "from the terminal", "an answer in the terminal")
	fresh, err := other.Create(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	terminal(t, other, fresh.ID, "", "begun in the terminal", "yes")
	d.until("the window has read the history", func() bool { return slices.Contains(d.sidebar(), "begun in the terminal") })
	close(answer)
	d.sees("Another window or terminal continued this conversation, so nothing was changed. Try again.")
	d.until("the window shows what the terminal added", func() bool { return d.Says("an answer in the terminal") })
	d.run("What fills the context")
	d.sees("8 messages")
}

// After a summary that saved no space, the window reported only that the summary had failed,
// without the reason.
func TestASummaryThatSavesNothingSaysSo(t *testing.T) {
	d := compactable(t, filepath.Join(t.TempDir(), "history.db"), func() string { return strings.Repeat("and more words ", 200) })
	d.run("What fills the context")
	d.Press("Compact now")
	d.until("the notice says why", func() bool { return d.Says("The summary is no shorter than the earlier messages") })
	if d.Says("No summary is used") || d.Says("nothing to summarise") {
		t.Errorf("the window shows %q", d.Texts())
	}
}

// The window did not report a failed summary, because it treated the failure as a cancellation
// by the user.
func TestASummaryThatFailsSaysWhy(t *testing.T) {
	d := compactable(t, filepath.Join(t.TempDir(), "history.db"), func() string { return "" })
	d.run("What fills the context")
	d.Press("Compact now")
	d.until("the window says that the key is refused", func() bool { return d.Says("key refused: Unauthorized: Incorrect API key provided.") })
}
