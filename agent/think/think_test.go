package think

import (
	"strings"
	"testing"
)

// Thoughts at the start of a text are separated from the answer, wherever the service splits the
// text.
func TestThoughtsAreSeparated(t *testing.T) {
	for _, tt := range []struct {
		name, text       string
		headless         bool
		thoughts, answer string
	}{
		{"plain", "Hello.", false, "", "Hello."},
		{"plain with space", "\n  Hello. ", false, "", "\n  Hello. "},
		{"thoughts", "<think>\nHm, 1 < 2.\n\nYes.\n</think>\n\nHello.\n", false, "Hm, 1 < 2.\n\nYes.", "Hello.\n"},
		{"space before", "\n<think>Hm.</think>Hello.", false, "Hm.", "Hello."},
		{"empty thoughts", "<think>\n\n</think>\n\nHello.", false, "", "Hello."},
		{"a tag within the answer", "The tag <think> begins thoughts, </think> ends them.", false, "", "The tag <think> begins thoughts, </think> ends them."},
		{"a tag in code", "```\n<think>a</think>\n```\n", false, "", "```\n<think>a</think>\n```\n"},
		{"a tag in the answer after thoughts", "<think>Hm.</think>Write <think>x</think>.", false, "Hm.", "Write <think>x</think>."},
		{"another tag", "<thin>Hello.", false, "", "<thin>Hello."},
		{"a part of a tag alone", "<thi", false, "", "<thi"},
		{"only thoughts", "<think>Hm.</thi", false, "Hm.</thi", ""},
		{"no opening tag", "Hm.\nYes.\n</think>\n\nHello </think>.", true, "Hm.\nYes.", "Hello </think>."},
		{"an opening tag after all", "<think>Hm.</think>Hello.", true, "Hm.", "Hello."},
		{"no tag", "Hello.", true, "", "Hello."},
		{"tags within an answer that may be headless", "Write <think>x</think>.", true, "", "Write <think>x</think>."},
		{"empty", "", true, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for size := 1; size <= max(1, len(tt.text)); size++ {
				s := Splitter{Headless: tt.headless}
				var thoughts, answer strings.Builder
				add := func(a, b string) {
					if a != "" && answer.Len() > 0 {
						t.Errorf("pieces of %d: thoughts %q come after the answer", size, a)
					}
					thoughts.WriteString(a)
					answer.WriteString(b)
				}
				for rest := tt.text; rest != ""; {
					n := min(size, len(rest))
					add(s.Add(rest[:n]))
					rest = rest[n:]
				}
				add(s.End(true))
				add(s.End(true))
				if thoughts.String() != tt.thoughts || answer.String() != tt.answer {
					t.Fatalf("pieces of %d: thoughts %q, answer %q", size, thoughts.String(), answer.String())
				}
			}
		})
	}
}

// Thoughts are streamed: the user sees them before they are complete.
func TestThoughtsStream(t *testing.T) {
	var s Splitter
	if thoughts, _ := s.Add("<think>Hm, "); thoughts != "Hm," {
		t.Errorf("at first %q", thoughts)
	}
	if thoughts, _ := s.Add("yes. <"); thoughts != " yes." {
		t.Errorf("then %q", thoughts)
	}
}

// If a stream breaks within text that may be thoughts, the text is thoughts, because a model that
// always thinks closes its thoughts before the answer.
func TestBrokenHeadlessTextIsThoughts(t *testing.T) {
	s := Splitter{Headless: true}
	s.Add("Hm, ")
	if thoughts, answer := s.End(false); thoughts != "Hm," || answer != "" {
		t.Errorf("thoughts %q, answer %q", thoughts, answer)
	}
}

func TestAnswerOfAWholeText(t *testing.T) {
	for text, want := range map[string]struct {
		answer   string
		headless bool
	}{
		"Hello.":                           {"Hello.", false},
		"<think>Hm.</think>\n\nHello.":     {"Hello.", false},
		"Hm.\n</think>\n\nHello.":          {"Hello.", true},
		"The tag </think> ends thoughts.":  {"The tag </think> ends thoughts.", false},
		"So:\n```\n</think>\n```\nDone.":   {"So:\n```\n</think>\n```\nDone.", false},
		"Write\n<think>\nx\n</think>\nso.": {"Write\n<think>\nx\n</think>\nso.", false},
	} {
		if answer, headless := Answer(text); answer != want.answer || headless != want.headless {
			t.Errorf("%q: %q, %v", text, answer, headless)
		}
	}
}

func TestModelsThatAlwaysThink(t *testing.T) {
	for name, want := range map[string]bool{
		"deepseek-r1:7b": true, "DeepSeek-R1-Distill-Qwen-7B": true, "qwq:32b": true, "Qwen3-4B-Thinking-2507": true,
		"qwen3:8b": false, "gemma3": false, "llama-r10": false, "mr1": false, "": false,
	} {
		if AlwaysThinks(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}
