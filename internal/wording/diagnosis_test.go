package wording

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"goated/client"
	"goated/client/diagnose"
	"goated/internal/sandbox"
)

// imperatives lists the words that may begin a remedy, because a remedy is an instruction. After
// "If", a verb follows the comma.
var imperatives = []string{
	"Add", "Check", "Choose", "Close", "Connect", "Fix", "Get", "Give", "If", "Install", "Let", "Look", "Make", "Put", "Read", "Restart",
	"Run", "Set", "Sign", "Start", "Stop", "Try", "Update", "Use",
}

// full contains all arguments.
var full = diagnose.Args{
	Subject: "SUBJECT", Text: "TEXT", Product: "PRODUCT", Owner: diagnose.Process{Name: "OWNER", PID: 42}, Memory: 8 << 30,
	Permission: sandbox.Permission{Kind: sandbox.ToHost, Host: "a.test"}, FromTerminal: true, Found: "/found", Variable: "VARIABLE",
}

// Each cause has a sentence and a remedy, with and without optional arguments.
func TestEachCauseHasItsSentence(t *testing.T) {
	t.Parallel()
	for _, cause := range diagnose.Causes() {
		for _, args := range []diagnose.Args{full, {Subject: "SUBJECT", Permission: full.Permission}} {
			d := diagnose.Diagnosis{Cause: cause, Args: args}
			why, remedy := CauseText(d), Remedy(d)
			for what, sentence := range map[string]string{"sentence": why, "remedy": remedy} {
				if !strings.HasSuffix(sentence, ".") || strings.Contains(sentence, "%!") || strings.Contains(sentence, "  ") {
					t.Errorf("%s: the %s is %q", cause, what, sentence)
				}
			}
			if word, _, _ := strings.Cut(remedy, " "); !slices.Contains(imperatives, strings.Trim(word, ",.")) {
				t.Errorf("%s: the remedy does not say what to do: %q", cause, remedy)
			}
		}
	}
	for cause := range texts {
		if !slices.Contains(diagnose.Causes(), cause) {
			t.Errorf("%s has a sentence and is not a cause", cause)
		}
	}
	if d := (diagnose.Diagnosis{}); CauseText(d) != "" || Remedy(d) != "" {
		t.Error("an unknown cause has a sentence")
	}
}

// A cause whose sentence needs a subject always has one.
func TestSentencesHaveTheirSubject(t *testing.T) {
	t.Parallel()
	for _, cause := range diagnose.Causes() {
		args := full
		args.Subject, args.Owner = "", diagnose.Process{} // without a port number, its owner is unknown
		why := CauseText(diagnose.Diagnosis{Cause: cause, Args: args})
		broken := strings.HasPrefix(why, " ") || strings.Contains(why, "  ") || strings.Contains(why, " .") || strings.Contains(why, " ,") || strings.Contains(why, " :")
		if broken && !cause.Names() {
			t.Errorf("%s may have no subject: %q", cause, why)
		}
	}
}

// Three lines said that a script is missing, and two of them had its path.
func TestAMissingScriptIsNamedOnce(t *testing.T) {
	t.Parallel()
	err := &client.Error{Kind: client.ErrNotFound, Subject: "/no/x.py",
		Report: &client.FailureReport{Diagnosis: diagnose.Diagnosis{Cause: diagnose.ScriptMissing, Args: diagnose.Args{Subject: "/no/x.py"}}}}
	if why := ReasonText(err); why != "" || !strings.Contains(ErrorText(err), "/no/x.py") || Advice(err) == "" {
		t.Errorf("%q, %q, %q", ErrorText(err), why, Advice(err))
	}
}

// What a diagnosis found is in its sentences.
func TestSentencesNameTheirArguments(t *testing.T) {
	t.Parallel()
	for cause, want := range map[diagnose.Cause][]string{
		diagnose.ProgramMissing:   {"SUBJECT", "PRODUCT", "terminal"},
		diagnose.ProgramElsewhere: {"SUBJECT", "/found"},
		diagnose.SyntaxError:      {"SUBJECT: TEXT."},
		diagnose.PortTaken:        {"OWNER (process 42) already uses port SUBJECT", "Stop OWNER", "set VARIABLE to another port"},
		diagnose.OutOfMemory:      {"8 GiB"},
		diagnose.HostRefused:      {"reach a.test"},
		diagnose.ProtocolError:    {"TEXT"},
		diagnose.Refused:          {"TEXT"},
		diagnose.Crashed:          {"SUBJECT"},
	} {
		d := diagnose.Diagnosis{Cause: cause, Args: full}
		for _, part := range want {
			if said := CauseText(d) + " " + Remedy(d); !strings.Contains(said, part) {
				t.Errorf("%s: %q does not contain %q", cause, said, part)
			}
		}
	}
}

// Each action has a label, or is shown in another way.
func TestEachActionHasItsLabel(t *testing.T) {
	t.Parallel()
	for kind := diagnose.Run; kind <= diagnose.Report; kind++ {
		unlabelled := kind == diagnose.Run || kind == diagnose.OpenPage || kind == diagnose.Report
		if label := ActionLabel(diagnose.Action{Kind: kind, Target: "KEY"}); (label == "") != unlabelled {
			t.Errorf("action %d has the label %q", kind, label)
		}
	}
}

// Each kind of error has advice: the recovery column of seed 003's error table.
func TestEachErrorHasAdvice(t *testing.T) {
	t.Parallel()
	for _, kind := range []error{
		client.ErrExtension, client.ErrNotFound, client.ErrStart, client.ErrConnectTimeout, client.ErrProtocol,
		client.ErrToolNotFound, client.ErrDisconnected, client.ErrCallTimeout, client.ErrTool, client.ErrExited, client.ErrOff, client.ErrUncallable, client.ErrUserNotAsked,
	} {
		if Advice(fmt.Errorf("connecting: %w", &client.Error{Kind: kind})) == "" {
			t.Errorf("%v has no advice", kind)
		}
	}
	if Advice(errors.New("x")) != "" || ReasonText(errors.New("x")) != "" {
		t.Error("another error has advice")
	}
	e := &client.Error{Kind: client.ErrStart, Report: &client.FailureReport{Diagnosis: diagnose.Diagnosis{Cause: diagnose.Killed}}}
	if ReasonText(e) != CauseText(e.Report.Diagnosis) || Advice(e) != Remedy(e.Report.Diagnosis) {
		t.Errorf("the diagnosis is not used: %q, %q", ReasonText(e), Advice(e))
	}
}
