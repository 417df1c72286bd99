package ui

import (
	"bytes"
	"context"
	"database/sql"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/storage"
	"fyne.io/fyne/v2/test"
	"google.golang.org/genai"

	"goated/internal/store"
	"goated/ui/kit"
	"goated/ui/richtext"
	"goated/ui/view"
)

// keeping is a window over a history.
func keeping(t *testing.T, s *store.Store) *desk {
	t.Helper()
	d := newDesk(t, Options{History: s, NewSession: sessions(script(echo))})
	d.show()
	return d
}

// says sends a message and waits until the turn is kept.
func (d *desk) says(text string) {
	d.t.Helper()
	d.composer.input.SetText(text)
	press(d.composer.input, fyne.KeyReturn)
	d.settled()
}

// settled waits until no turn is under way and the last one was read again.
func (d *desk) settled() {
	d.t.Helper()
	d.until("the turn is kept", func() bool {
		c := d.conversation()
		n := len(c.thread.turns)
		return d.idle() && !c.loading && c.id != "" && n > 0 && c.thread.turns[n-1].ID == c.active && c.thread.end == len(c.chat.Items)
	})
}

// texts are what was said in the conversation that is shown.
func (d *desk) texts() (all []string) {
	for _, item := range d.transcript.items {
		all = append(all, sourceOf(item))
	}
	return all
}

// history is what the model would be told, as texts.
func (d *desk) history() (all []string) {
	for _, c := range d.conversation().session.History() {
		for _, p := range c.Parts {
			all = append(all, p.Text)
		}
	}
	return all
}

// Requirement 3 of the persistence spec, in the window: the title is there with
// the first message; requirement 4: when the one that is shown is deleted, the
// most recent of the others is shown, or an empty one.
func TestTitleIsLiveAndDeletingShowsTheMostRecent(t *testing.T) {
	s, _ := archive(t)
	d := keeping(t, s)
	for _, text := range []string{"alpha\nand more", "beta", "gamma"} {
		d.newChat()
		d.composer.input.SetText(text)
		press(d.composer.input, fyne.KeyReturn)
		first, _, _ := strings.Cut(text, "\n")
		d.until("the title is there", func() bool { return slices.Contains(d.rowsOf(), first) && d.title.Text == first })
		d.settled()
		d.later()
	}
	d.pin(d.chats[0]) // what is pinned is on top, and not therefore the most recent
	d.until("it is pinned", func() bool { return d.chats[2].pinned })
	for _, want := range []string{"beta", "alpha", "New chat"} {
		gone := d.conversation()
		d.discard(gone)
		d.until("it is gone", func() bool { return !slices.Contains(d.chats, gone) })
		if got := d.conversation().heading(); got != want {
			t.Fatalf("after it %q is shown, not %q", got, want)
		}
	}
	for _, want := range []string{"alpha", "beta", "gamma"} {
		d.restore()
		d.until(want+" is back", func() bool { return d.conversation().heading() == want })
	}
}

// Property 9: where the history fails, the window keeps what it shows and says
// what is wrong.
func TestFailureKeepsWhatIsShown(t *testing.T) {
	s, _ := archive(t)
	d := keeping(t, s)
	d.says("one")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	before := d.texts()
	d.discard(d.conversation())
	d.until("it is told", func() bool { return len(d.toasts.List.Objects) > 0 })
	d.remove(0)
	d.until("it is told again", func() bool { return len(d.toasts.List.Objects) > 1 })
	if got := d.texts(); !slices.Equal(got, before) || len(d.chats) != 1 || d.conversation().loading {
		t.Fatalf("it shows %q of %d conversations", got, len(d.chats))
	}
	test.Type(d.sidebar.finder.input, "one")
	d.sidebar.finder.OnSeek("one")
	d.until("the search says so, too", func() bool {
		return strings.HasPrefix(richtext.PlainText(d.sidebar.finder.note.Spans), "The search failed. ")
	})
}

// Property 2, in the window: whatever is done, the list is in the order of the
// history, and so it is after a restart.
func TestListIsInTheOrderOfTheHistory(t *testing.T) {
	s, _ := archive(t)
	d := keeping(t, s)
	same := func() {
		list, err := s.Conversations(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		var want, got []string
		for _, c := range list {
			want = append(want, c.ID)
		}
		for _, c := range slices.Backward(d.chats) {
			if c.id != "" {
				got = append(got, c.id)
			}
		}
		if !slices.Equal(got, want) {
			for _, c := range list {
				t.Logf("%s %v %v", c.ID[24:], c.Pinned, c.Updated)
			}
			for _, c := range slices.Backward(d.chats) {
				if c.id != "" {
					t.Logf("window: %s %v %v", c.id[24:], c.pinned, c.began)
				}
			}
			t.Fatal("the list is in another order")
		}
	}
	chance := rand.New(rand.NewPCG(2026, 11))
	for range 120 { // of them all, since each step goes on from the one before
		d.later()
		switch chance.IntN(6) {
		case 0:
			d.newChat()
			d.says("a new one")
		case 1:
			if c := d.conversation(); c.id != "" {
				was := c.pinned
				d.pin(c)
				d.until("it is pinned, or no more", func() bool { return c.pinned != was })
			}
		case 2:
			if c := d.conversation(); c.id != "" {
				d.discard(c)
				d.until("it is gone", func() bool { return !slices.Contains(d.chats, c) })
			}
		case 3:
			if n := len(d.removed); n > 0 {
				c := d.removed[n-1].c
				d.restore()
				d.until("it is back", func() bool { return d.conversation() == c })
			}
		default:
			d.choose(chance.IntN(len(d.chats)))
			d.until("it is read", func() bool { return !d.conversation().loading })
			if d.conversation().id != "" {
				d.says("one thing more")
			}
		}
		d.until("nothing is read", func() bool { return !d.conversation().loading })
		same()
	}
}

// What is written and not sent is back after a restart, also of a process that
// was killed: what is kept was written by no closing of anything.
func TestDraftIsKept(t *testing.T) {
	s, path := archive(t)
	d := keeping(t, s)
	d.says("first")
	test.Type(d.composer.input, "half a")
	d.newChat()
	test.Type(d.composer.input, "of another")
	other, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	drafts := func() map[string]string {
		list, err := other.Conversations(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		all := map[string]string{}
		for _, c := range list {
			all[c.Title] = c.Draft
		}
		return all
	}
	d.until("the drafts are kept", func() bool { all := drafts(); return all["first"] == "half a" && all[""] == "of another" })

	again := keeping(t, other)
	again.until("the newest is shown", func() bool { return again.composer.input.Text == "of another" })
	if len(again.chats) != 2 {
		t.Fatalf("%d conversations", len(again.chats))
	}
	again.choose(slices.IndexFunc(again.chats, func(c *conversation) bool { return c.title == "first" }))
	if got := again.composer.input.Text; got != "half a" {
		t.Errorf("the draft is %q", got)
	}
	again.until("it is read", func() bool { return !again.conversation().loading })
	again.says("half a loaf")
	again.until("what was sent is no draft", func() bool { return drafts()["half a"] == "" && drafts()["first"] == "" })
	// The last words before the window closes are kept, too.
	test.Type(again.composer.input, "the last words")
	again.Close()
	if got := drafts()["first"]; got != "the last words" {
		t.Errorf("the draft is %q", got)
	}
}

// A conversation that came to nothing is not there the next time.
func TestEmptiedDraftLeavesNothing(t *testing.T) {
	s, _ := archive(t)
	d := keeping(t, s)
	test.Type(d.composer.input, "x")
	d.until("it is kept", func() bool { return d.conversation().id != "" })
	d.composer.input.SetText("")
	d.Close()
	again := keeping(t, s)
	again.until("it is thrown away", func() bool {
		list, err := s.Conversations(t.Context())
		return err == nil && len(list) == 0
	})
	if len(again.chats) != 1 {
		t.Errorf("%d conversations", len(again.chats))
	}
}

func TestPlaceIsKept(t *testing.T) {
	s, _ := archive(t)
	d := keeping(t, s)
	d.says(strings.Repeat("a long line of words\n", 80))
	for range 3 {
		d.says("and more\n" + strings.Repeat("words on a line\n", 30))
	}
	sight := func(d *desk) int { return d.transcript.heights.At(d.transcript.scroll.Scroll.Offset.Y) }
	d.transcript.goTo(900)
	d.transcript.goTo(d.transcript.heights.Before(2) + 100)
	at := sight(d)
	c := d.conversation()
	d.newChat()
	d.choose(slices.Index(d.chats, c))
	if got := sight(d); got != at || d.transcript.stick {
		t.Fatalf("item %d is on top, not %d", got, at)
	}
	d.Close()
	again := keeping(t, s)
	again.until("it is read", func() bool { return len(again.transcript.items) == 8 })
	if got := sight(again); got != at || again.transcript.stick {
		t.Fatalf("after a restart item %d is on top, not %d", got, at)
	}
	// Who says something is at the end again, and stays there.
	again.says("the end")
	again.Close()
	last := keeping(t, s)
	last.until("it is read", func() bool { return len(last.transcript.items) == 10 })
	if !last.transcript.stick {
		t.Error("after a message the end is not in sight")
	}
}

func TestMessageIsDeletedAndBroughtBack(t *testing.T) {
	s, _ := archive(t)
	d := keeping(t, s)
	for _, text := range []string{"one", "two", "three"} {
		d.says(text)
	}
	all := d.texts()
	if got := d.deletes(3); got != "Delete the message, its answer and the one after" {
		t.Errorf("it offers %q", got)
	}
	b, ok := d.transcript.rows[3].block.(*answer)
	if !ok {
		t.Fatal("the second answer is not there")
	}
	test.Tap(b.foot.buttons[len(b.foot.buttons)-1])
	d.until("it is gone", func() bool { return len(d.removed) == 1 })
	want := []string{"one", "You said: one"}
	if got := d.texts(); !slices.Equal(got, want) || !slices.Equal(d.history(), want) {
		t.Fatalf("%q are left, and the model is told %q", got, d.history())
	}
	d.says("instead")
	if got := d.history(); len(got) != 4 || got[2] != "instead" {
		t.Fatalf("the model is told %q", got)
	}
	undo, ok := find(d, func(l *kit.Label) bool { return l.Text == "Undo" })
	if !ok || undo == nil {
		t.Fatal("nothing says that it can be undone")
	}
	d.restore()
	d.until("it is back", func() bool { return slices.Equal(d.texts(), all) })
	if got := d.history(); !slices.Equal(got, all) {
		t.Fatalf("the model is told %q", got)
	}
	if at, of := d.versionOf(2); at != 0 || of != 2 {
		t.Errorf("it is version %d of %d", at+1, of)
	}
}

// What the disk does not bring back can be brought back later.
func TestUndoCanBeTriedAgain(t *testing.T) {
	s, path := archive(t)
	d := keeping(t, s)
	d.says("one")
	all := d.texts()
	d.remove(0)
	d.until("it is gone", func() bool { return len(d.removed) == 1 && len(d.transcript.items) == 0 })
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(`CREATE TRIGGER no BEFORE UPDATE OF deleted ON turn BEGIN SELECT raise(ABORT, 'no room'); END`); err != nil {
		t.Fatal(err)
	}
	d.restore()
	d.until("it has failed", func() bool { return !d.conversation().loading })
	if _, err := db.Exec(`DROP TRIGGER no`); err != nil {
		t.Fatal(err)
	}
	d.restore()
	d.until("it is back", func() bool { return slices.Equal(d.texts(), all) })
	if len(d.removed) != 0 {
		t.Error("it can be brought back twice")
	}
}

// Versions are turned under what they are versions of, and what followed comes
// back with each.
func TestVersionsAreTurned(t *testing.T) {
	s, _ := archive(t)
	d := keeping(t, s)
	d.says("first")
	d.says("then")
	long := d.texts()
	d.edit(0)
	d.says("second")
	foot := d.transcript.rows[0].block.(*bubble).foot
	if got := foot.pager.count.Text; got != "2/2" || foot.pager.root.Hidden || !foot.pager.forth.Disabled() {
		t.Fatalf("it says %q", got)
	}
	press(foot.pager.back, fyne.KeyReturn)
	d.until("the first is back", func() bool { return slices.Equal(d.texts(), long) })
	if got := d.history(); !slices.Equal(got, long) {
		t.Fatalf("the model is told %q", got)
	}
	d.regenerate(3)
	d.settled()
	if at, of := d.versionOf(3); at != 1 || of != 2 {
		t.Fatalf("the answer is version %d of %d", at+1, of)
	}
	if _, of := d.versionOf(2); of != 1 {
		t.Fatalf("the message has %d versions", of)
	}
	again := d.conversation().active
	d.turnLast(-1)
	d.until("the first answer is back", func() bool { at, _ := d.versionOf(3); return at == 0 && !d.conversation().loading })
	d.turnLast(1)
	d.until("the second answer is back", func() bool { return d.conversation().active == again })
	// The other message and this one again: what was shown of it last is shown.
	d.turnVersion(0, 1)
	d.until("the second message is shown", func() bool { return d.texts()[0] == "second" })
	d.turnVersion(0, -1)
	d.until("all of the first is back", func() bool { return d.conversation().active == again })
}

// A search leads to the message, on whatever branch it is.
func TestSearchLeadsToTheMessage(t *testing.T) {
	s, _ := archive(t)
	d := keeping(t, s)
	d.says("the zebra crossing")
	for range 3 {
		d.says(strings.Repeat("nothing of interest\n", 30))
	}
	d.edit(0)
	d.says("the giraffe")
	d.newChat()
	d.says("unrelated")
	d.run(d.command(t, "search"))
	f := d.sidebar.finder
	if !f.input.Lit {
		t.Fatal("the field has not the focus")
	}
	test.Type(f.input, "zeb CROSS")
	d.beats(2)
	d.until("it is found", func() bool { return len(f.hits) > 0 })
	if !f.page.Visible() || d.sidebar.roster.Root.Visible() {
		t.Error("what is found is not shown in place of the list")
	}
	press(f.input, fyne.KeyReturn)
	d.until("it is marked", func() bool { return len(d.transcript.signals) > 0 })
	if got := d.texts()[0]; got != "the zebra crossing" || len(d.texts()) != 8 {
		t.Fatalf("it shows %q", got)
	}
	if top := d.transcript.scroll.Scroll.Offset.Y; top > 200 {
		t.Errorf("the message is out of sight: at %v", top)
	}
	if marks := d.transcript.marksOf(0, 0); len(marks) != 2 {
		t.Errorf("it is marked %+v", marks)
	}
	if !f.input.Lit {
		t.Error("the field has lost the focus")
	}
	d.beats(signalBeats + 1)
	if len(d.transcript.signals) > 0 {
		t.Error("the mark stays")
	}
	f.input.SetText("nosuchword")
	d.beats(2)
	d.until("it says so", func() bool {
		return strings.HasPrefix(richtext.PlainText(f.note.Spans), "Nothing found for “nosuchword”")
	})
	press(f.input, fyne.KeyEscape)
	if f.input.Text != "" || f.page.Visible() || !d.sidebar.roster.Root.Visible() {
		t.Error("Escape does not clear it")
	}
	press(f.input, fyne.KeyEscape)
	if f.input.Lit {
		t.Error("a second Escape does not go back to the message")
	}
}

// Of searches that overtake each other, the newest is shown.
func TestNewestSearchWins(t *testing.T) {
	s, _ := archive(t)
	d := keeping(t, s)
	d.says("an apple")
	f := d.sidebar.finder
	for i := range 40 {
		f.input.SetText("apple"[:1+i%5])
		f.OnSeek(f.input.Text)
	}
	d.until("it is found", func() bool { return f.query == "apple" })
	f.found("app", nil, nil)
	if len(f.hits) == 0 || f.query != "apple" {
		t.Error("an older search is shown")
	}
	press(f.input, fyne.KeyDown)
	press(f.input, fyne.KeyDown)
	if f.at != len(f.hits)-1 {
		t.Errorf("the arrows mark %d of %d", f.at, len(f.hits))
	}
	f.input.SetText("")
	f.OnSeek("")
	if f.page.Visible() {
		t.Error("it is still shown")
	}
}

func (d *desk) command(t *testing.T, id string) command {
	t.Helper()
	for _, c := range d.commands() {
		if c.ID == id {
			return c
		}
	}
	t.Fatalf("there is no command %q", id)
	return command{}
}

func TestImportOpensWhatItBrings(t *testing.T) {
	s, _ := archive(t)
	d := keeping(t, s)
	d.says("carried over")
	var b bytes.Buffer
	if err := s.ExportJSON(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file := func(name, text string) fyne.URI {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return storage.NewFileURI(path)
	}
	d.newChat()
	d.drop(fyne.NewPos(600, 100), []fyne.URI{file("talk.json", b.String())})
	d.until("it is opened", func() bool { return len(d.texts()) == 2 && len(d.chats) == 3 })
	if got := d.history(); !slices.Equal(got, []string{"carried over", "You said: carried over"}) {
		t.Errorf("the model is told %q", got)
	}
	// Other data is attached, as ever.
	d.drop(fyne.NewPos(600, 100), []fyne.URI{file("data.json", `{"format": "mine"}`)})
	d.until("it is attached", func() bool { return len(d.conversation().files) == 1 })
	// What can't be imported is told, and changes nothing.
	for text, want := range map[string]string{
		"{":       "broken.json can't be imported: byte 1: unexpected end of JSON input.",
		`{"a":1}`: "broken.json can't be imported: the file is not one that goated has exported.",
	} {
		d.toasts.List.Objects = nil
		d.importFile(file("broken.json", text).Path())
		d.until("it is told", func() bool { return len(d.toasts.List.Objects) > 0 })
		if !d.reads(want) {
			p, _ := find(d, func(p *kit.Paragraph) bool { return strings.Contains(richtext.PlainText(p.Spans), "broken.json") })
			t.Errorf("nothing says %q, but %q", want, richtext.PlainText(p.Spans))
		}
	}
	if len(d.chats) != 3 {
		t.Errorf("%d conversations", len(d.chats))
	}
}

// Files that went with a message are back with their names and previews; what
// the model is told is the same as it was.
func TestAttachmentsComeBack(t *testing.T) {
	s, _ := archive(t)
	var told [][]*genai.Content
	model := sessions(script(func(ctx context.Context, h []*genai.Content, yield func(string, error) bool) {
		told = append(told, slices.Clone(h))
		yield("seen", nil)
	}))
	d := newDesk(t, Options{History: s, NewSession: model})
	d.show()
	data := chart(40, 30)
	a, err := newAttached("chart of 2026.png", data)
	if err != nil {
		t.Fatal(err)
	}
	d.attachTo(d.conversation(), a, nil)
	d.says("what is it?")
	if got := told[0][0].Parts[0].InlineData; got.DisplayName != "" || !bytes.Equal(got.Data, data) {
		t.Fatalf("the model was told the name %q", got.DisplayName)
	}
	before := d.conversation().session.History()
	d.Close()

	again := newDesk(t, Options{History: s, NewSession: model})
	again.show()
	again.until("it is read", func() bool { return len(again.transcript.items) == 2 })
	files := again.transcript.items[0].(view.User).Attachments()
	if len(files) != 1 || files[0].Name != "chart of 2026.png" || files[0].Type != "image/png" {
		t.Fatalf("the files are %+v", files)
	}
	if !again.reads("chart of 2026.png") {
		t.Error("the name is not shown")
	}
	again.until("the preview is there", func() bool { return again.transcript.previews[&files[0].Data[0]] != nil })
	if got := again.conversation().session.History(); !equalContents(t, got, before) {
		t.Error("the model is told otherwise than before")
	}
	again.edit(0)
	if f := again.conversation().files; len(f) != 1 || f[0].Name != "chart of 2026.png" || len(again.composer.chips.Objects) != 1 {
		t.Errorf("to be edited, it has the files %+v", f)
	}
	again.detach(0)
	again.conversation().branch = 0
	again.composer.fill("")
	again.regenerate(1)
	again.settled()
	if got := told[len(told)-1][0].Parts[0].InlineData; got.DisplayName != "" || !bytes.Equal(got.Data, data) {
		t.Errorf("the model is told the name %q", got.DisplayName)
	}
	if _, of := again.versionOf(1); of != 2 {
		t.Errorf("the answer has %d versions", of)
	}
	if _, err := png.Decode(bytes.NewReader(data)); err != nil {
		t.Fatal(err)
	}
}

func equalContents(t *testing.T, a, b []*genai.Content) bool {
	t.Helper()
	text := func(cs []*genai.Content) (out string) {
		for _, c := range cs {
			for _, p := range c.Parts {
				out += c.Role + p.Text
				if p.InlineData != nil {
					out += p.InlineData.MIMEType + p.InlineData.DisplayName + string(p.InlineData.Data)
				}
			}
		}
		return out
	}
	return text(a) == text(b)
}

// While a conversation is being read anew nothing is said in it: the words stay in
// the composer, and follow what then is there.
func TestNothingIsSaidWhileAMessageIsDeleted(t *testing.T) {
	s, _ := archive(t)
	d := keeping(t, s)
	d.says("one")
	d.says("two")
	d.remove(2)
	d.composer.input.SetText("three")
	press(d.composer.input, fyne.KeyReturn)
	d.regenerate(1)
	d.retry()
	if d.conversation().running() || d.composer.input.Text != "three" {
		t.Errorf("it is sent, and the composer has %q", d.composer.input.Text)
	}
	d.until("it is deleted", func() bool { return !d.conversation().loading })
	press(d.composer.input, fyne.KeyReturn)
	d.settled()
	told := strings.Join(d.history(), "|")
	if got := d.texts(); len(got) != 4 || got[0] != "one" || got[2] != "three" || !strings.HasPrefix(told, "one|") || strings.Contains(told, "two") {
		t.Errorf("shown is %q, and the model is told %q", got, told)
	}
}

// What was read before a message was deleted does not bring it back.
func TestOldReadingIsNotShown(t *testing.T) {
	s, _ := archive(t)
	d := keeping(t, s)
	d.says("one")
	d.says("two")
	c := d.conversation()
	kept, err := s.Thread(t.Context(), c.id)
	if err != nil {
		t.Fatal(err)
	}
	old, taken := retold(kept), c.taken
	d.remove(2)
	d.until("it is deleted", func() bool { return !c.loading })
	if c.renew(old, taken) || len(c.chat.Items) != 2 || len(c.thread.turns) != 1 {
		t.Errorf("%d messages of %d turns are shown", len(c.chat.Items), len(c.thread.turns))
	}
}
