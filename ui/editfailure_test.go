package ui_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"goated/client"
	"goated/internal/config"
)

// failedBelow is the sentence at the bottom of the form while a failure is shown.
const failedBelow = "It did not start. The reason is below."

// fails changes the option of the program to an unknown one, and waits for the failure.
func (e *editing) fails() {
	e.T.Helper()
	e.Enter(scriptField, e.launch.Command+" -Z "+strings.Join(e.launch.Args, " "))
	e.Press("Save and restart")
	e.sees(failedBelow)
}

// A failed change left the server in the list twice: the host had the new arguments, and the
// settings kept the old ones. The correction was saved beside them.
func TestAFailedEditLeavesOneServer(t *testing.T) {
	e := editingServer(t, func(*config.Launch) {})
	e.fails()
	if e.Reads("Change how it runs…") { // it would fill the open form again
		t.Error("the failure offers to open the form")
	}
	if e.Enter(folderField, e.folder); e.Reads(failedBelow) {
		t.Error("the form still says that the reason is below, while the user corrects it")
	}
	if e.Pressable("Save anyway") { // it would save the failed arguments and lose the folder
		t.Error("the form offers to save what the user has corrected since")
	}
	missing := filepath.Join(e.folder, "missing.py")
	e.Enter(scriptField, missing)
	e.Press("Save and restart")
	e.until("the script is missed", func() bool { return e.Says("Server script not found") && e.Pressable("Cancel") })
	if e.Pressable("Save anyway") { // it would save the previous change
		t.Error("the form offers to save what goated did not try")
	}
	e.Enter(folderField, "")
	e.fails()
	e.Press("Save anyway")
	e.until("the list has one server", func() bool { return e.Says("1 of 1 server on") })
	e.edit()
	if !strings.Contains(e.Field(scriptField), " -Z ") {
		t.Errorf("the form shows %q", e.Field(scriptField))
	}
	e.Enter(scriptField, e.launch.Command+" -B "+strings.Join(e.launch.Args, " "))
	e.Press("Save and restart")
	e.server("runs", func(s client.Server) bool { return s.Status == client.Connected && s.Args[0] == "-B" })
	e.until("only that is saved", func() bool {
		s := e.saved.get().Launch
		return len(s) == 1 && slices.Contains(s[0].Args, "-B")
	})
}

// "Save anyway" would have saved the failed change without the variable that the user had
// entered since then.
func TestAVariableChangesAFailedEdit(t *testing.T) {
	e := editingServer(t, func(*config.Launch) {})
	e.fails()
	if !e.Pressable("Save anyway") {
		t.Error("the form does not offer to save the change that failed")
	}
	e.FocusField("NAME")
	if e.Type("B"); e.Pressable("Save anyway") || !e.Reads(failedBelow) {
		t.Errorf("the form offers to save what the user has corrected since, or hides the reason: %q", e.Texts())
	}
}

// A button of the failure filled the open form again, which lost what the user had typed.
func TestTheFailureOfAnEditKeepsWhatIsTyped(t *testing.T) {
	e := editingServer(t, func(*config.Launch) {})
	e.Enter(scriptField, scriptOf(t, "env.py", "import os\nos.environ['API_TOKEN']"))
	e.Press("Save and restart")
	e.sees(failedBelow)
	e.sees("Set API_TOKEN…")
	if e.Enter("Name", "Parrot"); e.Pressable("Save anyway") { // it would lose the new name
		t.Error("the form offers to save the change without its new name")
	}
	e.Press("Set API_TOKEN…")
	if e.Field("NAME") != "API_TOKEN" || !e.FieldFocused("value") || e.Field("Name") != "Parrot" {
		t.Errorf("the form shows %q", e.Texts())
	}
}

// A failed change was saved, and the previous configuration was gone. Cancel restores it. A
// change to another program also turned "Start with goated" on.
func TestCancelTakesAFailedEditBack(t *testing.T) {
	e := editingServer(t, func(*config.Launch) {})
	back := func(how string) {
		t.Helper()
		e.sees("Echo is as it was before")
		e.server("runs as before", func(s client.Server) bool {
			return s.Status == client.Connected && slices.Equal(s.Args, e.launch.Args)
		})
		e.until("the settings have it, after "+how, func() bool {
			s := e.saved.get()
			return len(s.Launch) == 1 && slices.Equal(s.Launch[0].Args, e.launch.Args) && s.Launch[0].Off && len(e.host.Snapshot().Servers) == 1
		})
		if !slices.ContainsFunc(e.saved.get().Recent, e.launch.Same) {
			t.Errorf("the recent servers lack it, after %s", how)
		}
		e.beats(400) // the message disappears
	}
	e.Press("Cancel")
	if e.Reads("Echo is as it was before") {
		t.Error("Cancel without a change says that it takes one back")
	}
	for _, text := range []string{e.launch.Command + " -Z " + strings.Join(e.launch.Args, " "), scriptOf(t, "env.py", "import os\nos.environ['API_TOKEN']")} {
		e.Press("Details")
		e.Press("Process")
		if e.saved.get().StartsServer(e.launch) {
			e.Press("Start with goated")
		}
		e.Press("Edit…")
		e.until("the form is filled", func() bool { return e.Field(scriptField) != "" })
		if e.Pressable("Save anyway") {
			t.Error("the form offers to save what has not failed")
		}
		e.Enter(scriptField, text)
		e.Press("Save and restart")
		e.sees(failedBelow)
		e.until("it is saved, and stays off", func() bool {
			s := e.saved.get().Launch
			return len(s) == 1 && s[0].Off && !slices.Equal(s[0].Args, e.launch.Args)
		})
		e.Press("Cancel")
		back(text)
	}
}

// Cancel while a changed server starts kept the change if it worked, and goated reported that
// the server restarted.
func TestCancelWhileAChangeStartsTakesItBack(t *testing.T) {
	e := editingServer(t, func(*config.Launch) {})
	e.Enter(scriptField, e.launch.Command+" -B "+strings.Join(e.launch.Args, " "))
	e.Press("Save and restart")
	e.Press("Cancel") // before the sheet learns the result of the start
	e.sees("Echo is as it was before")
	e.server("runs as before", func(s client.Server) bool {
		return s.Status == client.Connected && slices.Equal(s.Args, e.launch.Args)
	})
	if s := e.saved.get().Launch; len(s) > 1 || len(s) == 1 && !slices.Equal(s[0].Args, e.launch.Args) {
		t.Errorf("saved are %+v", s)
	}
}

// A failed server that the user edits on its own page, above the sheet, counted as the previous
// configuration, so Cancel kept the failed change.
func TestEditAboveAFailedEditTakesBackTheFirst(t *testing.T) {
	e := editingServer(t, func(*config.Launch) {})
	e.Enter(scriptField, scriptOf(t, "odd.py", "raise RuntimeError('odd')"))
	e.Press("Save and restart")
	e.sees(failedBelow)
	e.Press("Open its log")
	e.Press("Process")
	e.Press("Edit…")
	e.until("the form is filled", func() bool { return strings.Contains(e.Field(scriptField), "odd.py") && !e.Reads("Edit…") })
	e.Press("Cancel")
	e.server("runs as before", func(s client.Server) bool {
		return s.Status == client.Connected && slices.Equal(s.Args, e.launch.Args)
	})
}
