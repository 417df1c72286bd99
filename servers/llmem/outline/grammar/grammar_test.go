package grammar

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"goated/internal/servertest"
)

// The modules have the hashes that build.sh wrote.
func TestModulesMatchTheirSums(t *testing.T) {
	sums, err := os.ReadFile("build/sums.txt")
	if err != nil {
		t.Fatal(err)
	}
	d, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	n := 0
	for line := range strings.Lines(string(sums)) {
		want, name, _ := strings.Cut(strings.TrimSpace(line), "  ./")
		packed, err := modules.ReadFile("wasm/" + name + ".zst")
		if err != nil {
			t.Error(err)
			continue
		}
		code, err := d.DecodeAll(packed, nil)
		if err != nil {
			t.Error(err)
		}
		if sum := sha256.Sum256(code); hex.EncodeToString(sum[:]) != want {
			t.Errorf("%s differs from build/sums.txt", name)
		}
		n++
	}
	entries, err := modules.ReadDir("wasm")
	if err != nil || len(entries) != n {
		t.Errorf("%d modules, %d sums, %v", len(entries), n, err)
	}
}

// The nodes nest: each node is inside the previous one or starts after its end.
func TestTreesAreWellFormed(t *testing.T) {
	r := New(servertest.Grammars(t))
	defer r.Close()
	rng := rand.New(rand.NewPCG(1, 2))
	words := []string{"def ", "f", "(", ")", ":", "\n", "    ", "class ", "'", "\"\"\"", "#", "x = ", "[", "]", "{", "}", "\x00", "\xff\xfe", "é", "lambda ", "if ", "else", "@", "\\", "\t", "async ", "return", "f'{"}
	for range 60 {
		var b strings.Builder
		for range rng.IntN(200) {
			b.WriteString(words[rng.IntN(len(words))])
		}
		source := []byte(b.String())
		nodes, _, err := r.Parse(t.Context(), "python", source, time.Minute)
		if err != nil {
			t.Fatalf("%q: %v", source, err)
		}
		for i, n := range nodes {
			if n.Start > n.End || int(n.End) > len(source) || int(n.Next) <= i || int(n.Next) > len(nodes) {
				t.Fatalf("node %d of %q is %+v", i, source, n)
			}
			for c := i + 1; c < int(n.Next); c = int(nodes[c].Next) {
				if nodes[c].Start < n.Start || nodes[c].End > n.End {
					t.Fatalf("child %d of node %d of %q lies outside", c, i, source)
				}
			}
		}
	}
}

func TestParseKeepsItsLimits(t *testing.T) {
	r := New(servertest.Grammars(t))
	defer r.Close()
	if _, _, err := r.Parse(t.Context(), "klingon", nil, 0); !errors.Is(err, ErrLanguage) {
		t.Errorf("an unknown language: %v", err)
	}
	// Deep nesting takes much time and memory. Either limit stops it.
	deep := []byte(strings.Repeat("[", 400_000))
	began := time.Now()
	if _, _, err := r.Parse(t.Context(), "python", deep, 20*time.Millisecond); !errors.Is(err, ErrSlow) {
		t.Errorf("a slow source: %v", err)
	}
	if d := time.Since(began); d > 10*time.Second {
		t.Errorf("the limit of 20 ms took %v", d)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := r.Parse(ctx, "python", deep, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled parse: %v", err)
	}
	nodes, names, err := r.Parse(t.Context(), "python", []byte("def f(): pass\n"), time.Minute)
	if err != nil || len(nodes) == 0 || names.Symbols[nodes[0].Symbol] != "module" {
		t.Errorf("afterwards: %d nodes, %v", len(nodes), err)
	}
}

func TestParseIsConcurrent(t *testing.T) {
	r := New(servertest.Grammars(t))
	defer r.Close()
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 5 {
				source := []byte(strings.Repeat("def f():\n    return 1\n", i+1))
				nodes, _, err := r.Parse(t.Context(), "python", source, time.Minute)
				if err != nil {
					t.Error(err)
					return
				}
				functions := 0
				for c := 1; c < int(nodes[0].Next); c = int(nodes[c].Next) {
					functions++
				}
				if functions != i+1 {
					t.Errorf("%d of %d functions", functions, i+1)
				}
			}
		})
	}
	wg.Wait()
}
