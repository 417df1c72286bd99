package samplechat

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"goated/ui/view"
)

// Prose generates text that no cache contains as a whole: paragraphs, lists, tables and code, in
// a language of some thousand words.
type Prose struct{ *rand.Rand }

// NewProse returns a generator that produces the same text for the same seed.
func NewProse(seed uint64) Prose { return Prose{rand.New(rand.NewPCG(seed, 1))} }

// Word returns one word.
func (p Prose) Word() string {
	const letters = "etaoinshrdlucmfwyp"
	n := p.IntN(4000)
	var b strings.Builder
	for k := n + 7; k > 0; k /= len(letters) {
		b.WriteByte(letters[k%len(letters)])
	}
	return b.String()
}

// Words returns n words. Some of them are bold or code.
func (p Prose) Words(n int) string {
	out := make([]string, n)
	for i := range out {
		out[i] = p.Word()
		switch p.IntN(25) {
		case 0:
			out[i] = "**" + out[i] + "**"
		case 1:
			out[i] = "`" + out[i] + "`"
		}
	}
	return strings.Join(out, " ")
}

func (p Prose) block() string {
	switch p.IntN(8) {
	case 0:
		return "## " + p.Words(4)
	case 1:
		var b strings.Builder
		for range 3 + p.IntN(5) {
			fmt.Fprintf(&b, "- %s\n", p.Words(4+p.IntN(14)))
		}
		return b.String()
	case 2:
		var b strings.Builder
		b.WriteString("```go\n")
		for range 4 + p.IntN(12) {
			fmt.Fprintf(&b, "\t%s := %s(%q, %d)\n", p.Word(), p.Word(), p.Word(), p.IntN(100))
		}
		return b.String() + "```"
	case 3:
		b := fmt.Sprintf("| %s | %s |\n|---|--:|\n", p.Word(), p.Word())
		for range 2 + p.IntN(4) {
			b += fmt.Sprintf("| %s | %d |\n", p.Words(3), p.IntN(1000))
		}
		return b
	}
	return p.Words(30 + p.IntN(60))
}

// Answer returns Markdown of about n bytes.
func (p Prose) Answer(n int) string {
	var b strings.Builder
	for b.Len() < n {
		b.WriteString(p.block())
		b.WriteString("\n\n")
	}
	return b.String()
}

// LongChat returns a chat with n messages. Every second one is an answer.
func LongChat(n int) view.Chat {
	p := NewProse(3)
	var list []view.Item
	for i := range n {
		if i%2 == 0 {
			list = append(list, view.User{Text: p.Words(8 + p.IntN(30))})
		} else {
			list = append(list, view.Answer{Text: p.Answer(200 + p.IntN(1500)), Spent: view.Spent{Tokens: 100}})
		}
	}
	return view.NewChat(list, view.Spent{})
}
