package registry

import (
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// FindByName finds a tool by its qualified name, or otherwise every tool with that name.
func TestFindByName(t *testing.T) {
	var r Registry
	r.Set("a", false, Origin{}, []*mcp.Tool{{Name: "x"}, {Name: "y"}})
	r.Set("b", false, Origin{}, []*mcp.Tool{{Name: "x"}, {Name: "a__x"}})
	for name, want := range map[string]string{"x": "a__x b__x", "y": "a__y", "a__x": "a__x", "b__a__x": "b__a__x", "z": ""} {
		var got []string
		for _, e := range r.FindByName(name) {
			got = append(got, e.Name)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q names %v, want %q", name, got, want)
		}
	}
}

// A policy trusts the annotations of bundled servers, so an entry is bundled only if its own server
// is.
func TestEntriesAreBundledByServer(t *testing.T) {
	var r Registry
	r.Set("ours", true, Origin{}, []*mcp.Tool{{Name: "a"}, {Name: "b"}})
	r.Set("theirs", false, Origin{}, []*mcp.Tool{{Name: "a"}, {Name: "b"}})
	for _, e := range r.All() {
		if e.Bundled != (e.Server == "ours") {
			t.Errorf("%s: bundled is %t", e.Name, e.Bundled)
		}
	}
	r.Set("ours", false, Origin{}, []*mcp.Tool{{Name: "a"}}) // another server replaces it
	if e, ok := r.Lookup("ours__a"); !ok || e.Bundled {
		t.Errorf("the tool of the server that came later is %+v", e)
	}
}

// A tool that is turned off is neither listed nor found, but the invariants still include it.
func TestToolsThatAreOff(t *testing.T) {
	var r Registry
	tools := []*mcp.Tool{{Name: "x"}, {Name: "y"}, {Name: "z"}, {Name: "z"}}
	r.Set("a", false, Origin{}, tools, "y", "gone", "z")
	check := func(what string, on, off int) {
		t.Helper()
		if err := r.Check(); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		if len(r.All()) != on || len(r.ServerTools("a")) != on || len(r.ToolsOff("a")) != off || len(r.Uncallable("a")) != 2 {
			t.Errorf("%s: %v are on, %v off, %v uncallable", what, r.All(), r.ToolsOff("a"), r.Uncallable("a"))
		}
	}
	check("as set", 1, 1)
	if _, ok := r.Lookup("a__y"); ok || len(r.FindByName("y")) > 0 {
		t.Error("a tool that is off is found")
	}
	for _, name := range []string{"a__y", "y"} {
		if e, ok := r.LookupOff(name); !ok || e.Name != "a__y" {
			t.Errorf("%s is not off: %v", name, e)
		}
	}
	r.Switch("a", []string{"x"})
	check("switched", 1, 1)
	if _, ok := r.Lookup("a__y"); !ok {
		t.Error("the tool is not on again")
	}
	r.Switch("a", nil)
	check("all on", 2, 0)
	r.Switch("b", []string{"x"}) // no such server
	r.Remove("a")
	if _, ok := r.LookupOff("y"); ok || len(r.ToolsOff("a")) > 0 {
		t.Error("a removed server still has tools that are off")
	}
}

// If several servers had a tool with the same name that was turned off, LookupOff returned a random
// one.
func TestTheFirstServerHasTheToolThatIsOff(t *testing.T) {
	var r Registry
	for _, server := range []string{"c", "b", "d", "a"} {
		r.Set(server, false, Origin{}, []*mcp.Tool{{Name: "y"}}, "y")
	}
	for range 50 {
		if e, ok := r.LookupOff("y"); !ok || e.Name != "a__y" {
			t.Fatalf("it is %s, %v", e.Name, ok)
		}
	}
}

// Nearest finds the intended tool despite wrong letters, a wrong server or an incomplete name. It
// finds nothing for a different word.
func TestNearest(t *testing.T) {
	var r Registry
	r.Set("dice", false, Origin{}, []*mcp.Tool{{Name: "roll"}, {Name: "roll_many"}, {Name: "shuffle"}})
	r.Set("files", false, Origin{}, []*mcp.Tool{{Name: "read_text_file"}, {Name: "write_file"}, {Name: "ls"}})
	for name, want := range map[string]string{
		"rol": "dice__roll", "dice__rol": "dice__roll", "Roll": "dice__roll dice__roll_many", "dcie__shuffle": "dice__shuffle", "shufle": "dice__shuffle",
		"files__text_file": "files__read_text_file", "read-text-file": "files__read_text_file", "write_flie": "files__write_file",
		"weather": "", "l": "files__ls", "": "", "x": "", strings.Repeat("roll", 1000): "",
	} {
		if got := strings.Join(r.Nearest(name), " "); got != want {
			t.Errorf("%q is near %q, want %q", name, got, want)
		}
	}
}
