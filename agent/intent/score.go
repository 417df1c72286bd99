package intent

import (
	"strings"

	"goated/internal/lazyregexp"
)

// A request is the user's message, split into its parts.
type request struct {
	text        string
	lower       string // text in lower case, with the same offsets
	entities    []entity
	zones       []entity
	plain       string   // text without entities
	words       []string // stems of plain without small words, in order
	said        []string // all words of plain, in order
	verb        string   // stem of the first word that may be a verb
	question    bool
	asksAbility bool // "can you …?", which may ask for the ability alone
	matched     matchCache
}

func (x *index) read(text string) *request {
	r := &request{text: strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD"))}
	r.text = trailingPlease.ReplaceAllString(r.text, "$1")
	for again := true; again; {
		again = false
		if m := smallTalk.FindString(r.text); m != "" && len(m) < len(r.text) {
			r.text, again = r.text[len(m):], true
		}
		for _, polite := range []string{"please ", "pls ", "plz ", "kindly ", "hey ", "ok ", "okay ", "can you ", "could you ", "would you ", "will you ", "i want to ", "i want you to ", "i'd like to ", "i'd like you to ", "i would like to ", "i need to ", "i need you to ", "let's ", "now ", "also "} {
			if rest, ok := cutFold(r.text, polite); ok && rest != "" {
				r.text, again = rest, true
				r.asksAbility = r.asksAbility || strings.HasPrefix(polite, "c") && strings.HasSuffix(r.text, "?") || strings.HasPrefix(polite, "w") && strings.HasSuffix(r.text, "?")
			}
		}
	}
	if _, after, ok := strings.Cut(r.text, "? no: "); ok {
		r.text = after // the user corrects the message
	}
	r.text = x.spell(countInWords.ReplaceAllStringFunc(r.text, digits))
	for _, p := range rephrased {
		r.text = p.from.ReplaceAllString(r.text, p.to)
	}
	r.text = negated.ReplaceAllString(r.text, "un$1$2")
	var names []int
	r.text, names = x.quoteSpaced(r.text)
	r.lower = lowerCase(r.text)
	r.matched = matchCache{make(map[matchKey][]string), make(map[*lazyregexp.Regexp][][]string)} // the text no longer changes
	r.entities = entities(r.text)
	asPaths(r.text, r.entities, names)
	r.zones = zones(r.text, r.entities)
	r.plain = without(without(r.text, r.entities), r.zones)
	r.said = Words(r.plain)
	for _, w := range r.said {
		if !stopWords[w] {
			r.words = append(r.words, stem(w))
		}
	}
	if m := listing.FindStringSubmatch(r.lower); m != nil {
		r.words = append([]string{"list"}, r.words...)
	}
	if len(r.said) > 0 {
		switch r.said[0] {
		case "what", "which", "who", "how", "when", "where", "is", "are", "do", "does", "why", "whose":
			r.question = true
		}
		if len(r.words) > 0 && !r.question {
			r.verb = r.words[0]
			if first := r.said[0]; changeVerbs[r.verb] && strings.HasSuffix(first, "s") && !strings.HasSuffix(first, "ss") {
				r.verb, r.words = "show", append([]string{"show"}, r.words...) // "commits of …" asks for things
			}
		}
	}
	return r
}

var (
	// smallTalk matches small talk before a request.
	smallTalk      = lazyregexp.New(`(?i)^(?:(?:hi|hello|hey|yo|hallo|hola|moin|good (?:morning|afternoon|evening|day)|morning|evening|hiya)(?: there| goated| again| everyone)?(?:\s*[,.!:;-]+\s*|\s+)|(?:thanks|thank you|thx|great|perfect|cool|nice|well done|alright|right|so|well)(?: a lot| so much| very much| again)?\s*[,.!;-]+\s*)(?:how are you(?: today| doing)?\s*[?,.!]+\s*)?`)
	trailingPlease = lazyregexp.New(`(?i),?\s+(?:please|pls|plz|thanks|thank you|thx)\s*([.!?]*)$`)
	negated        = lazyregexp.New(`(?i)\bnot (?:yet |been )?(\w+ed)\b|\b(?:but|and) not (?:yet )?(\w+)\b`) // not staged: unstaged
	listing        = lazyregexp.New(`^(?:what|which) \w+s\b(?: (?:are|do|does|can|exist|have|is)\b|\?*$)`)   // which tables are there
)

// A scored is a tool with its score for a request.
type scored struct {
	*document
	total   float64
	changes bool
	exact   bool // the request contains the name of the tool
	asked   bool // the request asks for what the tool does
	verb    bool // the request contains the tool's verb and is not a question
	guessed bool // the request may ask for a fact if no other tool matches
	given   bool // the request contains an entity that is a required argument
}

// changeVerbs lists the verbs of tools that change something. lookupVerbs lists the verbs of
// tools that only read.
var (
	changeVerbs = set(strings.Join(words(`write create add append insert delete remove erase drop move rename copy edit replace change modify update set save put
		commit checkout switch reset stage push merge clone send post publish play start trigger toggle stop kill run execute upload install
		stage unstage haunt manage remember forget store leave compress zip resize crop rotate encrypt decrypt book order buy pay close open_issue assign cancel invite subscribe unsubscribe enable disable schedule archive reply`), " "))
	lookupVerbs = set(strings.Join(words(`get read list search find show describe fetch view status log diff convert count echo sum calculate compute lookup query head tail
		current tree compare explain check inspect print query download browse summarize validate stat info navigate visit define capture analyze extract preview
		look recall return retrieve provide demonstrate reverse uppercase lowercase capitalize encode decode multiply divide subtract sqrt round`), " "))
)

// genericVerbs lists verbs that reveal little about a tool, because many tools show or get something.
var genericVerbs = set(strings.Join(words("show get list read display give find see look tell view print open fetch retrieve return make do use run put take set want know draw load display need dump"), " "))

// These weights determine how much a word counts in each field of a tool.
const (
	inName, inTitle, inLead, inServer, inArguments, inRest = 1.0, 0.85, 0.6, 0.5, 0.4, 0.3
)

// weight returns the highest weight of a word in the fields of a tool.
func (x *index) weight(d *document, w string) (best float64) {
	try := func(field float64, of map[string]bool) {
		if best >= field {
			return // no share is above 1
		}
		if of[w] {
			best = field
			return
		}
		for t := range of {
			best = max(best, field*x.similarity(w, t))
		}
	}
	for _, t := range d.name {
		best = max(best, inName*x.similarity(w, t))
	}
	try(inTitle, d.title)
	try(inLead, d.lead)
	try(inServer, d.server)
	try(inArguments, d.arguments)
	if best < inRest && d.rest[w] {
		best = inRest
	}
	return best
}

// rarity returns how rare a word of the request is. A word that occurs in no tool counts like a
// word that occurs in a few tools.
func (x *index) rarity(w string) float64 {
	if v, ok := x.rare[w]; ok {
		return 0.25 + v
	}
	return 0.9
}

// pastReport matches a report of something that somebody did.
var pastReport = lazyregexp.New(`(?i)^(?:i|we|he|she|they|somebody|someone)(?:['’]ve| have| had)?(?: already| just| once| never)? (?:\w{2,}ed|did|made|sent|wrote|put|got|saw|went|ran|took|bought|lost|found|forgot)\b`)

// howToQuestion matches a question about how to do something, which is not an order to do it.
var howToQuestion = lazyregexp.New(`(?i)^(?:how (?:do|can|would|could|should|does) (?:i|you|we|one|someone|people)|how to|what is the best way)\b|^what(?:['’]s| is) an? [\pL-]+[?]*$|^(?:should|shall|must|ought|dare) (?:i|we|you|one|he|she|they)\b`)

// knowledgeVerbs lists words that ask for knowledge or for a text that only a model can write.
var knowledgeVerbs = set(strings.Join(words("explain translate poem joke story essay why think imagine recommend suggest teach advise"), " "))

// aboutWorld reports whether a request begins like a question about general knowledge.
func aboutWorld(r *request) bool {
	for _, start := range []string{"how tall", "how many", "how much does", "how old", "how far", "how does", "how do i", "how can i", "how to", "who ", "why ", "when did", "when was"} {
		if strings.HasPrefix(r.lower, start) {
			return true
		}
	}
	return false
}

// named reports whether a request contains the name of a tool, literally or as words.
func named(r *request, d *document) bool {
	own := strings.ToLower(d.tool.Own)
	if at := strings.Index(r.lower, own); at >= 0 && len(own) > 2 {
		end := at + len(own)
		if (at == 0 || !letter(r.lower[at-1]) && r.lower[at-1] != '-') && (end == len(r.lower) || !letter(r.lower[end]) && r.lower[end] != '-') {
			return len(Words(own)) > 1 || at == 0 && !genericVerbs[stem(own)] || strings.Contains(r.lower, own+" tool") || strings.HasPrefix(r.lower, "use "+own) || strings.HasPrefix(r.lower, "run "+own) || strings.HasPrefix(r.lower, "call "+own)
		}
	}
	whole := strings.Join(Words(own), " ")
	return strings.Contains(whole, " ") && (strings.HasPrefix(strings.Join(r.said, " ")+" ", whole+" "))
}
