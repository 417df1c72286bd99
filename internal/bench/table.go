package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
)

// A table holds the figures of all runs.
type table struct {
	rows    []row
	samples map[string]map[string][]float64 // by row and contestant
	errs    map[string]string               // by contestant and row
}

func (t *table) add(row, who string, value float64) {
	if t.samples[row] == nil {
		t.samples[row] = make(map[string][]float64)
	}
	t.samples[row][who] = append(t.samples[row][who], value)
}

// sorted returns a contestant's figures in ascending order.
func (t *table) sorted(row, who string) []float64 {
	return slices.Sorted(slices.Values(t.samples[row][who]))
}

// middle returns the median of sorted figures.
func middle(s []float64) float64 { return (s[(len(s)-1)/2] + s[len(s)/2]) / 2 }

// median returns the median of a contestant's figures. ok is false if there are none.
func (t *table) median(row, who string) (float64, bool) {
	s := t.sorted(row, who)
	if len(s) == 0 {
		return 0, false
	}
	return middle(s), true
}

// ratio returns goated's figure divided by the one to which it is compared.
func (t *table) ratio(r row) (float64, bool) {
	m, known := t.check(r, goal{over: r.over()})
	return m.is, known
}

// print writes the table for people.
func (t *table) print(out io.Writer) {
	w := tabwriter.NewWriter(out, 2, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\tunit\tgoated\trecorded\tgo-sdk + genai\tmcp-go\tTypeScript\tAI SDK\tfloor\tratio\tgoal\t")
	for _, r := range t.rows {
		fmt.Fprintf(w, "%s\t%s", r.title, r.unit)
		for _, who := range []string{goated, "recorded", "gosdk", "mcpgo", "ts", seed, floor} {
			if v, ok := t.median(r.name, who); ok {
				fmt.Fprintf(w, "\t%s", figure(v))
			} else {
				fmt.Fprint(w, "\t")
			}
		}
		mark := ""
		if ratio, ok := t.ratio(r); ok {
			mark = fmt.Sprintf("%.2f", ratio)
		}
		if t.misses(r) {
			mark += " !"
		}
		words := make([]string, len(r.goals))
		for i, g := range r.goals {
			words[i] = g.words
		}
		fmt.Fprintf(w, "\t%s\t%s\t\n", mark, strings.Join(words, "; "))
	}
	_ = w.Flush()
	for _, who := range slices.Sorted(maps.Keys(t.errs)) {
		fmt.Fprintf(out, "%s: %s\n", who, strings.TrimSpace(t.errs[who]))
	}
}

// figure formats a number with about three digits.
func figure(v float64) string {
	switch {
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

// results is the content of a results file.
type results struct {
	System  string                        `json:"system"`
	Runs    int                           `json:"runs"`
	Medians map[string]map[string]float64 `json:"medians"` // by row and contestant
	Ratios  map[string]float64            `json:"ratios"`  // by row
	Goals   map[string]float64            `json:"goals"`   // each goal's figure or ratio, by row and words
}

// of returns the name of a goal in the results.
func (g goal) of(r row) string { return r.name + " " + g.words }

func (t *table) results() results {
	out := results{System: fmt.Sprintf("%s/%s, %d cores, %s", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version()),
		Medians: make(map[string]map[string]float64), Ratios: make(map[string]float64), Goals: make(map[string]float64)}
	for _, r := range t.rows {
		for who, s := range t.samples[r.name] {
			if out.Medians[r.name] == nil {
				out.Medians[r.name] = make(map[string]float64)
			}
			out.Medians[r.name][who], _ = t.median(r.name, who)
			out.Runs = max(out.Runs, len(s))
		}
		if ratio, ok := t.ratio(r); ok {
			out.Ratios[r.name] = ratio
		}
		for _, g := range r.goals {
			if m, known := t.check(r, g); known {
				out.Goals[g.of(r)] = m.is
			}
		}
	}
	return out
}

func (t *table) save(path string) error {
	data, err := json.MarshalIndent(t.results(), "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(data, '\n'), 0o644)
}

// How much a figure may grow. A plain time depends on the computer, but a ratio does not.
const (
	worse     = 1.2
	worseTime = 2
)

// compare returns an error that names each figure that is worse than in a results file.
func (t *table) compare(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var before results
	if err := json.Unmarshal(data, &before); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return regressions(before, t.results())
}

// regressions compares each row's ratio and each goal's figure. A missing figure is a regression too.
func regressions(before, now results) error {
	var errs []error
	look := func(what string, was map[string]float64, is map[string]float64, key string, most float64) {
		old, known := was[key]
		if !known {
			return
		}
		switch v, ok := is[key]; {
		case !ok:
			errs = append(errs, fmt.Errorf("%s was not measured", what))
		case v > old*most:
			errs = append(errs, fmt.Errorf("%s: %s is %.0f %% worse than %s", what, figure(v), 100*(v/old-1), figure(old)))
		}
	}
	for _, r := range rows() {
		look(r.name+": the ratio", before.Ratios, now.Ratios, r.name, worse)
		for _, g := range r.goals {
			most := worse
			if g.over == "" && slices.Contains([]string{"ns", "µs", "ms", "s"}, r.unit) {
				most = worseTime
			}
			look(r.name+": the goal "+g.words, before.Goals, now.Goals, g.of(r), most)
		}
	}
	return errors.Join(errs...)
}
