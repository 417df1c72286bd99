package intent

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var write = flag.Bool("write", false, "write testdata/outcomes again")

// Each set of requests reaches its goal, which the comment in its file explains. The sets blind1 to
// blind8 have numbers in the order in which they were written. Each request also
// has the outcome in testdata/outcomes: its entities, the choice with its arguments, and the best
// scores. The goal only counts the right answers, so it may not reveal that a changed threshold
// breaks one request. "go test -run TestRequests -write" writes the outcomes again. Check the
// difference before you commit it.
func TestRequests(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of requests, one after the other on one goroutine")
	}
	files, err := filepath.Glob("testdata/requests/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		t.Run(strings.TrimSuffix(name, ".txt"), func(t *testing.T) {
			t.Parallel()
			tools, right, all := requests(t, file)
			x := newIndex(tools)
			plans, got := make([]Plan, len(all)), new(strings.Builder)
			for i, e := range all {
				r := x.read(e.request)
				ranked := x.rank(r)
				plans[i] = x.decide(r, ranked)
				outcome(got, e.request, r.entities, ranked, plans[i])
			}
			check(t, measure(t, all, plans), right)
			golden := filepath.Join("testdata", "outcomes", name)
			if *write {
				if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			compareLines(t, got.String(), strings.ReplaceAll(string(want), "\r\n", "\n"))
		})
	}
}

// outcome describes the plan for a request in one line.
func outcome(b *strings.Builder, request string, found []entity, all []scored, p Plan) {
	fmt.Fprintf(b, "%s =>", request)
	for _, e := range found {
		fmt.Fprintf(b, " [%d %d-%d %s]", e.kind, e.from, e.to, e.text)
	}
	if p.Tool != nil {
		fmt.Fprintf(b, " runs %s %s", p.Tool.Name, arguments(p.Args))
	}
	for _, o := range p.Options {
		fmt.Fprintf(b, " offers %s %s", o.Tool.Name, arguments(o.Args))
	}
	b.WriteString(" |")
	for _, s := range all[:min(len(all), 6)] {
		fmt.Fprintf(b, " %s %.2f", s.tool.Own, s.total)
		if s.asked {
			b.WriteString(" asked")
		}
	}
	b.WriteByte('\n')
}

func arguments(args map[string]any) string {
	data, _ := json.Marshal(args)
	return string(data)
}

// compareLines reports the first lines that differ.
func compareLines(t *testing.T, got, want string) {
	t.Helper()
	have, need := strings.Split(got, "\n"), strings.Split(want, "\n")
	if len(have) != len(need) {
		t.Errorf("%d outcomes, want %d: run go test -run TestRequests -write", len(have), len(need))
	}
	shown := 0
	for i := range min(len(have), len(need)) {
		if have[i] != need[i] && shown < 5 {
			shown++
			t.Errorf("the outcome changed: run go test -run TestRequests -write and look at the difference\n%s\nwas\n%s", have[i], need[i])
		}
	}
}
