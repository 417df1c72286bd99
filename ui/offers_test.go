package ui_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"fyne.io/fyne/v2"

	"goated/agent"
	"goated/client"
	"goated/internal/readiness"
	"goated/ui"
)

// offering returns a window with a server that has prompts and resources. Like echoServer, the
// server has a separate folder.
func offering(t *testing.T) *desk {
	t.Helper()
	source, err := os.ReadFile("../internal/offers/testdata/offers.py")
	script := filepath.Join(t.TempDir(), "offers.py")
	if err == nil {
		err = os.WriteFile(script, source, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return offeringFrom(t, script)
}

func offeringFrom(t *testing.T, script string) *desk {
	host := client.New(client.Options{Unconfined: unconfined})
	t.Cleanup(host.Close)
	d := hosted(t, ui.Options{Host: host, Agent: ui.AgentOptions{NewSession: func() *agent.Session {
		return &agent.Session{Model: &witness{host: host}, Tools: readiness.New(host)}
	}}})
	if _, err := host.Connect(t.Context(), client.Config{Path: script, Name: "Memos", Unconfined: true}); err != nil {
		t.Fatal(err)
	}
	d.until("the sidebar counts the server", func() bool { return d.After("Tools") == "1" })
	return d
}

// "/" lists the prompts. The keyboard selects one, and its text starts the message.
func TestPromptsAreSlashCommands(t *testing.T) {
	d := offering(t)
	d.write("/")
	d.sees("Write a report")
	if d.Reads("The plan") {
		t.Error("a resource is listed among the prompts")
	}
	d.write("/greet")
	d.until("only one fits", func() bool { return d.Reads("Greet somebody") && !d.Reads("Write a report") })
	if !d.Reads("Enter to insert · Esc to close") || d.Says("Enter to send") {
		t.Error("the hint does not say what Enter does while the list is open")
	}
	d.Key(fyne.KeyReturn)
	d.until("the message begins with its text", func() bool { return d.draft() == "Dear reader," && !d.Reads("Greet somebody") })
	if !d.FieldFocused(composer) {
		t.Error("the composer has lost the keyboard")
	}
	d.write("/rep")
	d.sees("Write a report")
	d.Key(fyne.KeyEscape)
	d.until("Esc closes the list", func() bool { return !d.Reads("Write a report") })
	if !d.Says("Enter to send") {
		t.Error("the hint does not say that Enter sends again")
	}
	if d.draft() != "/rep" {
		t.Errorf("the message is %q", d.draft())
	}
	d.write("/repo")
	d.sees("Write a report")
	d.Press("Write a report")
	d.sees("The subject. For example bread, butter, wine.")
	d.Press("Insert into message")
	d.sees("Insert into message") // an argument is missing
	d.Enter("topic", "wine")
	d.Press("Insert into message")
	d.until("the message is the report", func() bool { return d.Layers() == 0 && d.draft() == "Report on wine (plain)" })

	// "All prompts" lost the arguments without the warning that Esc shows.
	d.openServer("Memos", "Prompts")
	d.until("the prompts are listed", func() bool { return d.Reads("Write a report") })
	d.Press("Write a report")
	d.Enter("topic", "bread")
	d.Press("All prompts")
	d.Press("Greet somebody")
	d.Press("All prompts")
	d.Key(fyne.KeyEscape)
	if !d.Reads("All prompts") || !d.Reads("Press Esc again to close this form. What you entered is lost then.") || d.Field("topic") != "bread" {
		t.Errorf("All prompts loses the arguments: %q", d.Texts())
	}
}

// "@" lists the resources. A selected resource becomes a file of the message.
func TestResourcesAreAttached(t *testing.T) {
	d := offering(t)
	d.write("Sum up @pl")
	d.sees("The plan")
	d.Key(fyne.KeyReturn)
	d.until("the resource is attached", func() bool { return d.draft() == "Sum up " && d.Reads("plan.md") })
	d.write("And @note")
	d.sees("A note by its day")
	d.Key(fyne.KeyReturn)
	d.sees("Attach")
	d.Enter("day", "monday")
	d.Press("Attach")
	d.until("the note is attached", func() bool { return d.Layers() == 0 && d.Reads("monday.txt") })
	d.write("@huge")
	d.sees("memo://huge")
	d.Key(fyne.KeyReturn)
	d.sees("Huge is larger than 20 MB.")
}

// Text that is not the name of a prompt stays a message.
func TestOtherTextIsNoCommand(t *testing.T) {
	d := offering(t)
	for _, text := range []string{"/home/ada/x", "ada@example.org", "/roll {", "2 / 3", "@"} {
		d.write(text)
		d.write(text + "zzz")
		if d.Reads("Greet somebody") || d.Reads("The plan") {
			t.Errorf("%q lists something", text)
		}
	}
}

// The picture and the document of a prompt become files of the message.
func TestFilesOfAPromptAreAttached(t *testing.T) {
	d := offering(t)
	d.write("/chart")
	d.sees("Draw it")
	d.Key(fyne.KeyReturn)
	d.until("the message has all parts", func() bool {
		return d.draft() == "Look at this.\n\ndata memo://data.csv" && d.Reads("chart 1.png") && d.Reads("paper.pdf")
	})
}

// A prompt that the page of a server inserts replaced the draft, behind the page of the tools, and
// lost its files.
func TestAPromptOfTheServerPageKeepsTheDraft(t *testing.T) {
	d := offering(t)
	insert := func(prompt string) {
		t.Helper()
		d.Press("Prompts")
		d.sees(prompt)
		d.Press(prompt)
		d.Press("Insert into message")
	}
	use := func(prompt string) {
		t.Helper()
		d.run("Tools")
		d.Press("Memos")
		d.Press("Details")
		insert(prompt)
	}
	d.write("keep me")
	d.Ctrl(fyne.KeyA) // the selection stays, too
	use("Greet somebody")
	d.until("the prompt follows the draft", func() bool { return d.Layers() == 0 && d.HasField(composer) && d.draft() == "keep me\n\nDear reader," })
	if d.Reads("Details") || !d.FieldFocused(composer) {
		t.Errorf("the message is not in front: %q", d.Texts())
	}
	use("Draw it")
	d.until("the message has all parts", func() bool {
		return d.Layers() == 0 && strings.HasSuffix(d.draft(), "Look at this.\n\ndata memo://data.csv") && d.Reads("chart 1.png") && d.Reads("paper.pdf")
	})
	// Text elsewhere on the page stays.
	d.openServer("Memos", "Permissions")
	d.Enter("Folder or file to allow", "/srv")
	insert("Greet somebody")
	d.sees("The text of the prompt is in your message.")
	if d.Press("Permissions"); d.Field("Folder or file to allow") != "/srv" {
		t.Errorf("the page shows %q", d.Texts())
	}
}

// The answer of a slow server replaced what the user had typed in the meantime. It was lost if
// the user looked at another conversation.
func TestASlowPromptReplacesNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "gate")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	gate, err := os.OpenFile(path, os.O_RDWR, 0) // opens both ends, so that neither open waits for the server
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = gate.Close() })
	text, err := os.ReadFile("../internal/offers/testdata/offers.py")
	if err != nil {
		t.Fatal(err)
	}
	const get = `if method == "prompts/get":`
	script := filepath.Join(dir, "slow.py")
	slow := strings.Replace(string(text), get, get+"\n        open('"+path+"', 'rb', 0).read(1)", 1)
	if err := os.WriteFile(script, []byte(slow), 0o600); err != nil {
		t.Fatal(err)
	}
	answer := func() {
		t.Helper()
		if _, err := gate.Write([]byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	d := offeringFrom(t, script)
	greet := func() {
		t.Helper()
		d.write("/greet")
		d.until("only one fits", func() bool { return d.Reads("Greet somebody") && !d.Reads("Write a report") })
		d.Key(fyne.KeyReturn)
	}
	greet()
	d.Type("For Ada")
	answer()
	d.until("the prompt follows what was typed", func() bool { return d.draft() == "For Ada\n\nDear reader," })

	d.write("")
	d.says("first message")
	greet()
	d.newChat()
	answer()
	greet()
	answer()
	d.until("the other conversation has its prompt", func() bool { return d.draft() == "Dear reader," })
	d.write("")
	d.Press("first message")
	d.until("the conversation has its prompt", func() bool { return d.draft() == "Dear reader," })

	// A second press inserted the text twice, and Cancel did not stop it.
	report := func() {
		t.Helper()
		d.write("/repo")
		d.sees("Write a report")
		d.Press("Write a report")
		d.sees("The subject. For example bread, butter, wine.")
		d.Enter("topic", "wine")
		d.Press("Insert into message")
		d.sees("Asking the server…")
	}
	report()
	d.Press("Insert into message")
	answer()
	d.until("the report is there", func() bool { return d.Layers() == 0 && d.draft() != "" })
	report()
	d.Press("Cancel")
	answer()
	d.write("")
	greet() // its answer follows that of the report
	answer()
	d.until("the greeting is there", func() bool { return d.draft() != "" })
	if got := d.draft(); got != "Dear reader," {
		t.Errorf("after Cancel the message is %q", got)
	}
}
