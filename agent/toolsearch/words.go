package toolsearch

import (
	"slices"
	"strings"
	"unicode"
)

// Words returns the words of a text in the form that the search compares: in lower case, stemmed,
// and without words that occur in every sentence. It splits names such as list_issues and
// listIssues into two words. For scripts without spaces, such as Chinese, it returns the pairs of
// letters.
func Words(text string) []string {
	var out []string
	for _, run := range split(text) {
		if !ascii(run) && unicode.In([]rune(run)[0], unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai) {
			r := []rune(run)
			for i := range max(len(r)-1, 1) {
				out = append(out, string(r[i:min(i+2, len(r))]))
			}
			continue
		}
		if w := stem(run); w != "" && !ignored[run] {
			out = append(out, w)
		}
	}
	return out
}

// split returns the runs of letters and digits in lower case.
func split(text string) []string {
	var out []string
	var run strings.Builder
	end := func() {
		if run.Len() > 0 {
			out = append(out, strings.ToLower(run.String()))
			run.Reset()
		}
	}
	before := ' '
	for _, r := range text {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r):
			end()
		case unicode.IsUpper(r) && unicode.IsLower(before):
			end()
			run.WriteRune(r)
		default:
			run.WriteRune(r)
		}
		before = r
	}
	end()
	return out
}

func ascii(s string) bool { return strings.IndexFunc(s, func(r rune) bool { return r > 127 }) < 0 }

// ignored lists words that belong to the sentence rather than the task.
var ignored = func() map[string]bool {
	out := make(map[string]bool)
	for w := range strings.FieldsSeq(`a an the of to in on at for from by with and or is are was be been it its this that these those
		i me my we our you your he she they them what which who how do does did can could would should will please want need like
		if as into onto about there here has have had so just let us some any s t via using use used also only given tool tools
		recent latest last current today tomorrow yesterday week month year day monday tuesday wednesday thursday friday saturday sunday
		out up down off over again still very more most much many good his her him mom dad say said tell go going am pm hour
		ok okay thanks hello hi`) {
		out[w] = true
	}
	return out
}()

// stem removes English suffixes, so that creates, created, creating and creation become one word.
// Nouns such as station keep their suffix, because without it they would be another word.
func stem(w string) string {
	if !ascii(w) || len(w) < 4 || w == "news" {
		return w
	}
	w = singular(w)
	for _, e := range []struct {
		end   string
		least int // letters that must remain
	}{{"ing", 3}, {"ed", 3}, {"ion", 5}, {"or", 5}, {"er", 4}} {
		if rest, ok := strings.CutSuffix(w, e.end); ok && len(rest) >= e.least && strings.ContainsAny(rest, "aeiouy") {
			w = rest
			break
		}
	}
	if rest, ok := strings.CutSuffix(w, "e"); ok && len(rest) >= 3 {
		w = rest
	}
	if n := len(w); n > 3 && w[n-1] == w[n-2] && !strings.ContainsRune("aeiouls", rune(w[n-1])) {
		w = w[:n-1] // running → run
	}
	return w
}

// singular removes the "s" of a plural or a verb.
func singular(w string) string {
	if rest, ok := strings.CutSuffix(w, "ies"); ok && len(rest) >= 2 {
		return rest + "y"
	}
	for _, end := range []string{"ss", "us", "is"} {
		if strings.HasSuffix(w, end) {
			return w
		}
	}
	for _, end := range []string{"sses", "ches", "shes", "xes"} {
		if strings.HasSuffix(w, end) {
			return w[:len(w)-2]
		}
	}
	return strings.TrimSuffix(w, "s")
}

// trigrams returns the groups of three letters of a word, with markers at its start and end.
func trigrams(w string) []string {
	r := []rune("^" + w + "$")
	var out []string
	for i := 0; i+3 <= len(r); i++ {
		if g := string(r[i : i+3]); !slices.Contains(out, g) {
			out = append(out, g)
		}
	}
	return out
}

// synonyms maps the stem of a word to the stems of other words that users and tool authors use for
// the same thing.
var synonyms = func() map[string][]string {
	out := make(map[string][]string)
	for line := range strings.Lines(`
		delete remove erase drop trash destroy clear discard
		create add new make insert write start compose book schedule
		list show all enumerate display view browse
		get fetch read retrieve show load view see look
		update edit modify change set rename patch
		search find lookup query locate discover grep
		send post publish deliver submit reply
		email mail inbox message gmail letter
		web internet online network
		light lamp
		subfolder folder directory
		write save put store
		warning alert
		everybody everyone all
		message chat dm text post
		issue ticket bug task story
		task todo reminder remind
		rename move
		worklog log hour time spent
		restart rollout reboot
		smaller bigger resize size scale
		reaction emoji thumb like
		heating thermostat temperature warm cold
		music song track album playlist artist band jazz rock play
		status state transition done closed
		go navigate open
		thread answer reply
		archive label folder
		kubernetes deployment pod cluster
		docker container image
		repository repo project codebase
		folder directory dir path
		file document doc attachment
		picture image photo screenshot
		event meeting appointment calendar schedule
		person user member contact people colleague who
		customer client account
		page site website url web link
		page note document
		buy purchase order checkout
		pay charge payment bill
		invoice bill receipt
		refund reimburse money back
		sum total count
		weather forecast temperature rain
		route direction navigate way drive
		near nearby around close
		place location address restaurant
		translate translation language
		convert transform
		run execute launch invoke start
		stop cancel abort kill end
		move transfer relocate
		copy duplicate clone
		download fetch save
		upload attach
		combine merge join
		branch fork
		comment reply annotate feedback
		commit change history log
		pull merge pr request
		table sheet spreadsheet
		row record entry
		column field
		database db sql
		schema structure
		remember store memory save note
		time clock now date
		stock share price quote
		news headline article
		type enter fill input
		press click tap
		channel room
		summary summarize overview digest
		deploy release ship
		error exception crash failure
		machine server host instance
		calculate compute math sum
		chart graph plot diagram visualize
		slide presentation powerpoint ppt pptx deck
		spreadsheet excel xlsx workbook sheet
		document word docx
		trending hot popular rank ranking top
		paper article arxiv research study
		draw paint sketch canvas
		movie film video
		recipe dish cook meal
		train railway rail ticket
		flight airline plane
		drug medicine medication
		disease illness condition
		package library dependency module
		crypto cryptocurrency bitcoin coin
		password secret credential key
		`) {
		group := strings.Fields(line)
		for i := range group {
			group[i] = stem(group[i])
		}
		for _, w := range group {
			for _, s := range group {
				if s != w && !slices.Contains(out[w], s) {
					out[w] = append(out[w], s)
				}
			}
		}
	}
	return out
}()
