package limit

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A Kind is a limit that the user may raise.
type Kind string

// The kinds of limits.
const (
	Files     Kind = "open files"
	Memory    Kind = "memory"
	Processes Kind = "processes"
)

// Kinds lists all kinds.
var Kinds = []Kind{Files, Memory, Processes}

// Of returns one limit. 0 means none.
func (l Limits) Of(k Kind) uint64 { return *l.field(k) }

// With returns a copy of l with one limit changed.
func (l Limits) With(k Kind, n uint64) Limits {
	*l.field(k) = n
	return l
}

func (l *Limits) field(k Kind) *uint64 {
	switch k {
	case Files:
		return &l.Files
	case Memory:
		return &l.Memory
	}
	return &l.Processes
}

// AtLeast returns l raised to the higher limits of o. An unlimited resource stays unlimited.
func (l Limits) AtLeast(o Limits) Limits {
	for _, k := range Kinds {
		if have := l.Of(k); have > 0 {
			l = l.With(k, max(have, o.Of(k)))
		}
	}
	return l
}

// raise is the factor by which goated offers to raise a limit that a server reached.
const raise = 4

// More returns the amount to offer to a server that reached a limit, or 0 if the limit cannot be
// raised.
func (l Limits) More(k Kind) uint64 {
	if n := raise * l.Of(k); n <= most.Of(k) {
		return n
	}
	return 0
}

// Text returns an amount, such as "16,384 open files" or "8 GiB of memory".
func Text(k Kind, n uint64) string {
	if k == Memory {
		return Number(k, n) + " of memory"
	}
	return Number(k, n) + " " + string(k)
}

// Number returns an amount without its kind, such as "16,384" or "8 GiB".
func Number(k Kind, n uint64) string {
	switch {
	case k == Memory && n%(1<<30) == 0:
		return fmt.Sprintf("%d GiB", n>>30)
	case k == Memory:
		return fmt.Sprintf("%d MiB", n>>20)
	}
	digits := strconv.FormatUint(n, 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// amount matches a number with an optional unit of memory.
var amount = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^(\d{1,12})\s*([kmgt])?i?b?$`) })

// Parse parses an amount that a user entered, such as 16384, or 8G for memory.
func Parse(k Kind, text string) (uint64, error) {
	m := amount().FindStringSubmatch(strings.ReplaceAll(strings.TrimSpace(text), ",", ""))
	if m == nil || m[2] != "" && k != Memory {
		return 0, fmt.Errorf("%q is not a number of %s", text, k)
	}
	n, err := strconv.ParseUint(m[1], 10, 64)
	if err != nil {
		return 0, err
	}
	shift := uint(0)
	if m[2] != "" {
		shift = 10 * uint(1+strings.Index("kmgt", strings.ToLower(m[2])))
	}
	if k == Memory && shift == 0 {
		return 0, fmt.Errorf("%q has no unit: write 8G for 8 GiB", text)
	}
	if n > most.Of(k)>>shift || n<<shift < Default.Of(k) {
		return 0, fmt.Errorf("%s is not between %s and %s", strings.TrimSpace(text), Text(k, Default.Of(k)), Text(k, most.Of(k)))
	}
	return n << shift, nil
}

// most holds the highest limits that a user can set. Linux allows no more open files.
var most = Limits{Files: 1 << 20, Memory: 1 << 42, Processes: 1 << 20}

// words match the messages that programs print when they reach a limit: Node, Python, Go, Rust,
// Java, C++ and shells. They exclude a watch that fails with EMFILE and Node's heap, which have
// other limits.
var words = sync.OnceValue(func() map[Kind]*regexp.Regexp {
	return map[Kind]*regexp.Regexp{
		Files:     regexp.MustCompile(`(?i)\bEMFILE\b|too many open files`),
		Memory:    regexp.MustCompile(`\bMemoryError\b|runtime: (?:out of memory|cannot allocate memory)|[Cc]annot allocate memory|\bENOMEM\b|std::bad_alloc|memory allocation of \d+ bytes failed|process out of memory|Could not reserve enough space`),
		Processes: regexp.MustCompile(`\b(?:spawn|fork|clone)\b.*(?:\bEAGAIN\b|[Rr]esource temporarily unavailable)|[Rr]esource temporarily unavailable.*\b(?:fork|spawn|clone|thread)|can't start new thread|failed to create new OS thread|unable to create (?:new )?native thread|failed to spawn thread|pthread_create.*(?:EAGAIN|[Rr]esource temporarily unavailable)`),
	}
})

// Reached returns the limits that a program reached according to its output.
func Reached(lines []string) (reached []Kind) {
	for _, line := range lines {
		for _, k := range Kinds {
			if !slices.Contains(reached, k) && words()[k].MatchString(line) && (k != Files || !strings.Contains(line, "watch")) {
				reached = append(reached, k)
			}
		}
	}
	return reached
}
