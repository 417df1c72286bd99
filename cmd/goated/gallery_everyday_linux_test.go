package main

import (
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"goated/internal/geminitest"
)

// galleryTotals is a server that returns a list of records.
const galleryTotals = `
from mcp.server.mcpserver import MCPServer

server = MCPServer("expenses")

@server.tool(title="Totals of a year")
def totals(year: int) -> list[dict]:
    """Add up the expenses of a year by what they were for."""
    return [
        {"what": "groceries", "times": 256, "total": 8702.4, "paid": "card"},
        {"what": "cinema", "times": 255, "total": 4210.1, "paid": "card"},
        {"what": "bakery", "times": 258, "total": 1419.9, "paid": "cash"},
        {"what": "bus", "times": 257, "total": 1028.3, "paid": "card"},
    ]

server.run()
`

// galleryEveryday takes pictures of everyday situations: a question of goated, a result as a table,
// the models, a message that is edited, and the tools.
func galleryEveryday(t *testing.T, theme string) {
	p := galleryPlace(t)
	p.venv()
	p.write("expenses.py", galleryTotals)
	s := p.gemini()
	s.Script(
		geminitest.Turn(geminitest.Text("I will look at your expenses."), geminitest.Call("expenses__totals", map[string]any{"year": 2025}), geminitest.Usage(1530, 40, 0)),
		geminitest.Turn(geminitest.Text("Most of it went to **groceries**. The cinema is next."), geminitest.Usage(9730, 31, 0)),
	)
	script := filepath.Join(p.project, "expenses.py")
	g := openGallery(t, p, `{"welcomed":true,"connectTimeout":"2m","theme":"`+theme+`","launchServers":[{"path":`+strconv.Quote(script)+`}]}`)
	g.toolsAreListed(2)
	g.say("Where did my money go in 2025?")
	g.asked(1)
	g.take("approval-" + theme)
	g.press("ctrl+Return")
	g.turn(1)
	time.Sleep(3 * time.Second) // until the toast about the decision has disappeared
	g.click(770, 217)           // opens the card
	g.take("table-" + theme)
	g.click(770, 217)
	g.opens("ctrl+m")
	g.take("model-" + theme)
	g.press("Escape")
	g.still()
	g.click(1108, 140) // the pencil below the message
	g.take("edit-" + theme)
	g.press("Escape", "ctrl+t")
	g.still()
	g.take("tools-" + theme)
	g.close()
	s.Done()
}
