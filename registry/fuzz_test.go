package registry_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/servertest"
	"goated/registry"
)

// FuzzRegistry sets and removes servers: a line "server tool tool" sets the tools of a server, and
// "-server" removes the server. After each step, every invariant holds. At the end, the registry
// equals one that got only the last tools of each server.
func FuzzRegistry(f *testing.F) {
	for _, s := range []string{
		"a one two\nb one\n-a\n", "a one one\na one\n", "a \x00 \u202e two two__three\na__b c\na b__c\n",
		"a " + strings.Repeat("x", 100) + " " + strings.Repeat("x", 101) + "\n", "-nobody\n", " \n", "a\n", "Ａ ｏne\na one\nA ONE\n",
	} {
		f.Add(s)
	}
	// Use names that are meant to confuse JSON readers: a server for each file of the JSON Schema
	// test suite, with a tool for each key in it, and the names in the tests of the SDK.
	key := regexp.MustCompile(`"((?:[^"\\]|\\.)+)":`)
	for i, text := range servertest.Schemas(f) {
		line := "server" + strconv.Itoa(i)
		for _, k := range key.FindAllStringSubmatch(text, 200) {
			if name, err := strconv.Unquote(`"` + k[1] + `"`); err == nil {
				line += " " + strings.ReplaceAll(name, "\n", "\r")
			}
		}
		f.Add(line + "\nother one\n-server" + strconv.Itoa(i) + "\n" + line + "\n")
	}
	name := regexp.MustCompile(`"name":"([^"]+)"`)
	for _, message := range servertest.Messages(f) {
		line := "sdk"
		for _, n := range name.FindAllSubmatch(message, -1) {
			line += " " + string(n[1])
		}
		f.Add(line + "\n" + line + " one\n")
	}
	f.Fuzz(func(t *testing.T, script string) {
		var r registry.Registry
		offers := make(map[string][]*mcp.Tool)
		for line := range strings.Lines(script) {
			line = strings.TrimSuffix(line, "\n")
			if server, gone := strings.CutPrefix(line, "-"); gone {
				server = registry.ServerID(server)
				r.Remove(server)
				delete(offers, server)
			} else {
				words := strings.Split(line, " ")
				server := registry.ServerID(words[0])
				var tools []*mcp.Tool
				for _, w := range words[1:] {
					tool := &mcp.Tool{Name: w}
					if w == "nil" {
						tool = nil
					}
					tools = append(tools, tool)
				}
				r.Set(server, false, registry.Origin{}, tools)
				offers[server] = tools
			}
			if err := r.Check(); err != nil {
				t.Fatal(err)
			}
		}
		var anew registry.Registry
		total := 0
		for server, tools := range offers {
			anew.Set(server, false, registry.Origin{}, tools)
			if n := len(r.ServerTools(server)) + len(r.Uncallable(server)); n != len(tools) {
				t.Fatalf("%s offered %d tools, of which there are %d", server, len(tools), n)
			}
			total += len(r.ServerTools(server))
		}
		all, other := r.All(), anew.All()
		if len(all) != total || len(all) != len(other) {
			t.Fatalf("%d entries, %d in all, %d anew", len(all), total, len(other))
		}
		for i, e := range all {
			if e != other[i] {
				t.Fatalf("entry %d is %+v, anew %+v", i, e, other[i])
			}
			if found, ok := r.Lookup(e.Name); !ok || found != e {
				t.Fatalf("%q finds %+v", e.Name, found)
			}
		}
	})
}
