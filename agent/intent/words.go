package intent

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Words returns the words of text in lower case: runs of letters and digits, with
// camelCase separated.
func Words(text string) []string {
	var words []string
	word, prev := -1, ' ' // where the word begins; -1: outside of one
	end := func(at int) {
		if word >= 0 {
			words = append(words, strings.ToLower(text[word:at]))
			word = -1
		}
	}
	for at, r := range text {
		switch {
		case r == '\'' || r == '’':
			if word < 0 {
				continue
			}
			end(at) // "what's" is what, s
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end(at)
		case word < 0:
			word = at
		case unicode.IsUpper(r) && unicode.IsLower(prev):
			end(at)
			word = at
		}
		prev = r
	}
	end(len(text))
	return words
}

// lowerCase returns text in lower case. It keeps a letter whose lower case has another size, such as
// "İ", so that the offsets stay the same. text must be valid UTF-8.
func lowerCase(text string) string {
	return strings.Map(func(r rune) rune {
		if lower := unicode.ToLower(r); utf8.RuneLen(lower) == utf8.RuneLen(r) {
			return lower
		}
		return r
	}, text)
}

// stem removes the suffixes of English words.
func stem(w string) string {
	for _, ending := range []string{"ations", "ation", "ories", "ies", "ings", "ing", "ions", "ers", "ed", "es", "s", "e"} {
		root, ok := strings.CutSuffix(w, ending)
		if !ok || len(root) < 3 || strings.HasSuffix(w, "ss") {
			continue
		}
		switch ending {
		case "ies":
			return root + "y"
		case "ories":
			return root + "ory"
		case "ing", "ings", "ed":
			if n := len(root); n > 3 && root[n-1] == root[n-2] && root[n-1] != 'l' && root[n-1] != 's' {
				root = root[:n-1] // running
			}
		case "ions":
			return root + "ion"
		case "ers":
			return root + "er"
		}
		return strings.TrimSuffix(root, "e")
	}
	return w
}

// concepts groups words that users use for the same thing. A word may be in several groups.
var concepts = map[string][]string{
	"list":      words("list ls enumerate show display names which"),
	"read":      words("read show open view cat print display content contents contain say says look see inside load"),
	"get":       words("get give tell retrieve obtain current show read fetch"),
	"write":     words("write save put leave jot record overwrite"),
	"create":    words("create make new mkdir start"),
	"new":       words("create add new"),
	"add":       words("add append attach insert"),
	"delete":    words("delete remove erase drop rm discard trash"),
	"move":      words("move rename mv relocate"),
	"copy":      words("copy duplicate cp clone"),
	"search":    words("search find locate grep where lookup matching"),
	"edit":      words("edit replace change modify update substitute swap rewrite"),
	"info":      words("info information size big large long metadata detail details stat bytes weigh modified properties permissions"),
	"directory": words("directory folder dir directories folders"),
	"file":      words("file files document documents"),
	"media":     words("media image picture photo png jpg jpeg audio base64"),
	"tree":      words("tree recursive hierarchy structure nested recursively"),
	"allowed":   words("allowed permitted accessible access allow permission"),
	"many":      words("multiple several together both simultaneously once"),
	"graph":     words("graph knowledge"),
	"entity":    words("entity entities node nodes person"),
	"relation":  words("relation relations relationship link connection edge"),
	"observe":   words("observation observations fact facts"),
	"time":      words("time clock hour oclock"),
	"zone":      words("timezone timezones zone zones tz"),
	"convert":   words("convert conversion translate turn into"),
	"status":    words("status state"),
	"log":       words("log logs history commits"),
	"differ":    words("diff difference differences differ changed changes change compare comparison"),
	"commit":    words("commit commits committed record revision"),
	"stage":     words("stage staged staging index"),
	"unstage":   words("unstage unstaged reset undo"),
	"branch":    words("branch branches"),
	"checkout":  words("checkout switch switches"),
	"table":     words("table tables"),
	"database":  words("database db sqlite sql"),
	"describe":  words("describe schema columns column structure definition fields"),
	"query":     words("query select sql run execute rows row"),
	"web":       words("web url website page site internet http https download fetch webpage link summarize online load visit"),
	"sum":       words("sum add plus total addition together"),
	"echo":      words("echo repeat back"),
	"variables": words("environment env variables variable"),
	"sound":     words("sound beep noise chime alert ring ding audio"),
	"play":      words("play beep ring sound chime ding"),
	"track":     words("track song music tune playback"),
	"note":      words("note reminder memo sticky message"),
	"remember":  words("remember recall memory memorize remembered remind forget know"),
	"project":   words("project repo repository workspace codebase"),
	"run":       words("run execute start trigger launch begin"),
	"weather":   words("weather forecast temperature rain"),
	"send":      words("send post deliver mail"),
	"map":       words("map overview"),
	"launch":    words("launch start open"),
	"navigate":  words("navigate visit browse"),
	"picture":   words("screenshot capture snapshot"),
	"app":       words("app application program"),
	"extract":   words("extract pull isolate unpack unzip untar decompress"),
	"compress":  words("compress zip pack archive"),
	"stop":      words("stop end kill terminate abort halt quit"),
	"resize":    words("resize scale shrink enlarge"),
	"generate":  words("generate create make produce"),
	"merge":     words("merge combine join concatenate unite"),
	"outline":   words("outline structure functions methods symbols definitions classes"),
}

func words(list string) []string {
	all := strings.Fields(list)
	for i, w := range all {
		all[i] = stem(w)
	}
	return all
}

// conceptsOf returns the concepts of a stem, in order.
func conceptsOf(stemmed string) []string {
	var found []string
	for name, group := range concepts {
		if slices.Contains(group, stemmed) {
			found = append(found, name)
		}
	}
	slices.Sort(found)
	return found
}

// similarity returns how similar two stems are: 1 if they are equal, and less if they share a
// concept or most of their letters.
func (x *index) similarity(a, b string) float64 {
	switch {
	case a == b:
		return 1
	case slices.ContainsFunc(x.concepts(a), func(c string) bool { return slices.Contains(x.concepts(b), c) }):
		return 0.7
	case len(a) >= 5 && len(b) >= 5 && (strings.HasPrefix(a, b) || strings.HasPrefix(b, a)):
		return 0.7
	case len(a) >= 5 && len(b) >= 5 && pairShare(a, b) >= 0.6:
		return 0.6 // a typing error
	}
	return 0
}

// pairShare returns the share of letter pairs that two words have in common.
func pairShare(a, b string) float64 {
	common := 0
	for i := range len(a) - 1 {
		if strings.Contains(b, a[i:i+2]) {
			common++
		}
	}
	return 2 * float64(common) / float64(len(a)+len(b)-2)
}

// stopWords lists words that reveal nothing about the tool.
var stopWords = set(`a an the of in on to for from with and or is are be was were it its this that these those me my mine i we us our you your
	please can could would will shall should may might what who whom how do does did done as at by about if not no s t re ll ve m d
	let some any all there here so just now then them they he she his her want need like have has had am been being im id
	called named name thing things one give tell using use us up out off also too very whole into onto via per than kind yet but still already something someone anything everything went every each below within saying`)

// set returns the words in a list as a set.
func set(list string) map[string]bool {
	m := make(map[string]bool)
	for _, w := range strings.Fields(list) {
		m[w] = true
	}
	return m
}
