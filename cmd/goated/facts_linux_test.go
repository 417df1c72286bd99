package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"goated/agent"
	"goated/internal/config"
	"goated/internal/geminitest"
	"goated/internal/state"
	"goated/internal/store"
)

// gemini starts a simulated Gemini on loopback for the place, with the key in the environment.
func (p *place) gemini() *geminitest.Server {
	s := geminitest.New(p.t)
	p.env = append(p.env, "GEMINI_API_KEY="+geminitest.DefaultKey, "GOOGLE_GEMINI_BASE_URL="+s.URL)
	return s
}

// tally writes a server with two tools. One records its arguments, and the other makes the server exit.
// It uses no SDK, because that takes a second of processor time to start, and eight tests start it,
// some of them four times. tally returns the script and the file with the records. Another file
// gets a line for each request to list the tools. Both are where the server may write.
func (p *place) tally() (script, list string) {
	return p.write("tally.py", `
import json, os, sys

run = os.urandom(8).hex()

def note(where, line):
    with open(os.path.join(os.environ["STATE_DIRECTORY"], where), "a") as f:
        f.write(line + "\n")

def tool(name, description, properties):
    return {"name": name, "description": description,
            "inputSchema": {"type": "object", "properties": properties, "required": list(properties)}}

def count_words(text: str) -> dict[str, int]:
    note("called", text)
    return {"words": len(text.split()), "characters": len(text)}

for line in sys.stdin:
    request = json.loads(line)
    answer = {"jsonrpc": "2.0", "id": request.get("id")}
    match request.get("method"):
        case "initialize":
            answer["result"] = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
                                "serverInfo": {"name": "tally", "version": "1"}}
        case "tools/list":
            note("known", run) # a start may ask twice
            answer["result"] = {"tools": [
                tool("count_words", "Count the words of a text.", {"text": {"type": "string"}}),
                tool("explode", "Explode: end the server in the middle of the call.", {})]}
        case "tools/call" if request["params"]["name"] == "explode":
            os._exit(3)
        case "tools/call":
            counted = count_words(**request["params"]["arguments"])
            answer["result"] = {"content": [{"type": "text", "text": json.dumps(counted)}], "structuredContent": counted}
        case _:
            answer["error"] = {"code": -32601, "message": "Method not found"}
    if "id" in request:
        print(json.dumps(answer), flush=True)
`), p.marks("called")
}

// marks returns a pattern for the file with that name which tally writes.
func (p *place) marks(name string) string {
	return filepath.Join(p.home, "D", "servers", "tally-*", "files", name)
}

// known waits until so many instances of tally have been asked for their tools, and the tools are
// available.
func (d *desk) known(times int) {
	d.t.Helper()
	d.until("the server's tools are known", func() bool {
		starts := linesOf(d.place.marks("known"))
		slices.Sort(starts)
		return len(slices.Compact(starts)) >= times
	})
	d.still()
}

// toolsAreListed waits until so many servers have listed their tools. goated stores each list on
// the disk.
func (d *desk) toolsAreListed(servers int) {
	d.t.Helper()
	d.until("the tools are listed", func() bool {
		lists, _ := filepath.Glob(filepath.Join(d.data, "tools", "*"))
		return len(lists) >= servers
	})
}

// running counts the processes that have a script in their command line.
func (p *place) running(script string) (n int) {
	for _, line := range p.processes() {
		if strings.Contains(line, script) {
			n++
		}
	}
	return n
}

// settings reads the settings file.
func (d *desk) settings() config.Settings {
	d.t.Helper()
	var s config.Settings
	warning, err := state.File{Path: filepath.Join(d.data, "settings.json")}.Load(&s)
	if warning != nil || err != nil {
		d.t.Fatal(warning, err)
	}
	return s
}

// history reads the saved conversations, most recently used first, each with the branch that is
// shown. Tests call it twenty times a second, so it reads again only after the files have changed.
func (d *desk) history() []store.Thread {
	d.t.Helper()
	path := filepath.Join(d.data, "history.db")
	files := ""
	began, written := time.Now(), time.Time{}
	for _, path := range []string{path, path + "-wal"} {
		if info, err := os.Stat(path); err == nil {
			files += fmt.Sprint(info.Size(), info.ModTime(), " ")
			if info.ModTime().After(written) {
				written = info.ModTime()
			}
		}
	}
	if files != "" && files == d.last.files {
		return d.last.all
	}
	all := d.stored(path)
	if d.last.files = files; began.Sub(written) < settled {
		d.last.files = "" // a write right after this one could leave the same times
	}
	d.last.all = all
	return all
}

// settled is longer than the resolution of file times.
const settled = 100 * time.Millisecond

// stored opens and reads a history.
func (d *desk) stored(path string) []store.Thread {
	d.t.Helper()
	s, err := store.Open(d.t.Context(), path)
	if err != nil {
		d.t.Fatal(err)
	}
	defer s.Close()
	list, err := s.Conversations(d.t.Context())
	if err != nil {
		d.t.Fatal(err)
	}
	var all []store.Thread
	for _, c := range list {
		t, err := s.Thread(d.t.Context(), c.ID)
		if err != nil {
			d.t.Fatal(err)
		}
		all = append(all, t)
	}
	return all
}

// turns returns the turns of the most recently used conversation.
func (d *desk) turns() []store.Turn {
	if all := d.history(); len(all) > 0 {
		return all[0].Turns
	}
	return nil
}

// turn waits until turn n of the conversation has ended, in the history and in the window, and
// returns it. After that, the composer is empty.
func (d *desk) turn(n int) store.Turn {
	d.t.Helper()
	turn := d.kept(n)
	// The history contains the end before the window shows it. After that, there is nothing to
	// stop.
	d.until("the window shows the end of the turn", func() bool { return d.mainActions() < 700 })
	d.still()
	return turn
}

// kept waits until the history contains the end of turn n, and returns the turn.
func (d *desk) kept(n int) (turn store.Turn) {
	d.t.Helper()
	d.until(fmt.Sprintf("turn %d has ended", n), func() bool {
		turns := d.turns()
		if len(turns) < n || turns[n-1].Ended.IsZero() {
			return false
		}
		turn = turns[n-1]
		return true
	})
	return turn
}

// event returns the last event of a type.
func event[E agent.Event](turn store.Turn) (last E, ok bool) {
	for _, e := range turn.Events {
		if e, is := e.(E); is {
			last, ok = e, true
		}
	}
	return last, ok
}

// linesOf returns the lines of the only file that matches a pattern.
func linesOf(pattern string) []string {
	found, _ := filepath.Glob(pattern) // the pattern is valid
	if len(found) != 1 {
		return nil
	}
	data, err := os.ReadFile(found[0])
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
}

// sheetCloses waits until the open sheet has closed by itself, so that the page is no longer
// dimmed. Until then the sheet has the keyboard focus.
func (d *desk) sheetCloses() {
	d.t.Helper()
	d.until("the sheet closes by itself", func() bool { return d.shows(darkGround)+d.shows(lightGround) > 200_000 })
	d.still()
}
