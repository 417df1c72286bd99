package proc

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A LogRing strips control sequences even if a write splits them, and returns an unfinished line.
func TestLogRingStripsControlSequences(t *testing.T) {
	var l LogRing
	for _, part := range []string{"\x1b[31mTrace", "back\x1b[0m\r\n\x1b]0;owned\a\x1b[2J\n", "half\x1b[8"} {
		_, _ = l.Write([]byte(part))
	}
	l.Note("stdout: \x1b[2Jgone\r\n\nand more")
	want := []string{"Traceback", "stdout: gone", "and more", "half"}
	if got := l.Tail(); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A LogRing marks where it cuts a long line. It cuts between characters, and never inside a control
// sequence. Tail returns only the beginnings of the lines.
func TestLogRingMarksCutLines(t *testing.T) {
	var l LogRing
	long := strings.Repeat("x", 2000)
	for _, part := range []string{long, "\n", strings.Repeat("x", MaxLine-6), "\x1b[38;5;1mtoo long\n", strings.Repeat("é", MaxLine) + "\n", strings.Repeat("x", MaxLine), "\n"} {
		_, _ = l.Write([]byte(part))
	}
	want := []string{long, strings.Repeat("x", MaxLine-6) + "…", strings.Repeat("é", MaxLine/2-2) + "…", strings.Repeat("x", MaxLine)}
	if got := l.All(); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for i, line := range l.Tail() {
		if n := len(line); n > tailLine || !strings.HasSuffix(line, "…") {
			t.Errorf("line %d of the tail has %d bytes: %q", i, n, line)
		}
	}
}

// A LogRing keeps the newest 64 KiB, in complete lines.
func TestLogRingIsBounded(t *testing.T) {
	var l LogRing
	for n := range 10_000 {
		fmt.Fprintf(&l, "line %06d\n", n)
	}
	all := l.All()
	if want := logBytes / len("line 000000\n"); len(all) != want {
		t.Errorf("%d lines are kept, want %d", len(all), want)
	}
	if last := all[len(all)-1]; last != "line 009999" {
		t.Errorf("the last line is %q", last)
	}
	if tail := l.Tail(); len(tail) != TailLines || tail[0] != "line 009980" {
		t.Errorf("the tail is %q", tail)
	}
}

// Last and Since return nothing when no line is asked for, also while a line is unfinished. Last(0) then
// panicked, and Since too, if the server began a line at that moment.
func TestLogRingReturnsNoLine(t *testing.T) {
	var l LogRing
	_, _ = l.Write([]byte("one\nhalf"))
	for _, n := range []int{0, -1} {
		if got := l.Last(n); len(got) != 0 {
			t.Errorf("Last(%d) is %q", n, got)
		}
	}
	if got := l.Since(5); len(got) != 0 {
		t.Errorf("Since a later line is %q", got)
	}
	if got := l.Since(1); !slices.Equal(got, []string{"half"}) {
		t.Errorf("Since the first line is %q", got)
	}
}
