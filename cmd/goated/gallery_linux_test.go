package main

import (
	"encoding/json"
	"image/color"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"goated/internal/config"
	"goated/internal/geminitest"
	"goated/internal/sandbox"
	"goated/internal/servertest"
)

// A gallery takes the pictures in docs/img, of the real window with real servers. "make picture"
// runs it. GOATED_GALLERY names the folder.
type gallery struct {
	*desk
	folder string
}

func openGallery(t *testing.T, p *place, settings string, args ...string) *gallery {
	t.Helper()
	g := &gallery{desk: newDesk(t, p, args...), folder: os.Getenv("GOATED_GALLERY")}
	g.patience = 2 * time.Minute // its duration does not matter
	if settings != "" {
		g.settle(settings)
	}
	p.civil()
	g.open()
	return g
}

// take takes a screenshot, without the pointer over the page. It makes the file small, which is
// possible because the window has few colours.
func (g *gallery) take(name string) {
	g.t.Helper()
	g.move(1279, 839)
	time.Sleep(2 * time.Second) // a busy machine draws late
	g.still()
	path := filepath.Join(g.folder, name+".png")
	g.save(path)
	if out, err := exec.Command("convert", path, "-strip", "-dither", "None", "-colors", "255", "-define", "png:compression-level=9", "PNG8:"+path).CombinedOutput(); err != nil {
		g.t.Errorf("making %s smaller: %v\n%s", name, err, out)
	}
}

// toastless waits until the last toast has disappeared.
func (g *gallery) toastless() {
	time.Sleep(4500 * time.Millisecond)
	g.still()
}

const galleryAnswer = `The trip is on track. Two things are left to do before **Friday**:

| What | Who | By |
|---|---|---|
| Book the night train | Mara | Wednesday |
| Renew the passport | Jonas | Thursday |

The budget holds: you planned 1,800 and have spent 1,265. Your script adds it up like this:

` + "```go" + `
func left(budget int, spent []int) int {
	for _, s := range spent {
		budget -= s
	}
	return budget
}
` + "```" + `

The [timetable](https://www.example.org/trains) changes on Sunday.
`

// TestGallery is not a test: it makes the pictures for the documents.
func TestGallery(t *testing.T) {
	if os.Getenv("GOATED_GALLERY") == "" {
		t.Skip(`it takes the pictures of the documents; run "make picture"`)
	}
	t.Run("chat", galleryChat)
	t.Run("shell", galleryShell)
	t.Run("welcome", galleryWelcome)
	for _, theme := range []string{"light", "dark"} {
		t.Run("servers-"+theme, func(t *testing.T) { galleryServers(t, theme) })
		t.Run("pages-"+theme, func(t *testing.T) { galleryPages(t, theme) })
		t.Run("everyday-"+theme, func(t *testing.T) { galleryEveryday(t, theme) })
		t.Run("pause-"+theme, func(t *testing.T) { galleryPause(t, theme) })
		t.Run("desktop-"+theme, func(t *testing.T) { galleryDesktop(t, theme) })
	}
}

func galleryPlace(t *testing.T) *place {
	t.Helper()
	p := newPlace(t)
	// The pictures show paths, which should be short. The rest of the test's files are not in this
	// home.
	home, err := os.MkdirTemp("/tmp", "mara")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(home) })
	p.home, p.project = home, filepath.Join(home, "trip")
	p.env = append(p.env, "HOME="+p.home)
	if err := os.Mkdir(p.project, 0o700); err != nil {
		t.Fatal(err)
	}
	// The file of each reference server is called index.js.
	for name, script := range map[string]string{"files.js": servertest.Filesystem(), "everything.js": servertest.Everything()} {
		if err := os.Symlink(script, filepath.Join(p.home, name)); err != nil {
			t.Fatal(err)
		}
	}
	p.write("trip.md", "# Trip to the Alps\n\n- budget: 1800\n- spent: 640, 410, 215\n")
	p.write("budget.go", "package trip\n")
	return p
}

// venv makes Python's MCP library available to the scripts of the project.
func (p *place) venv() {
	p.t.Helper()
	_, modules := servertest.Programs(p.t)
	if err := os.Symlink(filepath.Join(filepath.Dir(modules), "venv"), filepath.Join(p.project, ".venv")); err != nil {
		p.t.Fatal(err)
	}
}

// galleryPages takes pictures of the inspector and the artifacts.
func galleryPages(t *testing.T, theme string) {
	p := galleryPlace(t)
	for name, text := range map[string]string{
		"go.mod":         "module example.com/trip\n",
		"store/queue.go": "package store\n\n// ErrFull says that the queue holds too many changes.\nvar ErrFull error\n\n// Queue has the changes that wait for the network.\ntype Queue struct{ path string }\n\n// Open opens the queue, or makes one.\nfunc Open(path string) (*Queue, error) { return &Queue{path}, nil }\n\n// Add writes a change to the disk first.\nfunc (q *Queue) Add(c Change) error { return nil }\n\n// A Change is one edit of the trip.\ntype Change struct{ Day int }\n",
		"sync/send.go":   "package sync\n\nimport \"example.com/trip/store\"\n\nfunc Send(q *store.Queue) {}\n",
		"sync/merge.go":  "package sync\n\nimport \"example.com/trip/store\"\n\nfunc merge(a, b store.Change) {}\n",
		"cmd/main.go":    "package main\n\nimport (\n\t\"example.com/trip/store\"\n\t\"example.com/trip/sync\"\n)\n\nfunc main() {}\n\nvar _, _ = store.Open, sync.Send\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(p.project, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		p.write(name, text)
	}
	s := p.gemini()
	s.Script(
		geminitest.Turn(geminitest.Call("llmem__find_symbol", map[string]any{"name": "Queue"}), geminitest.Usage(1530, 40, 0)),
		geminitest.Turn(geminitest.Call("llmem__map_workspace", map[string]any{"query": "where are changes saved", "budget": 800}), geminitest.Usage(1730, 52, 0)),
		geminitest.Turn(geminitest.Text("Each change is written to the queue in store/queue.go."), geminitest.Usage(1930, 22, 0)),
		geminitest.Text("Keeps the changes that are made without a network, in the order they were made.\n\n**How it works.** `Open` opens the queue or makes one. `Add` writes a change to the disk before the screen shows it.\n\n**Watch out.** It returns `ErrFull` above 10,000 changes."),
	)
	g := openGallery(t, p, `{"welcomed":true,"theme":"`+theme+`","model":"gemini-3-flash-preview"}`, "--with", "llmem")
	g.press("ctrl+shift+i")
	g.still()
	g.press("Escape")
	g.say("Where are trips saved?")
	g.turn(1)
	g.press("ctrl+shift+i")
	g.still()
	g.press("Down", "Down")
	g.take("inspector-" + theme)
	g.press("ctrl+shift+a")
	time.Sleep(3 * time.Second) // until goated has read the project
	g.press("ctrl+f")
	g.write("queue.go")
	g.press("Return")
	g.still()
	g.click(1150, 139) // the button that writes the summary
	g.until("the summary is stored", func() bool {
		_, err := os.Stat(filepath.Join(p.project, ".artifacts", "store", "queue.go.summarize.md"))
		return err == nil
	})
	g.toastless()
	g.press("ctrl+a", "BackSpace")
	g.take("artifacts-" + theme)
	g.close()
	s.Done()
}

func galleryWelcome(t *testing.T) {
	g := openGallery(t, galleryPlace(t), "")
	g.take("welcome")
	g.close()
}

func galleryChat(t *testing.T) {
	p := galleryPlace(t)
	s := p.gemini()
	list := geminitest.Call("files__list_directory", map[string]any{"path": p.project})
	s.Script(
		geminitest.Turn(geminitest.Text("Flat white is remembered."), geminitest.Usage(812, 9, 0)),
		geminitest.Turn(geminitest.Text("The mean is 4.2, the median 4."), geminitest.Usage(1204, 22, 0)),
		geminitest.Turn(geminitest.Text("I will look at the notes."), list, geminitest.Usage(1530, 40, 0)),
		geminitest.Turn(geminitest.Call("files__read_text_file", map[string]any{"path": filepath.Join(p.project, "trip.md")}), geminitest.Usage(1602, 35, 0)),
		geminitest.Turn(geminitest.Text(galleryAnswer), geminitest.Usage(1730, 312, 0)),
		geminitest.Turn(geminitest.Call("tally__count_words", map[string]any{"text": "Trip to the Alps"}), geminitest.Usage(2100, 30, 0)),
		geminitest.Turn(geminitest.Text("Four words."), geminitest.Usage(2150, 6, 0)),
	)
	script, _ := p.tally()
	g := openGallery(t, p, `{"welcomed":true,"connectTimeout":"2m","theme":"light","launchServers":[{"path":`+strconv.Quote(filepath.Join(p.home, "files.js"))+`,"args":[`+strconv.Quote(p.project)+`]}]}`, "--server", script)
	g.known(1)
	time.Sleep(2 * time.Second)
	for _, text := range []string{"Remember coffee as flat white", "Mean and median of 2, 3, 4, 5, 7"} {
		g.say(text)
		g.turn(1)
		time.Sleep(2 * time.Second) // a turn that ends in the background is unread
		g.press("ctrl+n")
	}
	g.say("What is left to do for the trip?")
	for range 2 { // an unknown server always asks, whatever it declares about itself
		g.asked(1)
		g.press("ctrl+Return")
		time.Sleep(3 * time.Second) // until that is decided
	}
	g.turn(1)
	g.take("chat-light")
	g.do("Theme: dark")
	g.take("chat-dark")
	g.press("ctrl+f")
	g.write("budget")
	for range 2 { // past the cards of the tools, to the answer
		time.Sleep(3 * time.Second)
		g.press("Return")
	}
	g.take("search")
	g.press("Escape")
	g.do("Theme: light")
	g.say("How many words has its title?")
	g.asked(2)
	g.press("ctrl+Return")
	g.turn(2)
	g.toastless()
	g.take("history")
	g.press("ctrl+l", "ctrl+shift+f")
	g.still()
	g.write("the")
	g.take("search-all")
	g.close()
	s.Done()
}

func galleryShell(t *testing.T) {
	p := galleryPlace(t)
	script, _ := p.tally()
	g := openGallery(t, p, `{"welcomed":true,"connectTimeout":"2m","theme":"light"}`)
	g.connect(script)
	g.toastless()
	g.say("list the files in .")
	g.turn(1)
	g.click(770, 217) // opens the card
	g.take("cards")
	g.press("ctrl+shift+c")
	g.still()
	g.write("npx -y @modelcontextprotocol/server-filesystem ~/trip")
	g.take("connect")
	g.press("Escape")
	g.connect(filepath.Join(p.home, "everything.js")) // its packages are in another folder
	g.toastless()
	g.do("everything")
	g.take("server")
	g.press("Escape")
	g.press("ctrl+k")
	g.still()
	g.write("th")
	g.take("palette")
	g.press("Escape")
	g.press("ctrl+comma")
	g.take("settings")
	g.press("Escape")
	g.close()
}

// galleryExpenses is a server that returns far more than a card shows.
const galleryExpenses = `
import datetime
import random
from mcp.server.mcpserver import MCPServer

server = MCPServer("expenses")

@server.tool()
def list_expenses(year: int) -> dict:
    """List all expenses of a year."""
    dice, day, all = random.Random(year), datetime.date(year, 1, 1), []
    while day.year == year:
        for what, least, most in [("bakery", 2, 9), ("groceries", 8, 60), ("bus", 2, 6), ("cinema", 9, 24)]:
            if dice.random() < 0.7:
                all.append({"date": str(day), "what": what, "amount": dice.randint(least * 100, most * 100) / 100, "paid": dice.choice(["card", "cash"])})
        day += datetime.timedelta(days=1)
    return {"year": year, "expenses": all}

server.run()
`

// galleryBookings fails in the way that other people's scripts fail most often.
const galleryBookings = `from icalendar import Calendar
from mcp.server.mcpserver import MCPServer

server = MCPServer("bookings")

@server.tool()
def next_booking(path: str) -> str:
    """The next booking in a calendar."""
    return str(Calendar.from_ical(open(path).read()).walk("VEVENT")[0]["summary"])

server.run()
`

const galleryWeather = `
import json
import urllib.request
from mcp.server.mcpserver import MCPServer

server = MCPServer("weather")

@server.tool()
def forecast(latitude: float, longitude: float) -> dict:
    """The forecast for a place."""
    url = f"https://api.open-meteo.com/v1/forecast?latitude={latitude}&longitude={longitude}&daily=weather_code"
    return json.load(urllib.request.urlopen(url))

server.run()
`

// galleryServers takes pictures of a server's permissions, the reason why a server does not run,
// and a complete long result.
func galleryServers(t *testing.T, theme string) {
	p := galleryPlace(t)
	notes := filepath.Join(p.home, "notes")
	if err := os.Mkdir(notes, 0o700); err != nil {
		t.Fatal(err)
	}
	p.venv()
	weather := p.write("weather.py", galleryWeather)
	p.write("expenses.py", galleryExpenses)
	p.write("bookings.py", galleryBookings)
	yesterday := time.Now().Add(-24 * time.Hour)
	settings, err := json.Marshal(config.Settings{Welcomed: true, TimeLimits: config.TimeLimits{ConnectTimeout: config.Limit(2 * time.Minute)}, Theme: theme, Launch: []config.Launch{
		{Path: weather, Allowed: sandbox.Permissions{
			{Kind: sandbox.ToHost, Host: "api.open-meteo.com", At: yesterday},
			{Kind: sandbox.ToRead, Path: notes, At: yesterday},
		}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	bad := darkBad
	if theme == "light" {
		bad = color.RGBA{0xA6, 0x3D, 0x36, 0xFF}
	}
	g := openGallery(t, p, string(settings))
	g.until("weather runs", func() bool { return p.running(weather) > 0 })
	g.press("ctrl+shift+c")
	time.Sleep(2 * time.Second)
	g.write("~/trip/bookings.py")
	time.Sleep(2 * time.Second)
	g.press("Return")
	g.until("it has failed", func() bool { return g.shows(bad) > 0 })
	time.Sleep(2 * time.Second) // a busy machine draws late
	g.still()
	g.click(395, 564) // its details
	g.take("failed-" + theme)
	g.press("Escape", "Escape")
	g.connect("~/trip/expenses.py")
	g.toastless()
	g.say(`/list_expenses {"year": 2025}`)
	g.asked(1)
	g.press("ctrl+Return")
	g.turn(1)
	g.toastless()
	g.click(770, 217)  // opens the card
	g.click(1100, 343) // shows the complete result
	g.press("ctrl+f")
	g.write("cinema")
	time.Sleep(8 * time.Second) // until it has been read and searched
	g.take("viewer-" + theme)
	g.press("Escape", "Escape")
	g.do("weather")
	g.click(290, 390) // its permissions
	g.take("permissions-" + theme)
	g.press("Escape")
	g.close()
}
