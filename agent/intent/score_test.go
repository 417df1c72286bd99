package intent

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// An example is a request with its correct answer.
type example struct {
	request string
	tools   string // names; "": no tool matches; ?name: only offered as a choice; talk: a reply without a tool
	args    string // JSON of the known arguments; "": any
}

// A tally counts the answers to examples.
type tally struct {
	fit, right, known, exact int // requests with a tool; with the right tool; with known arguments; with exactly those
	all, offered, wrong      int
	talk, replies            int      // requests that need only a reply; of these with a reply
	changes                  []string // tools that change something and were wrongly chosen
}

func (s *tally) String() string {
	part := func(n, of int) string {
		return fmt.Sprintf("%d/%d (%.0f %%)", n, of, 100*float64(n)/float64(max(of, 1)))
	}
	return fmt.Sprintf("right tool %s, exact arguments %s, wrong tool %s, options %s, replies %s", part(s.right, s.fit), part(s.exact, s.known), part(s.wrong, s.all), part(s.offered, s.all), part(s.replies, s.talk))
}

// measure compares the plans for the examples with the correct answers.
func measure(t *testing.T, examples []example, plans []Plan) *tally {
	t.Helper()
	s := &tally{}
	verbose := os.Getenv("INTENT_VERBOSE") != ""
	for i, e := range examples {
		s.all++
		right := strings.Fields(e.tools)
		reply := SmallTalk(e.request, func() string { return "suggest" }, func() string { return "able" })
		if e.tools == "talk" {
			s.talk++
			if reply != "" {
				s.replies++
				continue
			}
			right = nil
		}
		plan := plans[i]
		if reply != "" { // the reply needs no tool
			plan = Plan{}
		}
		if len(right) > 0 {
			s.fit++
		}
		if offer, ok := strings.CutPrefix(e.tools, "?"); ok && plan.Tool == nil && slices.ContainsFunc(plan.Options, func(o Option) bool { return o.Tool.Name == offer }) {
			right, plan = []string{offer}, Plan{Tool: plan.Options[0].Tool, Args: plan.Options[0].Args}
		}
		if e.args != "" && len(right) > 0 {
			s.known++
		}
		switch {
		case plan.Tool == nil:
			if len(plan.Options) > 0 {
				s.offered++
			}
			if verbose && len(right) > 0 {
				var names []string
				for _, o := range plan.Options {
					names = append(names, o.Tool.Name)
				}
				t.Logf("NONE  %q: want %v, offers %v", e.request, right, names)
			}
			continue
		case !slices.Contains(right, plan.Tool.Name):
			s.wrong++
			if !plan.reads {
				s.changes = append(s.changes, fmt.Sprintf("%q: %s", e.request, plan.Tool.Name))
			}
			if verbose {
				t.Logf("WRONG %q: %s, want %v", e.request, plan.Tool.Name, right)
			}
			continue
		}
		s.right++
		if e.args == "" {
			continue
		}
		var want map[string]any
		if err := json.Unmarshal([]byte(e.args), &want); err != nil {
			t.Fatalf("%s: %v", e.args, err)
		}
		data, _ := json.Marshal(plan.Args)
		var got map[string]any
		_ = json.Unmarshal(data, &got)
		same := true
		for name, v := range want {
			if name == "*" {
				same = same && slices.ContainsFunc(newDocument(plan.Tool).order, func(n string) bool { return reflect.DeepEqual(got[n], v) })
				continue
			}
			same = same && reflect.DeepEqual(got[name], v)
		}
		if same {
			s.exact++
		} else if verbose {
			t.Logf("ARGS  %q: %s %s, want %s", e.request, plan.Tool.Name, data, e.args)
		}
	}
	return s
}

// requests reads a file in testdata/requests. Its lines have the form "request => tools =>
// arguments". The lines above the first empty line contain the sets of tools, and the percentage of
// requests that must get the right tool.
func requests(t testing.TB, file string) (tools []Tool, right int, all []example) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, body, _ := strings.Cut(string(data), "\n\n")
	for line := range strings.Lines(head) {
		if sets, ok := strings.CutPrefix(line, "tools: "); ok {
			tools = toolbox(t, known(t, sets))
		}
		if goal, ok := strings.CutPrefix(line, "right: "); ok {
			if right, err = strconv.Atoi(strings.TrimSpace(goal)); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
		}
	}
	for line := range strings.Lines(body) {
		cols := append(strings.Split(strings.TrimSpace(line), " =>"), "", "")
		all = append(all, example{cols[0], strings.TrimSpace(cols[1]), strings.TrimSpace(cols[2])})
	}
	if len(tools) == 0 || right == 0 || len(all) == 0 {
		t.Fatalf("%s has no tools, no goal or no requests", file)
	}
	return tools, right, all
}

// check compares the matcher with the goals for unseen requests. right is the percentage of
// requests that must get the right tool: 85 for tools of known servers, and 75 for tools of others.
// At most 10 % of all requests may get a wrong tool.
func check(t *testing.T, s *tally, right int) {
	t.Helper()
	t.Log(s)
	if 100*s.right < right*s.fit {
		t.Errorf("fewer than %d %% of the requests get the right tool", right)
	}
	if 100*s.exact < 70*s.known {
		t.Error("fewer than 70 % of the known arguments are right")
	}
	if 10*s.wrong > s.all {
		t.Error("more than 10 % of the requests get a wrong tool")
	}
	if s.replies < s.talk {
		t.Errorf("%d of %d requests that need a reply alone get none", s.talk-s.replies, s.talk)
	}
	for _, c := range s.changes {
		t.Errorf("a tool that changes something was chosen for %s", c)
	}
}
