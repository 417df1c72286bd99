package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent"
	"goated/internal/config"
	"goated/internal/sandbox"
	"goated/internal/servertest"
)

// station starts a local web server. It counts its visitors, and those that reported that their
// tools were listed.
func station(t *testing.T) (url string, visits, listed *atomic.Int32) {
	visits, listed = new(atomic.Int32), new(atomic.Int32)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/listed" {
			listed.Add(1)
		} else {
			visits.Add(1)
		}
		fmt.Fprint(w, "a station on the hill")
	}))
	t.Cleanup(s.Close)
	return s.URL, visits, listed
}

// A server cannot reach a host until the user allows it. After that it has its tools. It keeps the
// permission for the next starts until the user revokes it. There, another server asks in the
// conversation.
func TestWindowAllowsTheNetwork(t *testing.T) {
	if !sandbox.Probe().Confined() {
		t.Skip(sandbox.Probe())
	}
	p := newPlace(t)
	url, visits, listed := station(t)
	reach := sandbox.Permission{Kind: sandbox.ToHost, Host: strings.TrimPrefix(url, "http://")}
	script := p.write("weather.py", servertest.Small(t)+fmt.Sprintf(`
import urllib.request

url = %q
said = urllib.request.urlopen(url).read().decode()

class Weather(MCPServer):
    def listed(self):
        urllib.request.urlopen(url + "/listed").read()
        return super().listed()

server = Weather("weather")

@server.tool()
def forecast(city: str) -> str:
    """The forecast for a city."""
    return f"Sunny in {city}, says {said}"

server.run()
`, url))
	d := openDeskOf(t, p, wideScreen)
	d.opens("ctrl+shift+c")
	d.write(script)
	d.press("Return", "Return", "Return") // typing more allows nothing
	d.until("it has failed", func() bool {
		return slices.ContainsFunc(linesOf(filepath.Join(d.data, "logs", "goated.log")), func(line string) bool { return strings.Contains(line, "weather.py") })
	})
	d.still()
	if n := visits.Load(); n > 0 {
		t.Fatalf("it was in the network %d times before it was asked", n)
	}
	if all := d.settings().DecidedServers(); len(all) > 0 {
		t.Fatalf("typing on decided %+v", all)
	}
	// Keys that arrive before the question go to the sheet below it.
	d.until("the window shows the question", func() bool {
		at := d.sight()(732, 573) // in the button "Allow for this server"
		return at == darkAllow || at == lightAllow
	})
	d.press("Tab") // from "Not now" to "Allow for this server"
	d.insist("space", "goated remembers it", func() bool {
		all := d.settings().DecidedServers()
		return len(all) == 1 && all[0].Path == script && all[0].Allowed.Has(reach) && !all[0].Allowed[0].At.IsZero()
	})
	d.until("it is in the network", func() bool { return visits.Load() > 0 })
	d.until("its tools are listed", func() bool { return listed.Load() > 0 })
	d.sheetCloses()
	d.say(`/forecast {"city": "Lisbon"}`)
	d.answer(1, "ctrl+Return")
	if e, ok := event[agent.ToolReturned](d.turn(1)); !ok || e.Error != "" {
		t.Errorf("the tool is not there: %+v", e)
	}
	d.close()

	before, started := listed.Load(), visits.Load() // a slow first start is repeated
	climate, reached, seen := p.climate()
	d.args = append(slices.Clone(d.args), "--server", script, "--server", climate)
	d.open()
	d.until("the next start has the permission, and asks nobody", func() bool { return visits.Load() > started && listed.Load() > before })
	d.still() // it is connected, and so would be a second copy of it
	if n := visits.Load() - started; n != 1 {
		t.Errorf("the next start started it %d times", n)
	}
	d.asksForAHost(climate, reached, seen)
	d.close()
}

// climate writes a server that needs a host only for a call. It returns the script, the permission
// and the number of visits to the host.
func (p *place) climate() (script string, reach sandbox.Permission, visits *atomic.Int32) {
	url, visits, _ := station(p.t)
	return p.write("climate.py", servertest.Small(p.t)+fmt.Sprintf(`
import os, urllib.request

server = MCPServer("climate")

@server.tool()
def outlook(city: str) -> str:
    """The climate of a city."""
    return f"Sunny in {city}, process {os.getpid()}, says " + urllib.request.urlopen(%q).read().decode()

server.run()
`, url)), sandbox.Permission{Kind: sandbox.ToHost, Host: strings.TrimPrefix(url, "http://")}, visits
}

// asksForAHost sees that goated asks about a host that a call needs in the conversation of that
// call, and the call waits. Ctrl+Enter allows the host, and the same call of the same process gets
// the page. The next call does not ask.
func (d *desk) asksForAHost(script string, reach sandbox.Permission, visits *atomic.Int32) {
	d.t.Helper()
	t := d.t
	d.toolsAreListed(3)
	d.reads("the conversation is back", func(shown string) bool { return strings.Contains(shown, "Lisbon") })
	said := func(turn int, city string) string {
		d.until("the call of turn "+strconv.Itoa(turn)+" has an answer", func() bool {
			_, ok := event[agent.ToolReturned](d.turn(turn))
			return ok
		})
		e, _ := event[agent.ToolReturned](d.turn(turn))
		if e.Error != "" || e.Result == nil || e.Result.IsError || len(e.Result.Content) != 1 {
			t.Fatalf("the call failed: %+v", e)
		}
		text, _ := e.Result.Content[0].(*mcp.TextContent)
		if text == nil || !strings.HasSuffix(text.Text, "says a station on the hill") {
			t.Fatalf("the call returned %+v", e.Result.Content[0])
		}
		return strings.Replace(text.Text, city, "the city", 1)
	}
	d.begin(`/outlook {"city": "Lisbon"}`)
	d.answer(1, "ctrl+Return")
	d.until("the call is in the network", func() bool {
		d.press("ctrl+Return") // while the composer is empty, this does nothing before the question is there
		return visits.Load() > 0
	})
	first := said(1, "Lisbon")
	d.until("goated remembers the permission", func() bool {
		return slices.ContainsFunc(d.settings().DecidedServers(), func(l config.Launch) bool { return l.Path == script && l.Allowed.Has(reach) })
	})
	d.say(`/outlook {"city": "Porto"}`)
	d.answer(2, "ctrl+Return")
	if second := said(2, "Porto"); second != first || visits.Load() != 2 {
		t.Errorf("%q and then %q after %d visits", first, second, visits.Load())
	}
}
