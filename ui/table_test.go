package ui_test

import (
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent"
	"goated/ui"
)

// orders returns a result in the form in which FastMCP sends a list[dict]: one text for each
// element, and the same data as structured content.
func orders(n int) *mcp.CallToolResult {
	r := &mcp.CallToolResult{}
	var list []any
	for i := range n {
		amount := (i * 7919) % n
		r.Content = append(r.Content, &mcp.TextContent{Text: fmt.Sprintf(`{"customer": "customer %d", "amount": %d}`, i, amount)})
		list = append(list, map[string]any{"customer": fmt.Sprintf("customer %d", i), "amount": amount})
	}
	r.StructuredContent = map[string]any{"result": list}
	return r
}

// column returns the texts of the table's rows, from the top, that begin with part.
func column(d *desk, part string) (all []string) {
	for _, text := range d.transcript() {
		if strings.HasPrefix(text, part) {
			all = append(all, text)
		}
	}
	return all
}

// A list of records is shown as one table. Clicks on a column's name sort it in descending
// order, then in ascending order, then not at all.
func TestTableSortsByItsHeader(t *testing.T) {
	d := newDesk(t, ui.Options{})
	d.window.ShowChat(called("list_orders", nil, agent.ToolReturned{ID: "1", Result: orders(300)}), false)
	d.Press("list_orders")
	if n := d.Count("Result · 300 rows, 2 columns"); n != 1 {
		t.Fatalf("the card shows %d tables: %q", n, d.Texts())
	}
	first := func() string { return column(d, "customer ")[0] }
	largest := ""
	for i := range 300 {
		if i*7919%300 == 299 {
			largest = fmt.Sprintf("customer %d", i)
		}
	}
	for _, want := range []string{largest, "customer 0", "customer 0"} {
		d.Press("amount")
		if got := first(); got != want {
			t.Errorf("%s is first, not %s", got, want)
		}
	}
	d.Enter("Find in rows", "customer 29")
	if !d.Reads("Result · 11 of 300 rows, 2 columns") || first() != "customer 29" {
		t.Errorf("the rows that were found: %q", column(d, ""))
	}
}

// The wheel over a table scrolls the conversation until the user clicks in the table.
func TestTableScrollsOnlyAfterAClick(t *testing.T) {
	d := newDesk(t, ui.Options{})
	c := called("list_orders", nil, agent.ToolReturned{ID: "1", Result: orders(300)})
	d.window.ShowChat(c, false)
	d.Press("list_orders")
	d.window.ShowChat(c.Apply(agent.TextDelta{Text: strings.Repeat("line\n\n", 60)}), false)
	at, _, seen := d.Place("customer 1")
	if !seen {
		t.Fatal("the table is out of sight")
	}
	d.ScrollAt(at.AddXY(5, 5), -40)
	moved, _, _ := d.Place("customer 1")
	if by := at.Y - moved.Y; by < 39 || by > 41 {
		t.Fatalf("the conversation moved by %.0f under the wheel, want 40", by)
	}
	d.Press("customer 1")
	before, _, _ := d.Place("Result · 300 rows, 2 columns")
	d.ScrollAt(moved.AddXY(5, 5), -64)
	after, _, _ := d.Place("Result · 300 rows, 2 columns")
	if before != after {
		t.Error("the conversation moves, not the table")
	}
	if now, _, _ := d.Place("customer 3"); now.Y > moved.Y+40 {
		t.Error("the table does not scroll after a click")
	}
	d.Ctrl(fyne.KeyC)
	if got := d.Clipboard(); got != `{"customer": "customer 1", "amount": 119}` {
		t.Errorf("%q was copied, not the row that was clicked", got)
	}
}
