package view

import (
	"errors"
	"testing"
	"time"

	"goated/client"
)

func TestMend(t *testing.T) {
	err := &client.Error{Kind: client.ErrStart, Err: errors.New("x"), Diagnosis: &client.Diagnosis{
		Why: "The Python module yaml is not installed.", MendDir: "/home/ada/my tools",
		Mend: [][]string{{"/usr/bin/python3", "-m", "venv", "/home/ada/my tools/.venv"}, {"/home/ada/my tools/.venv/bin/python3", "-m", "pip", "install", "mcp[cli]", "o'hara"}},
	}}
	want := "cd '/home/ada/my tools'\n/usr/bin/python3 -m venv '/home/ada/my tools/.venv'\n.venv/bin/python3 -m pip install 'mcp[cli]' 'o'\\''hara'"
	if got := Mend(err); got != want {
		t.Errorf("%s\nnot\n%s", got, want)
	}
	if Why(err) == "" || Why(errors.New("x")) != "" || Mend(&client.Error{Kind: client.ErrStart}) != "" {
		t.Error("what is not known is said, or what is known is not")
	}
}

func TestStrayNote(t *testing.T) {
	for _, tt := range []struct {
		n    int
		want string
	}{
		{0, ""},
		{1, "1 line on stdout was not a message"},
		{12345, "12,345 lines on stdout were not messages"},
	} {
		if got := StrayNote(client.Server{Stray: client.Stray{Lines: tt.n, Last: "hi"}}); got != tt.want {
			t.Errorf("%d: %q", tt.n, got)
		}
	}
}

func TestStatusOfOneThatComesBack(t *testing.T) {
	s := client.Server{Status: client.Failed}
	if ServerStatus(s) != "Failed" {
		t.Error(ServerStatus(s))
	}
	s.RetryAt = time.Now().Add(time.Second)
	if ServerStatus(s) != "Starting again…" {
		t.Error(ServerStatus(s))
	}
}
