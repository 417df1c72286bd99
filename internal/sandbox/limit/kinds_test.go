package limit

import (
	"fmt"
	"testing"
)

func TestReached(t *testing.T) {
	for line, want := range map[string]string{
		"Error: EMFILE: too many open files, open '/x'":                                     "[open files]",
		"OSError: [Errno 24] Too many open files: '/x'":                                     "[open files]",
		"open /x: too many open files":                                                      "[open files]",
		"MemoryError":                                                                       "[memory]",
		"fatal error: runtime: out of memory":                                               "[memory]",
		"runtime: cannot allocate memory":                                                   "[memory]",
		"terminate called after throwing an instance of 'std::bad_alloc'":                   "[memory]",
		"memory allocation of 4294967296 bytes failed":                                      "[memory]",
		"OSError: [Errno 12] Cannot allocate memory":                                        "[memory]",
		"Error: spawn /usr/bin/node EAGAIN":                                                 "[processes]",
		"bash: fork: retry: Resource temporarily unavailable":                               "[processes]",
		"RuntimeError: can't start new thread":                                              "[processes]",
		"runtime: failed to create new OS thread (have 5 already; errno=11)":                "[processes]",
		"java.lang.OutOfMemoryError: unable to create native thread":                        "[processes]",
		"BlockingIOError: [Errno 11] Resource temporarily unavailable: in fork":             "[processes]",
		"Error: EMFILE: too many open files, watch '/x'":                                    "[]", // of inotify
		"FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory": "[]", // of V8
		"read: Resource temporarily unavailable":                                            "[]",
		"it opens many files":                                                               "[]",
	} {
		if got := fmt.Sprint(Reached([]string{"start", line})); got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
}

func TestAmounts(t *testing.T) {
	for _, c := range []struct {
		kind       Kind
		text, want string
	}{
		{Files, "16384", "16,384 open files"}, {Files, "16,384", "16,384 open files"}, {Memory, "8G", "8 GiB of memory"}, {Memory, "8 GiB", "8 GiB of memory"},
		{Memory, "6144M", "6 GiB of memory"}, {Memory, "4500MB", "4500 MiB of memory"}, {Processes, "2048", "2,048 processes"},
		{Files, "many", ""}, {Files, "8G", ""}, {Memory, "8", ""}, {Memory, "1G", ""}, {Memory, "16777217T", ""}, {Files, "12", ""}, {Files, "99999999", ""}, {Processes, "-1", ""},
	} {
		n, err := Parse(c.kind, c.text)
		if err == nil && Text(c.kind, n) != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s %q: %d, %v", c.kind, c.text, n, err)
		}
	}
	if l := (Limits{Files: 5, Memory: 7}).AtLeast(Limits{Files: 9, Memory: 6, Processes: 3}); l != (Limits{Files: 9, Memory: 7}) {
		t.Errorf("%+v", l)
	}
}
