package store_test

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"google.golang.org/genai"
	"pgregory.net/rapid"

	"goated/agent"
	"goated/internal/store"
)

// A model is the specified behaviour of a store, in memory.
type model struct {
	path  string
	store *store.Store
	chats []*chat // by activity, the latest first
}

type chat struct {
	id, title, draft, place  string
	renamed, pinned, deleted bool
	turns                    []*node // the oldest first
	active                   *node
}

// A node is a turn of the model.
type node struct {
	id       string
	parent   *node
	user     string
	events   []agent.Event
	contents []*genai.Content
	failure  string
	ended    bool
	recorder *store.Recorder // nil if the turn or its process has ended
	gone     *node           // the turn with which it was deleted; nil if it is not deleted
}

func (m *model) pick(t *rapid.T, deleted bool) *chat {
	var some []*chat
	for _, c := range m.chats {
		if c.deleted == deleted {
			some = append(some, c)
		}
	}
	if len(some) == 0 {
		t.Skip("no such conversation")
	}
	return rapid.SampledFrom(some).Draw(t, "conversation")
}

// live returns the turns that are not deleted.
func (c *chat) live() []*node {
	return slices.DeleteFunc(slices.Clone(c.turns), func(s *node) bool { return s.gone != nil })
}

func (c *chat) pick(t *rapid.T) *node {
	live := c.live()
	if len(live) == 0 {
		t.Skip("no turns")
	}
	return rapid.SampledFrom(live).Draw(t, "turn")
}

func (m *model) running(t *rapid.T) (*chat, *node) {
	c := m.pick(t, false)
	var some []*node
	for _, s := range c.turns {
		if s.recorder != nil {
			some = append(some, s)
		}
	}
	if len(some) == 0 {
		t.Skip("no turn is running")
	}
	return c, rapid.SampledFrom(some).Draw(t, "running")
}

func (m *model) touch(c *chat) {
	i := slices.Index(m.chats, c)
	m.chats = slices.Insert(slices.Delete(m.chats, i, i+1), 0, c)
}

// within reports whether a turn is root or a descendant of it.
func (s *node) within(root *node) bool {
	for ; s != nil; s = s.parent {
		if s == root {
			return true
		}
	}
	return false
}

func (c *chat) leaf(root *node) *node {
	var last *node
	for _, s := range c.live() {
		if s.within(root) {
			last = s
		}
	}
	return last
}

func (c *chat) siblings(parent *node) []*node {
	var all []*node
	for _, s := range c.live() {
		if s.parent == parent {
			all = append(all, s)
		}
	}
	return all
}

// After any sequence of operations, the store equals the model.
func TestModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := &model{path: filepath.Join(temporaryFolder(t), "history.db")}
		m.store = reopen(t, nil, m.path)
		ctx := context.Background()
		must := func(err error) {
			if err != nil {
				t.Fatal(err)
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"create": func(t *rapid.T) {
				m.chats = slices.Insert(m.chats, 0, &chat{id: create(t, m.store).ID})
			},
			"rename": func(t *rapid.T) {
				c := m.pick(t, false)
				c.title = rapid.SampledFrom([]string{"", "A title", "日本"}).Draw(t, "title")
				c.renamed = c.title != ""
				must(m.store.Rename(ctx, c.id, c.title))
			},
			"pin": func(t *rapid.T) {
				c := m.pick(t, false)
				c.pinned = !c.pinned
				must(m.store.Pin(ctx, c.id, c.pinned))
			},
			"draft": func(t *rapid.T) {
				c := m.pick(t, false)
				c.draft = text().Draw(t, "draft")
				must(m.store.SetDraft(ctx, c.id, c.draft, nil))
			},
			"delete": func(t *rapid.T) {
				c := m.pick(t, false)
				c.deleted = true
				must(m.store.Delete(ctx, c.id))
			},
			"undelete": func(t *rapid.T) {
				c := m.pick(t, true)
				c.deleted = false
				must(m.store.Undelete(ctx, c.id))
			},
			"begin": func(t *rapid.T) {
				c := m.pick(t, false)
				s := &node{user: rapid.SampledFrom([]string{"alpha", "beta gamma", "日本語"}).Draw(t, "user")}
				parent := ""
				if len(c.live()) > 0 && rapid.Bool().Draw(t, "follows") {
					s.parent = c.pick(t)
					parent = s.parent.id
				}
				r, err := m.store.Begin(ctx, c.id, parent, say(s.user))
				must(err)
				s.id, s.recorder = r.ID, r
				if !c.renamed && (parent == "" || c.title == "") {
					c.title = s.user
				}
				c.turns, c.active = append(c.turns, s), s
				m.touch(c)
			},
			"record": func(t *rapid.T) {
				_, s := m.running(t)
				for _, e := range rapid.SliceOfN(rapid.SampledFrom([]agent.Event{
					agent.TextDelta{Text: "one"}, agent.TextDelta{Text: " two"}, agent.TextDelta{Text: strings.Repeat("three ", 900)}, agent.ThoughtDelta{Text: "hm"},
					agent.ToolCalled{ID: "call-1", Name: "f", Args: map[string]any{"a": json.Number("1.5")}}, agent.ToolDecided{ID: "call-1"},
				}), 1, 5).Draw(t, "events") {
					must(s.recorder.Record(ctx, e))
					s.events = join(s.events, e)
				}
			},
			"contents": func(t *rapid.T) {
				_, s := m.running(t)
				all := contents().Draw(t, "contents")
				s.contents = all[:rapid.IntRange(0, len(all)).Draw(t, "recorded")]
				must(s.recorder.Contents(ctx, s.contents))
			},
			"end": func(t *rapid.T) {
				c, s := m.running(t)
				var failure error
				if rapid.Bool().Draw(t, "fails") {
					failure, s.failure = errors.New("broken"), "broken"
				}
				must(s.recorder.End(ctx, failure))
				s.recorder, s.ended = nil, true
				m.touch(c)
			},
			"activate": func(t *rapid.T) {
				c := m.pick(t, false)
				s := c.pick(t)
				must(m.store.Activate(ctx, c.id, s.id))
				c.active = c.leaf(s)
			},
			"delete turn": func(t *rapid.T) {
				c := m.pick(t, false)
				m.remove(c, c.pick(t))
			},
			"undelete turn": func(t *rapid.T) {
				c := m.pick(t, false)
				var roots []*node
				for _, s := range c.turns {
					if s.gone == s && (s.parent == nil || s.parent.gone == nil) {
						roots = append(roots, s)
					}
				}
				if len(roots) == 0 {
					t.Skip("no turn can come back")
				}
				s := rapid.SampledFrom(roots).Draw(t, "deleted")
				must(m.store.UndeleteTurn(ctx, s.id))
				for _, other := range c.turns {
					if other.gone == s {
						other.gone = nil
					}
				}
				c.active = c.leaf(s)
			},
			"use deleted turns": func(t *rapid.T) {
				c := m.pick(t, false)
				for _, s := range c.turns {
					if s.gone == nil {
						continue
					}
					if err := m.store.Activate(ctx, c.id, s.id); !errors.Is(err, store.ErrNotFound) {
						t.Fatalf("a deleted turn was activated: %v", err)
					}
					if s.gone != s {
						if err := m.store.UndeleteTurn(ctx, s.id); !errors.Is(err, store.ErrNotFound) {
							t.Fatalf("a turn was restored without its parent: %v", err)
						}
					}
				}
			},
			"place": func(t *rapid.T) {
				c := m.pick(t, false)
				c.place = rapid.SampledFrom([]string{"", "3 12.5"}).Draw(t, "place")
				must(m.store.SetReadingPosition(ctx, c.id, c.place))
			},
			"reopen": func(t *rapid.T) {
				m.store = reopen(t, m.store, m.path)
				for _, c := range m.chats {
					for _, s := range c.turns {
						s.recorder = nil
					}
				}
			},
			"": func(t *rapid.T) { m.check(t) },
		})
	})
}

// remove deletes a turn in the store and in the model.
func (m *model) remove(c *chat, s *node) {
	if err := m.store.DeleteTurn(context.Background(), s.id); err != nil {
		panic(err)
	}
	siblings := c.siblings(s.parent)
	i := slices.Index(siblings, s)
	shown := c.active.within(s)
	for _, other := range c.turns {
		if other.gone == nil && other.within(s) {
			other.gone = s
		}
	}
	switch {
	case !shown:
	case i > 0:
		c.active = c.leaf(siblings[i-1])
	case len(siblings) > 1:
		c.active = c.leaf(siblings[1])
	default:
		c.active = s.parent
	}
}

// join appends an event as the store does: pieces of text are joined.
func join(events []agent.Event, e agent.Event) []agent.Event {
	if n := len(events); n > 0 {
		last, isText := events[n-1].(agent.TextDelta)
		if more, ok := e.(agent.TextDelta); ok && isText {
			return append(slices.Clone(events[:n-1]), agent.TextDelta{Text: last.Text + more.Text})
		}
		thought, isThought := events[n-1].(agent.ThoughtDelta)
		if more, ok := e.(agent.ThoughtDelta); ok && isThought {
			return append(slices.Clone(events[:n-1]), agent.ThoughtDelta{Text: thought.Text + more.Text})
		}
	}
	return append(slices.Clone(events), e)
}

func (m *model) check(t *rapid.T) {
	var want []*chat
	for _, pinned := range []bool{true, false} {
		for _, c := range m.chats {
			if c.pinned == pinned && !c.deleted {
				want = append(want, c)
			}
		}
	}
	all := list(t, m.store)
	if len(all) != len(want) {
		t.Fatalf("%d conversations instead of %d", len(all), len(want))
	}
	for i, c := range want {
		got := all[i]
		active := ""
		if c.active != nil {
			active = c.active.id
		}
		if got.ID != c.id || got.Title != c.title || got.Draft != c.draft || got.Place != c.place || got.Pinned != c.pinned || got.Active != active {
			t.Fatalf("%+v instead of %+v", got, c)
		}
		c.check(t, thread(t, m.store, c.id))
	}
}

func (c *chat) check(t *rapid.T, got store.Thread) {
	var path []*node
	for s := c.active; s != nil; s = s.parent {
		path = slices.Insert(path, 0, s)
	}
	if len(got.Turns) != len(path) {
		t.Fatalf("%d turns instead of %d", len(got.Turns), len(path))
	}
	for i, s := range path {
		turn := got.Turns[i]
		var siblings []string
		var duplicates []int
		first := make(map[string]int)
		for at, other := range c.siblings(s.parent) {
			siblings = append(siblings, other.id)
			if _, found := first[other.user]; !found {
				first[other.user] = at
			}
			duplicates = append(duplicates, first[other.user])
		}
		if turn.ID != s.id || turn.User[0].Text != s.user || turn.Error != s.failure || turn.Ended.IsZero() == s.ended ||
			!slices.Equal(turn.Siblings, siblings) || !slices.Equal(turn.Duplicates, duplicates) || siblings[turn.Index] != s.id || (i > 0) != (turn.Parent != "") || i > 0 && turn.Parent != path[i-1].id {
			t.Fatalf("%+v instead of %+v", turn, s)
		}
		if len(turn.Events)+len(s.events) > 0 && !reflect.DeepEqual(turn.Events, s.events) {
			t.Fatalf("events %+v instead of %+v", turn.Events, s.events)
		}
		if len(turn.Contents)+len(s.contents) > 0 && !reflect.DeepEqual(turn.Contents, s.contents) {
			t.Fatalf("contents differ")
		}
	}
	accepted(t, got.History())
}
