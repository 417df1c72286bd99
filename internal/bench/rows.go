package main

import "strings"

// A row is one thing that is measured: its contestants, and the goal for goated.
type row struct {
	name  string // stable: the results are kept by it
	title string
	unit  string
	who   []string
	goal  string  // in words
	over  string  // the contestant or the row that goated is compared with; empty: floor
	most  float64 // largest ratio that meets the goal; 0: none
	trace bool    // counts the system calls that wait for the disk
	once  bool    // takes long: one run in each round is enough
}

// rows are the table of the issue "Make turns robust and fast".
func rows() []row {
	return []row{
		{name: "loop50", title: "a step of 50", unit: "µs", who: []string{goated, "recorded", "gosdk", "mcpgo", "ts", floor}, goal: "≤ 1.5× floor", most: 1.5},
		{name: "loop200", title: "a step of 200", unit: "µs", who: []string{goated, "recorded", "gosdk", "mcpgo", floor}, goal: "≤ 1.2× a step of 50", over: "loop50", most: 1.2},
		{name: "tools100", title: "a step with 100 tools", unit: "µs", who: []string{goated, "gosdk", "mcpgo", floor}, goal: "≤ 2.5× floor", most: 2.5},
		{name: "chunks10k", title: "10,000 chunks of an answer", unit: "ms", who: []string{goated, "gosdk", "ts", floor}, goal: "≤ 1.5× floor", most: 1.5},
		{name: "chunks100k", title: "100,000 chunks", unit: "ms", who: []string{goated, floor}, goal: "≤ 12× 10,000 chunks", over: "chunks10k", most: 12},
		{name: "call1", title: "a call, one at a time", unit: "µs", who: []string{goated, "gosdk", "mcpgo", "ts", floor}},
		{name: "call64", title: "a call, 64 in flight", unit: "µs", who: []string{goated, "gosdk", "mcpgo", "ts", floor}, goal: "≤ 1/3 of mcp-go", over: "mcpgo", most: 1.0 / 3},
		{name: "callbytes", title: "memory allocated by a call", unit: "B", who: []string{goated, "gosdk", "mcpgo", floor}, goal: "≤ 2 kB"},
		{name: "callallocs", title: "allocations of a call", unit: "", who: []string{goated, "gosdk", "mcpgo", floor}, goal: "≤ 20"},
		{name: "result1", title: "a result of 1 MB", unit: "ms", who: []string{goated, "gosdk", "mcpgo", "ts", floor}, goal: "≤ 1.3× floor", most: 1.3},
		{name: "result10", title: "a result of 10 MB", unit: "ms", who: []string{goated, "gosdk", "mcpgo", "ts", floor}, goal: "≤ 1.5× floor", most: 1.5},
		{name: "result64", title: "a result of 63 MB", unit: "ms", who: []string{goated, floor}, goal: "≤ 1.5× floor", most: 1.5, once: true},
		{name: "peak64", title: "peak memory of it", unit: "MB", who: []string{goated, floor}, goal: "≤ 3× the frame (190 MB)", once: true},
		{name: "turn10k", title: "a later turn with 10,000 tools", unit: "ms", who: []string{goated}, goal: "≤ 10 ms"},
		{name: "start20", title: "20 fast servers connected", unit: "ms", who: []string{goated, "gosdk", floor}, goal: "≤ 3× go-sdk", over: "gosdk", most: 3},
		{name: "list1k", title: "10 servers of 100 tools listed", unit: "ms", who: []string{goated, "gosdk"}},
		{name: "list10k", title: "100 servers of 100 tools listed", unit: "ms", who: []string{goated, "gosdk"}, goal: "≤ 12× 10 servers", over: "list1k", most: 12, once: true},
		{name: "fsyncs", title: "waits for the disk of a recorded step", unit: "", who: []string{goated}, goal: "≤ 2", trace: true, once: true},
		{name: "import100k", title: "100,000 messages imported", unit: "s", who: []string{goated}, goal: "≤ 5 s", once: true},
		{name: "open100k", title: "history opened after a kill", unit: "ms", who: []string{goated}, goal: "≤ 50 ms"},
		{name: "apply50k", title: "a delta shown after 50,000 items", unit: "ns", who: []string{goated, "empty"}, goal: "≤ 2× an empty conversation", over: "empty", most: 2},
	}
}

// The contestants. goated and floor are in this program.
const (
	goated = "goated"
	floor  = "floor"
)

// shared lists the rows that one process of a contestant measures at once.
func shared(name string) string {
	switch name {
	case "callbytes", "callallocs":
		return "call1"
	case "peak64":
		return "result64"
	case "open100k":
		return "import100k"
	}
	return name
}

// chosen are the rows whose name contains the text.
func chosen(only string) []row {
	var out []row
	for _, r := range rows() {
		if only == "" || strings.Contains(r.name, only) {
			out = append(out, r)
		}
	}
	return out
}
