package properties_test

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"goated/agent"
	"goated/ui/view"
)

// The transcript is the event log: stored events look the same as live ones.
func TestFoldingStoredEvents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var live, stored view.Chat
		for _, e := range rapid.SliceOfN(events(), 0, 12).Draw(t, "events") {
			data, err := agent.EncodeEvent(e)
			if err != nil {
				t.Fatal(err)
			}
			if !json.Valid(data) || strings.ContainsRune(string(data), '\n') {
				t.Fatalf("%q is no JSON line", data)
			}
			back, err := agent.DecodeEvent(data)
			if err != nil {
				t.Fatal(err)
			}
			live, stored = live.Apply(e), stored.Apply(back)
			if !reflect.DeepEqual(live, stored) {
				t.Fatalf("after %s\nlive   %+v\nstored %+v", data, live, stored)
			}
		}
	})
}

// A chat is a value: applying an event changes no earlier chat.
func TestFoldingIsPure(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		chats := []view.Chat{{}}
		var copies [][]view.Item
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			copies = append(copies, chats[len(chats)-1].Items())
			from := chats[rapid.IntRange(max(0, len(chats)-3), len(chats)-1).Draw(t, "from")]
			switch rapid.IntRange(0, 8).Draw(t, "step") {
			case 0:
				from = from.Say("hello")
			case 1:
				from = from.Fail(context.DeadlineExceeded)
			case 2:
				from = from.Retract()
			default:
				from = from.Apply(events().Draw(t, "event"))
			}
			chats = append(chats, from)
			for i, c := range copies {
				if !slices.Equal(chats[i].Items(), c) {
					t.Fatalf("chat %d was %+v and is %+v", i, c, chats[i].Items())
				}
			}
		}
	})
}
