package chat

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"goated/internal/store"
)

// Last stands for the conversation that was used last; see [Find].
const Last = "last"

// shortest is the minimum length of a short ID.
const shortest = 8

// Newest returns the conversations that have something to show, the most recently used first. It
// does not change list.
func Newest(list []store.Conversation) []store.Conversation {
	list = slices.DeleteFunc(slices.Clone(list), func(c store.Conversation) bool {
		return c.Active == "" && c.Draft == "" && !c.Unsent && c.Title == ""
	})
	slices.SortStableFunc(list, func(a, b store.Conversation) int { return cmp.Compare(b.Used, a.Used) })
	return list
}

// ShortIDs maps each ID to a short form for users: enough of its last characters to be unique. The
// first characters of an ID are its time, which is the same for conversations of the same minute.
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

// Find returns the conversation for ref: an ID, the end of an ID, or [Last] for the conversation in
// which the user sent a message last. Its errors tell the user what to do.
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
