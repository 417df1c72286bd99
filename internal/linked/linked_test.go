package linked

import (
	"os"
	"testing"

	"go.uber.org/goleak"

	"goated/internal/config"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("go.opencensus.io/stats/view.(*worker).start"))
}

func write(t *testing.T, path, text string) {
	t.Helper()
	part := path + ".part"
	if err := os.WriteFile(part, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(part, path); err != nil { // as editors do
		t.Fatal(err)
	}
}

// A mark changes with everything that determines what a server runs and receives.
func TestMark(t *testing.T) {
	base := config.Launch{Command: "a", Args: []string{"b"}, Env: []config.Variable{{Name: "A", Value: "1"}, {Name: "B", Value: "2"}}}
	same := base
	same.Name, same.Env = "other", []config.Variable{base.Env[1], base.Env[0]}
	if Mark(base) != Mark(same) {
		t.Error("a name or an order changes the mark")
	}
	for name, change := range map[string]func(l *config.Launch){
		"command": func(l *config.Launch) { l.Command = "x" }, "arguments": func(l *config.Launch) { l.Args = []string{"b", "c"} }, "folder": func(l *config.Launch) { l.Dir = "/x" },
		"a value": func(l *config.Launch) { l.Env = []config.Variable{{Name: "A", Value: "9"}, {Name: "B", Value: "2"}} }, "a header": func(l *config.Launch) { l.Headers = base.Env },
	} {
		l := base
		if change(&l); Mark(l) == Mark(base) {
			t.Errorf("%s does not change the mark", name)
		}
	}
}
