package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"goated/internal/geminitest"
	"goated/internal/servertest"
)

// A gallery takes the pictures in docs/img, of the real window at work with real
// servers. "make picture" runs it: GOATED_GALLERY names the folder.
type gallery struct {
	*desk
	folder string
}

func openGallery(t *testing.T, p *place, settings string, args ...string) *gallery {
	t.Helper()
	g := &gallery{desk: newDesk(t, p, args...), folder: os.Getenv("GOATED_GALLERY")}
	if settings != "" {
		g.settle(settings)
	}
	g.open()
	return g
}

// take takes a picture, without a pointer in the way, and makes it small: the
// window has few colours.
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

// toastless waits until the last toast has gone.
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

// TestGallery is no test: it makes the pictures that the documents show.
func TestGallery(t *testing.T) {
	if os.Getenv("GOATED_GALLERY") == "" {
		t.Skip(`it takes the pictures of the documents; run "make picture"`)
	}
	t.Run("chat", galleryChat)
	t.Run("shell", galleryShell)
	t.Run("welcome", galleryWelcome)
}

func galleryPlace(t *testing.T) *place {
	t.Helper()
	p := newDeskPlace(t)
	// The pictures show paths: short ones. What is beside the home stays out of it.
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
	// The reference servers are all called index.js.
	for name, script := range map[string]string{"files.js": servertest.Filesystem(), "everything.js": servertest.Everything()} {
		if err := os.Symlink(script, filepath.Join(p.home, name)); err != nil {
			t.Fatal(err)
		}
	}
	p.write("trip.md", "# Trip to the Alps\n\n- budget: 1800\n- spent: 640, 410, 215\n")
	p.write("budget.go", "package trip\n")
	return p
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
	g := openGallery(t, p, `{"welcomed":true,"theme":"light","launchServers":[{"path":`+strconv.Quote(filepath.Join(p.home, "files.js"))+`,"args":[`+strconv.Quote(p.project)+`]}]}`, "--server", script)
	g.known(1)
	time.Sleep(2 * time.Second)
	for _, text := range []string{"Remember coffee as flat white", "Mean and median of 2, 3, 4, 5, 7"} {
		g.say(text)
		g.turn(1)
		g.press("ctrl+n")
	}
	g.say("What is left to do for the trip?")
	for range 2 { // a stranger's server asks, whatever it says of itself
		g.asked(1)
		g.press("Tab", "space")
	}
	g.turn(1)
	g.take("chat-light")
	g.do("Theme: dark")
	g.take("chat-dark")
	g.press("ctrl+f")
	g.write("budget")
	g.take("search")
	g.press("Escape")
	g.do("Theme: light")
	g.say("How many words has its title?")
	g.asked(2)
	g.take("approval")
	g.press("Tab", "Tab", "space")
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
	g := openGallery(t, p, `{"welcomed":true,"theme":"light"}`)
	g.connect(script)
	g.toastless()
	g.say("list the files in .")
	g.turn(1)
	g.click(770, 217) // opens the card
	g.take("cards")
	g.press("ctrl+shift+c")
	g.still()
	g.write("~/mcp/weather.py")
	g.take("connect")
	g.press("Escape")
	g.connect(filepath.Join(p.home, "everything.js")) // whose packages lie somewhere else
	g.toastless()
	g.do("Look into the server everything")
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
