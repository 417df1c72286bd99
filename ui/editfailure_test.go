package ui_test

import (
	"slices"
	"strings"
	"testing"

	"goated/client"
	"goated/internal/config"
)

// failedBelow is what the foot of the form says while a failure is shown.
const failedBelow = "It did not start. The reason is below."

// fails changes the option of the program to one that it does not know, and waits for the failure.
func (e *editing) fails() {
	e.T.Helper()
	e.Enter(scriptField, e.launch.Command+" -Z "+strings.Join(e.launch.Args, " "))
	e.Press("Save and restart")
	e.sees(failedBelow)
}

// A change in vain left the server in the list twice: the host had the new arguments, the settings kept the old ones.
// The correction was saved beside them.
func TestAFailedEditLeavesOneServer(t *testing.T) {
	e := editingServer(t, func(*config.Launch) {})
	e.fails()
	if e.Reads("Change how it runs…") { // it would fill the open form again
		t.Error("the failure offers to open the form")
	}
	if e.Enter(folderField, e.folder); e.Reads(failedBelow) {
		t.Error("the form still says that the reason is below, while the user corrects it")
	}
	e.Press("Cancel")
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

// A button of the failure filled the open form again, and what the user had typed was lost.
func TestTheFailureOfAnEditKeepsWhatIsTyped(t *testing.T) {
	e := editingServer(t, func(*config.Launch) {})
	e.Enter(scriptField, scriptOf(t, "env.py", "import os\nos.environ['API_TOKEN']"))
	e.Press("Save and restart")
	e.sees(failedBelow)
	e.sees("Set API_TOKEN…")
	e.Enter("Name", "Parrot")
	e.Press("Set API_TOKEN…")
	if e.Field("NAME") != "API_TOKEN" || !e.FieldFocused("value") || e.Field("Name") != "Parrot" {
		t.Errorf("the form shows %q", e.Texts())
	}
}
