package backend_test

import (
	"bytes"
	"image"
	"image/png"
	"path/filepath"
	"strings"
	"testing"

	"goated/servers/desktop/backend"
	"goated/servers/desktop/journal"
	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/x11/hidden"
)

// recorded returns the actions in a folder's journal, newest last.
func recorded(t *testing.T, folder string) []journal.Entry {
	t.Helper()
	list, err := journal.Read(filepath.Join(folder, backend.JournalFile))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// last returns the newest action in a folder's journal.
func last(t *testing.T, folder string) journal.Entry {
	t.Helper()
	list := recorded(t, folder)
	if len(list) == 0 {
		t.Fatal("nothing is recorded")
	}
	return list[len(list)-1]
}

// The record of a click, of keys, of the clipboard and of a command contains the state before and
// after.
func TestInputsAreRecordedBeforeAndAfter(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	b, app := launched(t, "galculator", "galculator", backend.Options{Hidden: &hidden.Options{Width: 1000, Height: 700}, Shell: true, Record: backend.Record{Folder: folder}})
	ctx := soon(t)
	if e := last(t, folder); e.Method != "OpenApplication" || e.Before == "" || e.After == "" {
		t.Errorf("opening: %+v", e)
	}
	at := func() (before, after string) {
		e := placed(t, b, app.GetName(), both(role("toggle button"), text("7"))) // the window may still move
		must[*pb.Input](t)(b.CreateInput(ctx, click(e.GetX()+e.GetWidth()/2, e.GetY()+e.GetHeight()/2)))
		is := last(t, folder)
		return is.Before, is.After
	}
	desk.Until(t, "a click with the button in its record", func() bool { // a busy program describes the button later
		before, after := at()
		return strings.Contains(before, `the toggle button "7"`) && strings.Contains(after, `the toggle button "7"`) && strings.Contains(before, "the window")
	})
	must[*pb.Input](t)(b.CreateInput(ctx, key("8")))
	if is := last(t, folder); !strings.Contains(is.Before, "the window") || !strings.Contains(is.After, "the window") {
		t.Errorf("a key: %+v", is)
	}
	must[*pb.WriteClipboardResponse](t)(b.WriteClipboard(ctx, &pb.WriteClipboardRequest{Content: &pb.ClipboardContent{Content: &pb.ClipboardContent_Text{Text: "x"}}}))
	if is := last(t, folder); !strings.Contains(is.After, "TEXT") {
		t.Errorf("the clipboard: %+v", is)
	}
	must[*pb.ExecuteShellCommandResponse](t)(b.ExecuteShellCommand(ctx, &pb.ExecuteShellCommandRequest{Command: "exit 3", WorkingDirectory: folder}))
	if is := last(t, folder); is.Before != folder || !strings.Contains(is.After, "code 3") {
		t.Errorf("a command: %+v", is)
	}
}

// A program may describe no fields. Then its window counts as secret if its title asks for a
// password. The record leaves out the keys, and screenshots leave out the window.
func TestWindowsThatAskForPasswords(t *testing.T) {
	folder := t.TempDir()
	b := open(t, func(o *backend.Options) { o.Folder = folder })
	for title, secret := range map[string]bool{"Enter your password": true, "Authentication Required": true, "Unlock Keyring": true, "a letter": false} {
		t.Run(title, func(t *testing.T) {
			w := terminal(t, b, desk.Open(t, nil), title) // waits at its end for that of the window, with which the focus goes
			ctx := soon(t)
			must[*pb.Input](t)(b.CreateInput(ctx, typed("hunter2", 0)))
			if e := last(t, folder); strings.Contains(string(e.Request)+e.Before+e.After, "hunter2") == secret || e.Redacted != secret {
				t.Errorf("recorded: %s, before %q, after %q", e.Request, e.Before, e.After)
			}
			shot := must[*pb.CaptureWindowScreenshotResponse](t)(b.CaptureWindowScreenshot(ctx, &pb.CaptureWindowScreenshotRequest{Window: w.GetName()}))
			m, err := png.Decode(bytes.NewReader(shot.GetImageData()))
			if err != nil {
				t.Fatal(err)
			}
			if plain := plain(m); plain != secret {
				t.Errorf("the picture of it shows nothing: %t", plain)
			}
		})
	}
}

// While no window has the focus, the next one may ask for a password, so the journal does not have the
// text.
func TestTextWithoutAWindowIsNotRecorded(t *testing.T) {
	folder := t.TempDir()
	b := open(t, func(o *backend.Options) { o.Folder = folder })
	if list := must[*pb.ListWindowsResponse](t)(b.ListWindows(soon(t), &pb.ListWindowsRequest{Parent: "applications/-"})); len(list.GetWindows()) > 0 {
		t.Fatalf("another test left %v", list)
	}
	must[*pb.Input](t)(b.CreateInput(soon(t), typed("hunter2", 0)))
	if e := last(t, folder); strings.Contains(string(e.Request)+e.Before+e.After, "hunter2") || !e.Redacted {
		t.Errorf("recorded: %s, before %q, after %q", e.Request, e.Before, e.After)
	}
}

// plain reports whether a picture has a single color.
func plain(m image.Image) bool {
	r := m.Bounds()
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if m.At(x, y) != m.At(r.Min.X, r.Min.Y) {
				return false
			}
		}
	}
	return true
}
