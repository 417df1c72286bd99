package chat_test

import (
	"strings"
	"testing"

	"goated/internal/chat"
	"goated/internal/store"
)

func saved() []store.Conversation {
	return []store.Conversation{
		{ID: "0197a2ae-0000-7000-8000-0000aaaa1111", Active: "t", Used: 2, Pinned: true},
		{ID: "0197a2ae-0000-7000-8000-0000bbbb1111", Active: "t", Used: 3},
		{ID: "0197a2ae-0000-7000-8000-000000002222", Draft: "not sent", Used: 5},
		{ID: "0197a2ae-0000-7000-8000-000000003333", Used: 6}, // an empty draft
	}
}

func TestFindByIDByItsEndAndTheLast(t *testing.T) {
	for ref, want := range map[string]string{
		"0197a2ae-0000-7000-8000-0000aaaa1111": "0197a2ae-0000-7000-8000-0000aaaa1111",
		"AAAA1111":                             "0197a2ae-0000-7000-8000-0000aaaa1111",
		"b1111":                                "0197a2ae-0000-7000-8000-0000bbbb1111",
		" last ":                               "0197a2ae-0000-7000-8000-0000bbbb1111", // a draft is not a message
	} {
		if c, err := chat.Find(saved(), ref); err != nil || c.ID != want {
			t.Errorf("%q is %q, %v", ref, c.ID, err)
		}
	}
	for ref, want := range map[string]string{
		"1111": "0197a2ae-0000-7000-8000-0000bbbb1111, 0197a2ae-0000-7000-8000-0000aaaa1111",
		"9999": "goated chats", "": "goated chats", "3333": "goated chats",
	} {
		if c, err := chat.Find(saved(), ref); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is %q, %v", ref, c.ID, err)
		}
	}
	if _, err := chat.Find(nil, chat.Last); err == nil || !strings.Contains(err.Error(), "goated chat") {
		t.Error(err)
	}
}

// Short IDs are unique, and Find accepts them.
func TestShortIDsFindTheirConversation(t *testing.T) {
	list := append(chat.Newest(saved()),
		store.Conversation{ID: "0197a2ae-0000-7000-8001-0000aaaa1111", Active: "t"},
		store.Conversation{ID: "x", Active: "t"})
	short := chat.ShortIDs(list)
	for _, c := range list {
		if found, err := chat.Find(list, short[c.ID]); err != nil || found.ID != c.ID {
			t.Errorf("%q finds %q, %v", short[c.ID], found.ID, err)
		}
	}
	if got := short["0197a2ae-0000-7000-8000-0000bbbb1111"]; got != "bbbb1111" {
		t.Errorf("short id %q", got)
	}
}
