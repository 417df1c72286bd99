package launch

import (
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"goated/internal/launch/commandtext"
	"goated/internal/launch/configtext"
	"goated/internal/launch/webaddress"
	"goated/internal/lazyregexp"
)

// span matches inline code.
var span = lazyregexp.New("`+([^`\\n]+)`+")

// Limits for prose without code blocks: how many bytes are searched, and how many parts are returned.
const (
	maxProse = 64 << 10
	maxParts = 32
)

// maxSentence is how many bytes are enough to distinguish a sentence from a command.
const maxSentence = 1 << 10

// quoted returns the parts of prose that may contain the start of a server, the likeliest first: JSON,
// inline code, and the targets of links.
func quoted(text string) []string {
	if len(text) > maxProse {
		return nil
	}
	links, addresses := targets(text)
	out := slices.Concat(configtext.Objects(text, maxParts), spans(text), links, addresses)
	return out[:min(len(out), maxParts)]
}

// sentence reports whether a text that failed to parse as a command is prose, a tool call or a drawing.
// err is the error of that attempt.
func (s System) sentence(text string, err error) bool {
	text = text[:min(len(text), maxSentence)]
	paragraphs := strings.Contains(text, "\n\n")
	words := strings.Fields(text)
	var p *Problem
	if !errors.As(err, &p) || len(words) == 0 || commandtext.LooksLikeCommand(text) || s.installed(words[0]) || isPath(words[0]) {
		return false
	}
	commands := slices.ContainsFunc(strings.Split(text, "\n"), commandtext.LooksLikeCommand)
	letter, _ := utf8.DecodeRuneInString(words[0])
	capital := letter > unicode.MaxASCII || unicode.IsUpper(letter)
	switch p.Kind {
	case TooLong:
		return p.Subject == longCommand
	case BadSyntax:
		if paragraphs && (capital || p.Subject == "this command") {
			return true
		}
		return p.Subject == "this command" && (capital || strings.ContainsAny(words[0], "(:'+|<#[!*")) && !commands
	case NoProgram:
		switch {
		case strings.Count(p.Subject, " ") > 1: // a quoted sentence
			return !strings.ContainsAny(p.Subject, `/\`)
		case paragraphs:
			return capital || strings.ContainsAny(words[0], "<#!:")
		case p.Subject != words[0]:
			return false
		}
		return letter > unicode.MaxASCII || capital && len(words) > 3 && !slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "-") })
	}
	return false
}

// anyAddress matches an address in a sentence.
var anyAddress = lazyregexp.New(`https?://[^\s<>"'()\[\]]*[\w/}]`)

// mentioned returns the addresses of servers in a sentence.
func mentioned(text string) (out []string) {
	if len(text) > maxProse {
		return nil
	}
	for _, address := range anyAddress.FindAllString(text, maxParts) {
		if webaddress.InProse(address) {
			out = append(out, address)
		}
	}
	return out
}

// spans returns the inline code in a text.
func spans(text string) (out []string) {
	if commandtext.LooksLikeCommand(text) { // there, backquotes belong to the shell
		return nil
	}
	for _, m := range span.FindAllStringSubmatch(text, maxParts) {
		code := strings.TrimSpace(m[1])
		if strings.ContainsAny(code, " \t") || webAddress.MatchString(code) || link.MatchString(code) || strings.HasPrefix(code, "@") {
			out = append(out, code)
		}
	}
	return out
}
