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

// TestMain makes this test program the server and the processes that it starts.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && (os.Args[1] == "serve" || os.Args[1] == "child") {
		main()
		return
	}
	os.Exit(m.Run())
}

// Each row of goated and of the floor runs and gives the figures that the table shows.
func TestRowsRun(t *testing.T) {
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

// A ratio that is more than 20 % worse is a regression, and so is one that is missing.
func TestRegressions(t *testing.T) {
	before := results{Ratios: map[string]float64{"loop50": 1.0, "call1": 2.0, "chunks10k": 1.0, "gone": 1}}
	now := results{Ratios: map[string]float64{"loop50": 1.19, "call1": 2.5}}
	err := regressions(before, now)
	if err == nil {
		t.Fatal("no regression")
	}
	for want, is := range map[string]bool{"call1: the ratio 2.50 is 25 % worse than 2.00": true, "chunks10k was not measured": true, "loop50": false, "gone": false} {
		if strings.Contains(err.Error(), want) != is {
			t.Errorf("%q: %v", want, err)
		}
	}
	if err := regressions(before, results{Ratios: before.Ratios}); err != nil {
		t.Error(err)
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
