package wire

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"google.golang.org/genai"

	"goated/internal/jsonscan"
)

// A decoder decodes the events of streams. Nearly every event is a piece of text with the same JSON
// around it. The decoder reads such an event in one pass, without reflection. It passes all others
// to decodeAny, with the same result.
type decoder struct {
	data []byte
	i    int
	odd  bool // the event has an unusual form

	model, id, role string // of the previous event; the next event usually has the same values
}

// decode decodes an event. The error is a [genai.APIError] if the event is one.
func (d *decoder) decode(event []byte) (*genai.GenerateContentResponse, error) {
	d.data, d.i, d.odd = event, 0, false
	r := d.response()
	d.data = nil
	if r == nil {
		return decodeAny(event)
	}
	return r, nil
}

// response reads a usual event. It returns nil for all others.
func (d *decoder) response() *genai.GenerateContentResponse {
	r := &genai.GenerateContentResponse{}
	seen := seen{}
	d.object(func(key []byte) {
		switch string(key) {
		case "candidates":
			d.once(&seen, 0)
			d.array(func() { r.Candidates = append(r.Candidates, d.candidate()) })
		case "usageMetadata":
			d.once(&seen, 1)
			r.UsageMetadata = d.usage()
		case "modelVersion":
			d.model = d.stringLike(d.model)
			r.ModelVersion = d.model
		case "responseId":
			d.id = d.stringLike(d.id)
			r.ResponseID = d.id
		default:
			d.odd = true
		}
	})
	if d.space(); d.odd || d.i < len(d.data) {
		return nil
	}
	return r
}

func (d *decoder) candidate() *genai.Candidate {
	c := &genai.Candidate{}
	seen := seen{}
	d.object(func(key []byte) {
		switch string(key) {
		case "content":
			d.once(&seen, 0)
			c.Content = d.content()
		case "finishReason":
			c.FinishReason = genai.FinishReason(d.text())
		case "index":
			c.Index = d.number()
		default:
			d.odd = true
		}
	})
	return c
}

func (d *decoder) content() *genai.Content {
	c := &genai.Content{}
	seen := seen{}
	d.object(func(key []byte) {
		switch string(key) {
		case "role":
			d.role = d.stringLike(d.role)
			c.Role = d.role
		case "parts":
			d.once(&seen, 0)
			d.array(func() { c.Parts = append(c.Parts, d.part()) })
		default:
			d.odd = true
		}
	})
	return c
}

// part reads a part that is text, a thought or a function call.
func (d *decoder) part() *genai.Part {
	p := &genai.Part{}
	seen := seen{}
	d.object(func(key []byte) {
		switch string(key) {
		case "text":
			p.Text = d.text()
		case "thought":
			p.Thought = d.boolean()
		case "thoughtSignature":
			signature, err := base64.StdEncoding.DecodeString(d.text())
			if p.ThoughtSignature = signature; err != nil {
				d.odd = true
			}
		case "functionCall":
			d.once(&seen, 0)
			p.FunctionCall = d.call()
		default:
			d.odd = true
		}
	})
	return p
}

// call reads a function call. Its arguments keep every digit.
func (d *decoder) call() *genai.FunctionCall {
	c := &genai.FunctionCall{}
	seen := seen{}
	d.object(func(key []byte) {
		switch string(key) {
		case "id":
			c.ID = d.text()
		case "name":
			c.Name = d.text()
		case "args":
			d.once(&seen, 0)
			c.Args = map[string]any{}
			d.object(func(key []byte) { c.Args[string(key)] = d.any(0) })
		default:
			d.odd = true
		}
	})
	return c
}

// maxDepth limits the nesting of usual arguments.
const maxDepth = 100

// any reads any JSON value, with the same result as [exact.Decode].
func (d *decoder) any(depth int) any {
	if d.space(); d.i >= len(d.data) || depth > maxDepth {
		d.odd = true
		return nil
	}
	switch c := d.data[d.i]; {
	case c == '"':
		return d.text()
	case c == '{':
		m := map[string]any{}
		d.object(func(key []byte) { m[string(key)] = d.any(depth + 1) })
		return m
	case c == '[':
		var l []any
		d.array(func() { l = append(l, d.any(depth+1)) })
		return l
	case c == '-' || c >= '0' && c <= '9':
		from := d.i
		for d.i < len(d.data) && bytes.IndexByte([]byte("+-.eE0123456789"), d.data[d.i]) >= 0 {
			d.i++
		}
		number := d.data[from:d.i]
		d.odd = d.odd || !json.Valid(number)
		return json.Number(number)
	case c == 't' || c == 'f':
		return d.boolean()
	}
	d.odd = true // null
	return nil
}

func (d *decoder) usage() *genai.GenerateContentResponseUsageMetadata {
	u := &genai.GenerateContentResponseUsageMetadata{}
	seen := seen{}
	d.object(func(key []byte) {
		switch string(key) {
		case "promptTokenCount":
			u.PromptTokenCount = d.number()
		case "candidatesTokenCount":
			u.CandidatesTokenCount = d.number()
		case "totalTokenCount":
			u.TotalTokenCount = d.number()
		case "thoughtsTokenCount":
			u.ThoughtsTokenCount = d.number()
		case "cachedContentTokenCount":
			u.CachedContentTokenCount = d.number()
		case "promptTokensDetails":
			d.once(&seen, 0)
			d.array(func() { u.PromptTokensDetails = append(u.PromptTokensDetails, d.tokens()) })
		default:
			d.odd = true
		}
	})
	return u
}

func (d *decoder) tokens() *genai.ModalityTokenCount {
	t := &genai.ModalityTokenCount{}
	d.object(func(key []byte) {
		switch string(key) {
		case "modality":
			t.Modality = genai.MediaModality(d.text())
		case "tokenCount":
			t.TokenCount = d.number()
		default:
			d.odd = true
		}
	})
	return t
}

// seen records which members of an object have occurred, because encoding/json merges duplicate
// members.
type seen [2]bool

func (d *decoder) once(s *seen, member int) {
	if s[member] {
		d.odd = true
	}
	s[member] = true
}

func (d *decoder) space() {
	for d.i < len(d.data) && (d.data[d.i] == ' ' || d.data[d.i] == '\n' || d.data[d.i] == '\r' || d.data[d.i] == '\t') {
		d.i++
	}
}

// take skips blanks and then the character c. It returns false if another character follows.
func (d *decoder) take(c byte) bool {
	d.space()
	if d.i < len(d.data) && d.data[d.i] == c {
		d.i++
		return true
	}
	return false
}

// object reads an object. visit must read the value of each key.
func (d *decoder) object(visit func(key []byte)) {
	if !d.take('{') {
		d.odd = true
		return
	}
	if d.take('}') {
		return
	}
	for !d.odd {
		key := d.quoted()
		if d.odd = d.odd || !d.take(':') || !ascii(key); d.odd {
			return
		}
		if visit(key[1 : len(key)-1]); d.take('}') {
			return
		}
		d.odd = d.odd || !d.take(',')
	}
}

// ascii reports whether a key has only ASCII characters and no escapes.
func ascii(key []byte) bool {
	for _, c := range key {
		if c == '\\' || c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// array reads an array. visit must read each element.
func (d *decoder) array(visit func()) {
	if !d.take('[') || d.take(']') { // encoding/json decodes an empty array as an empty, non-nil slice
		d.odd = true
		return
	}
	for !d.odd {
		if visit(); d.take(']') {
			return
		}
		d.odd = d.odd || !d.take(',')
	}
}

// quoted reads a string and returns it including its quotes.
func (d *decoder) quoted() []byte {
	d.space()
	end, ok := jsonscan.StringEnd(d.data, d.i)
	if !ok {
		d.odd = true
		return []byte(`""`)
	}
	text := d.data[d.i:end]
	d.i = end
	return text
}

func (d *decoder) text() string {
	quoted := d.quoted()
	if !utf8.Valid(quoted) { // encoding/json replaces invalid UTF-8
		d.odd = true
		return ""
	}
	text, _ := jsonscan.Text(quoted)
	return text
}

// stringLike reads a string. If it equals before, stringLike returns before and allocates nothing.
func (d *decoder) stringLike(before string) string {
	quoted := d.quoted()
	if string(quoted[1:len(quoted)-1]) == before && bytes.IndexByte(quoted, '\\') < 0 {
		return before
	}
	text, _ := jsonscan.Text(quoted)
	d.odd = d.odd || !utf8.Valid(quoted)
	return text
}

// number reads a non-negative integer of up to nine digits.
func (d *decoder) number() int32 {
	d.space()
	from := d.i
	for d.i < len(d.data) && d.data[d.i] >= '0' && d.data[d.i] <= '9' {
		d.i++
	}
	n, err := strconv.ParseInt(string(d.data[from:d.i]), 10, 32)
	if digits := d.i - from; err != nil || digits > 1 && d.data[from] == '0' {
		d.odd = true
	}
	return int32(n)
}

func (d *decoder) boolean() bool {
	d.space()
	for _, word := range []string{"true", "false"} {
		if bytes.HasPrefix(d.data[d.i:], []byte(word)) {
			d.i += len(word)
			return word == "true"
		}
	}
	d.odd = true
	return false
}
