package crashlog_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"goated/internal/crashlog"
)

const folderVariable = "CRASHLOG_FOLDER"

func TestMain(m *testing.M) {
	if folder := os.Getenv(folderVariable); folder != "" {
		if _, err := crashlog.Start(folder); err != nil {
			panic("no start: " + err.Error())
		}
		done := make(chan bool)
		go func() {
			done <- os.Args[len(os.Args)] == "" // panics
		}()
		<-done
	}
	os.Exit(m.Run())
}

// A program that crashes leaves a report. Only the next start returns it.
func TestAFaultIsReportedOnce(t *testing.T) {
	folder := t.TempDir()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), folderVariable+"="+folder)
	if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "out of range") {
		t.Fatalf("the program did not end by the fault: %v\n%s", err, out)
	}
	r, err := crashlog.Start(folder)
	if err != nil || r == nil {
		t.Fatalf("report %v, error %v", r, err)
	}
	if text, err := os.ReadFile(r.File); err != nil || !strings.Contains(string(text), "out of range") || !strings.Contains(string(text), "goroutine") {
		t.Errorf("the report is %q, error %v", text, err)
	}
	if again, err := crashlog.Start(folder); again != nil || err != nil {
		t.Errorf("the second start tells of %v, error %v", again, err)
	}
}

func TestNoFolderIsAnError(t *testing.T) {
	if _, err := crashlog.Start("/dev/null/logs"); err == nil || !strings.Contains(err.Error(), "/dev/null") {
		t.Errorf("error %v", err)
	}
}
