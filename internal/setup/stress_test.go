//go:build unix

package setup_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// stress runs a script three times under load, and counts the runs.
func stress(t *testing.T, script string) (runs int, output string, err error) {
	t.Helper()
	count := filepath.Join(t.TempDir(), "count")
	cmd := exec.Command("sh", "stress.sh", "COUNT="+count, "sh", "-c", "echo run >>$COUNT\n"+script)
	cmd.Env = append(os.Environ(), "RUNS=3")
	out, err := cmd.CombinedOutput() // also waits for the busy loops, which hold the pipe
	data, readErr := os.ReadFile(count)
	if readErr != nil {
		t.Fatalf("%v\n%s", readErr, out)
	}
	return strings.Count(string(data), "run"), string(out), err
}

func TestStressRunsTheCommandEachTime(t *testing.T) {
	runs, output, err := stress(t, "true")
	if runs != 3 || err != nil || !strings.Contains(output, "Run 3 of 3 passed") {
		t.Errorf("%d runs, %v:\n%s", runs, err, output)
	}
}

func TestStressStopsAtTheFirstFailure(t *testing.T) {
	runs, output, err := stress(t, `[ "$(grep -c run "$COUNT")" -lt 2 ]`)
	if runs != 2 || err == nil || !strings.Contains(output, "Run 2 of 3 failed") {
		t.Errorf("%d runs, %v:\n%s", runs, err, output)
	}
}
