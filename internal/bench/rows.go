package main

import "strings"

// A row is one measurement, with its contestants and goated's goals.
type row struct {
	name  string // must not change, because the results are stored by name
	title string
	unit  string
	who   []string
	goals []goal
	trace bool // count the system calls that wait for the disk
	once  bool // takes long, so it runs once per round
}

// over returns the contestant to which the row's ratio compares goated.
func (r row) over() string {
	for _, g := range r.goals {
		if g.over != "" {
			return g.over
		}
	}
	return floor
}

// rows returns all rows, in the order of the table.
func rows() []row {
	to := func(most float64, over, words string) goal { return goal{words: words, most: most, over: over} }
	atMost := func(most float64, words string) []goal { return []goal{{words: words, most: most}} }
	return []row{
		{name: "loop50", title: "a step of 50", unit: "µs", who: []string{goated, "recorded", "gosdk", "mcpgo", "ts", seed, floor}, goals: []goal{
			to(1.5, floor, "≤ 1.5× floor"), to(1/2.5, "gosdk", "≤ 1/2.5 of go-sdk + genai"), to(1.0/6, seed, "≤ 1/6 of AI SDK"),
			{words: "≤ 1.3× without history", most: 1.3, over: goated, who: "recorded"}}},
		{name: "loop200", title: "a step of 200", unit: "µs", who: []string{goated, "recorded", "gosdk", "mcpgo", seed, floor}, goals: []goal{to(1.2, "loop50", "≤ 1.2× a step of 50")}},
		{name: "tools100", title: "a step with 100 tools", unit: "µs", who: []string{goated, "gosdk", "mcpgo", seed, floor}, goals: []goal{
			to(2.5, floor, "≤ 2.5× floor"), to(1.0/4, seed, "≤ 1/4 of AI SDK")}},
		{name: "chunks10k", title: "10,000 chunks of an answer", unit: "ms", who: []string{goated, "gosdk", "ts", seed, floor}, goals: []goal{to(1.5, floor, "≤ 1.5× floor")}},
		{name: "chunks100k", title: "100,000 chunks", unit: "ms", who: []string{goated, floor}, goals: []goal{to(12, "chunks10k", "≤ 12× 10,000 chunks")}},
		{name: "call1", title: "a call, one at a time", unit: "µs", who: []string{goated, "gosdk", "mcpgo", "ts", seed, floor}},
		{name: "call64", title: "a call, 64 in flight", unit: "µs", who: []string{goated, "gosdk", "mcpgo", "ts", seed, floor}, goals: []goal{
			to(1.0/3, "mcpgo", "≤ 1/3 of mcp-go"), to(1.0/15, "gosdk", "≤ 1/15 of go-sdk")}},
		{name: "callbytes", title: "memory allocated by a call", unit: "B", who: []string{goated, "gosdk", "mcpgo", floor}, goals: atMost(2000, "≤ 2 kB")},
		{name: "callallocs", title: "allocations of a call", unit: "", who: []string{goated, "gosdk", "mcpgo", floor}, goals: atMost(20, "≤ 20")},
		{name: "result1", title: "a result of 1 MB", unit: "ms", who: []string{goated, "gosdk", "mcpgo", "ts", seed, floor}, goals: []goal{to(1.3, floor, "≤ 1.3× floor")}},
		{name: "result10", title: "a result of 10 MB", unit: "ms", who: []string{goated, "gosdk", "mcpgo", "ts", seed, floor}, goals: []goal{to(1.5, floor, "≤ 1.5× floor")}},
		{name: "result64", title: "a result of 63 MB", unit: "ms", who: []string{goated, floor}, goals: []goal{to(1.5, floor, "≤ 1.5× floor")}, once: true},
		{name: "peak64", title: "peak memory of it", unit: "MB", who: []string{goated, floor}, goals: atMost(190, "≤ 190 MB, 3× the frame"), once: true},
		{name: "turn10k", title: "a later turn with 10,000 tools", unit: "ms", who: []string{goated}, goals: atMost(10, "≤ 10 ms")},
		{name: "start20", title: "20 fast servers connected", unit: "ms", who: []string{goated, "gosdk", floor}, goals: []goal{to(3, "gosdk", "≤ 3× go-sdk")}},
		{name: "list1k", title: "10 servers of 100 tools listed", unit: "ms", who: []string{goated, "gosdk"}},
		{name: "list10k", title: "100 servers of 100 tools listed", unit: "ms", who: []string{goated, "gosdk"}, goals: []goal{to(12, "list1k", "≤ 12× 10 servers")}, once: true},
		{name: "fsyncs", title: "waits for the disk of a recorded step, without checkpoints", unit: "", who: []string{goated}, goals: atMost(2, "≤ 2"), trace: true, once: true},
		{name: "import100k", title: "100,000 messages imported", unit: "s", who: []string{goated}, goals: atMost(5, "≤ 5 s"), once: true},
		{name: "open100k", title: "history opened after a kill", unit: "ms", who: []string{goated}, goals: atMost(50, "≤ 50 ms")},
		{name: "apply50k", title: "a delta shown after 50,000 items", unit: "ns", who: []string{goated, "empty"}, goals: []goal{to(2, "empty", "≤ 2× an empty conversation")}},
	}
}

// The contestants. goated and floor are in this program. seed is the stack in seed 003: the AI SDK
// with its Gemini provider and its MCP client.
const (
	goated = "goated"
	floor  = "floor"
	seed   = "aisdk"
)

// shared lists the rows that one process of a contestant measures together.
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

// chosen returns the rows whose name contains a text.
func chosen(only string) []row {
	var out []row
	for _, r := range rows() {
		if only == "" || strings.Contains(r.name, only) {
			out = append(out, r)
		}
	}
	return out
}
