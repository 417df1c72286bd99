package ui_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"fyne.io/fyne/v2"

	"google.golang.org/genai"

	"goated/internal/waittest"
	"goated/ui"
	"goated/ui/internal/samplechat"
)

func TestEnterSendsAndShiftEnterBreaks(t *testing.T) {
	// The model answers only after the test has seen that the turn is running.
	seen := make(chan struct{})
	d := shown(t, ui.Options{Agent: ui.AgentOptions{NewSession: sessions(func(ctx context.Context, history []*genai.Content, yield func(string, error) bool) {
		select {
		case <-seen:
			samplechat.Echo(ctx, history, yield)
		case <-ctx.Done():
			yield("", ctx.Err())
		}
	})}})
	d.FocusField(composer)
	_, before, _ := d.PlaceOfField(composer)
	d.Type("one")
	d.ShiftKey(fyne.KeyReturn)
	d.Type("two")
	if got := d.draft(); got != "one\ntwo" {
		t.Fatalf("the composer holds %q", got)
	}
	if _, after, _ := d.PlaceOfField(composer); after.Height <= before.Height {
		t.Errorf("the composer is %v high with two lines and %v with one", after.Height, before.Height)
	}
	d.Key(fyne.KeyReturn)
	if d.draft() != "" || !d.busy() {
		t.Fatal("Enter did not send the message")
	}
	close(seen)
	d.idle()
	if !d.Reads("You said: one two") {
		t.Error("the answer is not shown")
	}
	if got := d.title(); got != "one two" {
		t.Errorf("the title is %q", got)
	}
	d.Key(fyne.KeyReturn)
	if d.busy() {
		t.Error("Enter sent an empty message")
	}
}

func TestEscapeStopsTheTurn(t *testing.T) {
	d := shown(t, ui.Options{Agent: ui.AgentOptions{NewSession: sessions(func(ctx context.Context, _ []*genai.Content, yield func(string, error) bool) {
		yield("Once upon a time", nil)
		<-ctx.Done()
		yield("", ctx.Err())
	})}})
	d.send("Tell me a story")
	d.sees("Once upon a time")
	if !d.IconPressable("stop") {
		t.Error("there is no button that stops the turn")
	}
	d.Key(fyne.KeyEscape)
	d.idle()
	if !d.Reads("You stopped this turn.") {
		t.Error("the window does not say that the turn was stopped")
	}
	if d.Icons("up") != 1 {
		t.Error("the button that sends is not back")
	}
}

func TestFailureCanBeRetried(t *testing.T) {
	var calls atomic.Int32
	d := shown(t, ui.Options{Agent: ui.AgentOptions{NewSession: sessions(func(ctx context.Context, h []*genai.Content, yield func(string, error) bool) {
		if calls.Add(1) == 1 {
			yield("", errBoom)
			return
		}
		yield(fmt.Sprintf("I have %d message", len(h)), nil)
	})}})
	d.send("hello")
	d.idle()
	if !d.Reads("The model can't be reached: connection refused.") {
		t.Error("the failure is not shown as a sentence")
	}
	d.Press("Retry")
	d.idle()
	if !d.Reads("I have 1 message") {
		t.Error("the retry did not go on from the history")
	}
	if d.Reads("Retry") {
		t.Error("the failure is still there")
	}
}

func TestTurnGoesOnBehindAnotherConversation(t *testing.T) {
	release, ended := make(chan struct{}), make(chan struct{})
	d := shown(t, ui.Options{Agent: ui.AgentOptions{NewSession: sessions(func(ctx context.Context, h []*genai.Content, yield func(string, error) bool) {
		defer close(ended)
		select {
		case <-release:
		case <-ctx.Done():
		}
		yield("late answer", nil)
	})}})
	d.send("first")
	d.newChat()
	if d.title() == "first" || slices.Contains(d.transcript(), "first") {
		t.Fatal("the new conversation is not shown")
	}
	d.Type("a draft")
	close(release)
	waittest.Receive(t, "the turn ends", ended)
	d.until("the first turn ends", d.window.Settled)
	if slices.Contains(d.transcript(), "late answer") {
		t.Error("the answer is shown in the wrong conversation")
	}
	d.Press("first")
	if got := d.transcript(); !slices.Contains(got, "first") || !slices.Contains(got, "late answer") {
		t.Errorf("the answer is lost: %q", got)
	}
	d.Press("New chat", 1) // the first is the button
	if got := d.draft(); got != "a draft" {
		t.Errorf("the draft is %q", got)
	}
}

func TestCloseEndsTurns(t *testing.T) {
	d := shown(t, ui.Options{Agent: ui.AgentOptions{NewSession: sessions(func(ctx context.Context, _ []*genai.Content, yield func(string, error) bool) {
		<-ctx.Done()
		yield("", ctx.Err())
	})}})
	d.send("wait for ever")
	d.window.Close() // waits for every goroutine of the window
	d.window.Close()
}

func TestExampleFillsTheComposer(t *testing.T) {
	d := newDesk(t, ui.Options{Pages: ui.PageOptions{Folder: "/srv/trip"}})
	d.Press("What files are in this folder?")
	if got := d.draft(); got != "What files are in this folder?" {
		t.Errorf("the composer holds %q", got)
	}
	if d.busy() {
		t.Error("the example was sent at once")
	}
}

func TestHugePasteIsRefused(t *testing.T) {
	const most, path = 64 << 10, scriptField
	d := newDesk(t, ui.Options{})
	d.Press("Connect tool")
	d.FocusField(path)
	d.Paste(strings.Repeat("x", most+1))
	if d.Field(path) != "" {
		t.Error("the field took it")
	}
	if !d.Reads("That is more than 64 kB. Save it to a file and attach the file instead.") {
		t.Error("the window does not say why the field did not take it")
	}
	d.Paste("small")
	if got := d.Field(path); got != "small" {
		t.Errorf("the field holds %q", got)
	}
}

func TestShortcutOpensANewChat(t *testing.T) {
	d := shown(t, ui.Options{Agent: ui.AgentOptions{NewSession: sessions(samplechat.Echo)}})
	d.send("hello")
	d.idle()
	d.Ctrl(fyne.KeyN)
	if d.title() != "New chat" || !slices.Contains(d.sidebar(), "hello") {
		t.Errorf("the title is %q, the sidebar %q", d.title(), d.sidebar())
	}
}
