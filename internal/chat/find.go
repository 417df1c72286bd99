package chat

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"goated/internal/store"
)

// Last names the conversation that was used last; see [Find].
const Last = "last"

// shortest is the least number of characters of a short id.
const shortest = 8

// Newest returns the conversations that have something to show, the one used
// last first. It leaves list as it is.
func Newest(list []store.Conversation) []store.Conversation {
	list = slices.DeleteFunc(slices.Clone(list), func(c store.Conversation) bool {
		return c.Active == "" && c.Draft == "" && !c.Unsent && c.Title == ""
	})
	slices.SortStableFunc(list, func(a, b store.Conversation) int { return cmp.Compare(b.Used, a.Used) })
	return list
}

// ShortIDs are ids for people, by the whole id: its last characters, as many as
// tell it from the others. The first characters of an id are its time, which
// conversations of one minute share.
func ShortIDs(list []store.Conversation) map[string]string {
	short := make(map[string]string, len(list))
	for n := shortest; len(short) < len(list); n += 4 {
		users := map[string]int{}
		for _, c := range list {
			users[ending(c.ID, n)]++
		}
		for _, c := range list {
			if _, done := short[c.ID]; !done && (users[ending(c.ID, n)] == 1 || n >= len(c.ID)) {
				short[c.ID] = ending(c.ID, n)
			}
		}
	}
	return short
}

func ending(id string, n int) string { return id[max(len(id)-n, 0):] }

// Find returns the conversation that ref names: an id, the end of one, or
// [Last] for the conversation in which a message was sent last. Its errors say
// what to do.
func Find(list []store.Conversation, ref string) (store.Conversation, error) {
	ref = strings.ToLower(strings.TrimSpace(ref))
	list = Newest(list)
	if ref == Last {
		for _, c := range list {
			if c.Active != "" {
				return c, nil
			}
		}
		return store.Conversation{}, errors.New("no conversation is saved yet. \"goated chat\" starts one")
	}
	var found []store.Conversation
	for _, c := range list {
		switch id := strings.ToLower(c.ID); {
		case id == ref:
			return c, nil
		case ref != "" && strings.HasSuffix(id, ref):
			found = append(found, c)
		}
	}
	switch len(found) {
	case 0:
		return store.Conversation{}, fmt.Errorf("no conversation has the ID %q. \"goated chats\" lists them", ref)
	case 1:
		return found[0], nil
	}
	ids := make([]string, len(found))
	for i, c := range found {
		ids[i] = c.ID
	}
	return store.Conversation{}, fmt.Errorf("%d conversations have an ID that ends with %q. Choose one of: %s", len(found), ref, strings.Join(ids, ", "))
}
