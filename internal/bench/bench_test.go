package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestMain lets this test program also be the server and the processes that it starts.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && (os.Args[1] == "serve" || os.Args[1] == "child") {
		main()
		return
	}
	os.Exit(m.Run())
}

// Each row of goated and of the floor runs, and produces the figures in the table.
func TestRowsRun(t *testing.T) {
	if testing.Short() {
		t.Skip("dozens of processes, whose work the tests of their packages do, too")
	}
	url, stop, err := startModel()
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	slow := map[string]bool{"chunks100k": true, "result64": true, "import100k": true, "list10k": true, "loop200": true, "call64": true}
	for _, r := range rows() {
		key := shared(r.name)
		if slow[key] || r.trace || key != r.name {
			continue
		}
		for _, who := range r.who {
			if who != goated && who != floor && who != "recorded" && who != "empty" {
				continue
			}
			cmd := exec.Command(self, "child", who, key)
			cmd.Env = append(os.Environ(), "BENCH_URL="+url, "BENCH_SERVER="+self, "BENCH_DATA="+t.TempDir())
			var said bytes.Buffer
			cmd.Stderr = &said
			out, err := cmd.Output()
			var f figures
			if err != nil || json.Unmarshal(out, &f) != nil || f[r.name] < 0 {
				t.Errorf("%s %s: %v\n%s%s", who, key, err, out, said.String())
			}
			if _, ok := f[r.name]; !ok {
				t.Errorf("%s %s gives only %v", who, key, f)
			}
		}
	}
}

// A ratio or a goal's figure that is more than 20 % worse is a regression, and so is a missing one.
// A time without a ratio may double.
func TestRegressions(t *testing.T) {
	before := results{Ratios: map[string]float64{"loop50": 1.0, "call1": 2.0, "chunks10k": 1.0, "gone": 1}, Goals: map[string]float64{
		"loop50 ≤ 1/2.5 of go-sdk + genai": 0.3, "loop50 ≤ 1.3× without history": 4, "fsyncs ≤ 2": 2, "turn10k ≤ 10 ms": 1, "import100k ≤ 5 s": 2, "open100k ≤ 50 ms": 2, "gone ≤ 1": 1,
	}}
	now := results{Ratios: map[string]float64{"loop50": 1.19, "call1": 2.5}, Goals: map[string]float64{
		"loop50 ≤ 1/2.5 of go-sdk + genai": 0.4, "loop50 ≤ 1.3× without history": 4.5, "fsyncs ≤ 2": 2.5, "turn10k ≤ 10 ms": 1.9, "import100k ≤ 5 s": 4.1,
	}}
	err := regressions(before, now)
	if err == nil {
		t.Fatal("no regression")
	}
	for want, is := range map[string]bool{
		"call1: the ratio: 2.50 is 25 % worse than 2.00": true, "chunks10k: the ratio was not measured": true, "loop50: the ratio": false, "gone": false,
		"loop50: the goal ≤ 1/2.5 of go-sdk + genai: 0.40 is 33 % worse than 0.30": true, "without history": false,
		"fsyncs: the goal ≤ 2: 2.50 is 25 % worse than 2.00": true, "turn10k": false, "import100k: the goal ≤ 5 s: 4.10 is 105 % worse": true, "open100k: the goal ≤ 50 ms was not measured": true,
	} {
		if strings.Contains(err.Error(), want) != is {
			t.Errorf("%q: %v", want, err)
		}
	}
	if err := regressions(before, results{Ratios: before.Ratios, Goals: before.Goals}); err != nil {
		t.Error(err)
	}
}

// The committed results contain each goal's figure, computed from the medians.
func TestResultsHaveEachGoal(t *testing.T) {
	data, err := os.ReadFile("results.json")
	if err != nil {
		t.Fatal(err)
	}
	var committed results
	if err := json.Unmarshal(data, &committed); err != nil {
		t.Fatal(err)
	}
	tab := &table{rows: rows(), samples: map[string]map[string][]float64{}}
	for row, of := range committed.Medians {
		for who, v := range of {
			tab.add(row, who, v)
		}
	}
	for name, want := range tab.results().Goals {
		if got := committed.Goals[name]; got < want*0.999 || got > want*1.001 {
			t.Errorf("%s is %v, the medians give %v", name, got, want)
		}
	}
	for _, r := range rows() {
		for _, g := range r.goals {
			if committed.Goals[g.of(r)] == 0 {
				t.Errorf("%s has no figure", g.of(r))
			}
		}
	}
}

// Each missed goal has a mark and a line, whether it bounds a figure or a ratio, and for any
// contestant. A miss that noise explains does not fail.
func TestMissedGoals(t *testing.T) {
	tab := &table{rows: rows(), samples: map[string]map[string][]float64{}}
	for row, of := range map[string]map[string][]float64{
		"loop50":     {goated: {140, 160, 170}, "recorded": {300, 310, 320}, "gosdk": {500, 500, 500}, "ts": {900, 1000, 1200}, floor: {90, 100, 110}},
		"call64":     {goated: {10}, "mcpgo": {40}, "gosdk": {100}},
		"import100k": {goated: {5.5, 6}},
		"turn10k":    {goated: {9, 10.4, 11}},
		"callallocs": {goated: {20}},
	} {
		for who, values := range of {
			for _, v := range values {
				tab.add(row, who, v)
			}
		}
	}
	var text bytes.Buffer
	tab.print(&text)
	err := tab.report(&text)
	if err == nil || !strings.HasPrefix(err.Error(), "3 goals") {
		t.Errorf("not three clear misses: %v", err)
	}
	for _, want := range []string{
		"missed: a step of 50: 1.60×, goal ≤ 1.5× floor, which the noise of these runs explains (1.27× in the luckiest runs)\n",
		"missed: a step of 50, recorded: 1.94×, goal ≤ 1.3× without history, and more than noise (1.76× in the luckiest runs)\n",
		"missed: a call, 64 in flight: 0.10×, goal ≤ 1/15 of go-sdk, and more than noise (0.10× in the luckiest runs)\n",
		"missed: 100,000 messages imported: 5.75 s, goal ≤ 5 s, and more than noise (5.50 s in the luckiest runs)\n",
		"missed: a later turn with 10,000 tools: 10.4 ms, goal ≤ 10 ms, which the noise of these runs explains (9.00 ms in the luckiest runs)\n",
		"not measured: waits for the disk of a recorded step, without checkpoints, goal ≤ 2\n",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
	for line := range strings.Lines(text.String()) {
		title, _, _ := strings.Cut(strings.TrimSpace(line), "  ")
		marked := strings.Contains(line, "!")
		if want, ok := map[string]bool{"a step of 50": true, "a call, 64 in flight": true, "100,000 messages imported": true, "a later turn with 10,000 tools": true, "allocations of a call": false, "a call, one at a time": false}[title]; ok && marked != want {
			t.Errorf("the mark of %q is %t", line, marked)
		}
	}
	if n := strings.Count(text.String(), "missed: "); n != 5 {
		t.Errorf("%d misses in\n%s", n, text.String())
	}
}

// The table compares medians, and the picture is well-formed.
func TestTableAndPicture(t *testing.T) {
	tab := &table{rows: rows(), samples: map[string]map[string][]float64{}, errs: map[string]string{"ts loop50": "not installed"}}
	for _, v := range []float64{100, 300, 90} {
		tab.add("loop50", goated, v)
		tab.add("loop50", floor, v/2)
	}
	tab.add("loop200", goated, 110)
	if r, ok := tab.ratio(tab.rows[0]); !ok || r != 2 {
		t.Errorf("ratio %v", r)
	}
	if r, ok := tab.ratio(tab.rows[1]); !ok || r != 1.1 {
		t.Errorf("a step of 200 over one of 50: %v", r)
	}
	var text bytes.Buffer
	tab.print(&text)
	for _, want := range []string{"a step of 50", "2.00 !", "ts loop50: not installed"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
	d := xml.NewDecoder(bytes.NewReader(tab.picture()))
	for {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "out.json")
	if err := tab.save(path); err != nil {
		t.Fatal(err)
	}
	if err := tab.compare(path); err != nil {
		t.Error(err)
	}
}
