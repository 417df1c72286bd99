package launch

import (
	"errors"
	"html"
	"slices"
	"strings"

	"goated/internal/launch/commandtext"
	"goated/internal/launch/configtext"
	"goated/internal/launch/webaddress"
	"goated/internal/lazyregexp"
	"goated/internal/placeholder"
)

// Limits of a README, in bytes and in code blocks.
const (
	maxREADME = 512 << 10
	maxBlocks = 256
)

// readme reads a README, or a part of one that has several code blocks or prose around a block. It
// returns the likeliest server in it. ok is false for other texts.
func readme(text string, sys System) (r Reading, ok bool, err error) {
	if len(text) > maxREADME || !strings.Contains(text, "```") && !strings.Contains(text, "~~~") {
		return Reading{}, false, nil
	}
	blocks, prose := commandtext.Blocks(text, maxBlocks)
	if len(blocks) == 0 || len(blocks) == 1 && !prose {
		return Reading{}, false, nil
	}
	if !prose {
		if r, ok := (configs{sys}).all(blocks); ok {
			return r, true, nil
		}
	}
	head := text[:min(len(text), maxProse)]
	links, addresses := targets(head)
	r, ok, refused := likeliest(append(blocks, links...), sys)
	if !ok {
		if r, ok, err = likeliest(slices.Concat(configtext.Objects(head, maxParts), spans(head), addresses), sys); err != nil {
			refused = tells(refused, err)
		}
	}
	if !ok {
		if r, ok = (configs{sys}).labelled(text); !ok {
			return Reading{}, true, tells(refused, &Problem{Kind: NoServer, Subject: "This text"})
		}
	}
	return r, true, nil
}

// page reads prose without code blocks, such as a README copied from a browser.
func page(text string, sys System) (r Reading, ok bool) {
	if len(text) > maxREADME {
		return Reading{}, false
	}
	r, ok, _ = likeliest(slices.Concat(configtext.Objects(text, maxParts), commandtext.Lines(text, maxBlocks, maxLine)), sys)
	if !ok {
		r, ok, _ = likeliest(append(quoted(text), mentioned(text)...), sys)
	}
	return r, ok
}

// likeliest returns the reading of the likeliest part of a text, or the most helpful error. A command
// also gets the variables from the parts without a server that directly precede it. A note names the
// other servers that the text configures.
func likeliest(parts []string, sys System) (r Reading, ok bool, refused error) {
	best := worst
	var configured []Server
	var exported []Variable
	for _, part := range parts {
		now, err := code(cleaned(part), sys)
		if err != nil {
			refused = tells(refused, err)
			exported = merged(exported, commands{sys}.exported(cleaned(part)))
			continue
		}
		rank := likelihood(now)
		if rank == 0 {
			configured = append(configured, now.Servers...)
		}
		if rank < best {
			r, best = now, rank
			if s := &r.Servers[0]; r.Form == Line && s.Kind == Program && len(r.Servers) == 1 {
				s.Env = merged(exported, s.Env)
			}
		}
		exported = nil
	}
	if best < worst {
		r = r.mention(configured)
	}
	return r, best < worst, refused
}

// worst is a rank worse than every other.
const worst = 100

// likelihood ranks a reading of a README. The lowest rank is the likeliest. A configuration is more
// reliable than a command, and a package from a registry needs less work than a program that the reader
// has to build first.
func likelihood(r Reading) int {
	s := r.Servers[0]
	rank := 1
	switch {
	case s.Named:
		rank = 0
	case s.Origin.Source == Installed || s.Origin.Source == Local || s.Origin.Source == "":
		rank = 2
	}
	if prepared(s) || s.Named && s.Remote.URL != "" && !webaddress.IsServer(s.Remote.URL) {
		rank += 3
	}
	if !s.Named && slices.ContainsFunc(s.Notes, func(n Note) bool { return n.Kind == ProgramMissing || n.Kind == Placeholder && s.Command == "" }) {
		rank += 2
	}
	if !s.Named && s.Command != "" && !strings.Contains(strings.ToLower(strings.Join(s.Words(), " ")), "mcp") {
		rank += 4 // probably a tool of the project
	}
	return rank
}

// prepared reports whether a server can start only after the reader has built or installed its program,
// or started it.
func prepared(s Server) bool {
	for _, n := range s.Notes {
		if n.Kind == FileMissing || n.Kind == ProgramMissing && !commandtext.Familiar(s.Command) || n.Kind == Bridge && webaddress.OfThisComputer(n.Subject) {
			return true
		}
	}
	o := s.Origin
	if o.Source != Web && (placeholder.Is(o.Package) || placeholder.Is(o.Version)) || placeholder.Is(s.Dir) {
		return true
	}
	return s.Origin.Source == Container && !strings.Contains(s.Origin.Package, "/") || webaddress.OfThisComputer(s.Remote.URL)
}

// tells returns the error that is more helpful for starting the server.
func tells(have, next error) error {
	if have == nil || detail(next) > detail(have) {
		return next
	}
	return have
}

// detail ranks an error by how helpful it is for starting a server.
func detail(err error) int {
	var p *Problem
	if !errors.As(err, &p) {
		return 0
	}
	switch {
	case (p.Kind == Installs || p.Kind == Configures || p.Kind == StartsNothing) && p.Detail != "":
		return 5
	case p.Kind == OpenProgram:
		return 4
	case p.Kind == Configures:
		return 3
	case p.Kind == NoServer && p.Subject == "This text":
		return 2
	}
	return 1
}

// target matches the target of a Markdown link, an address in angle brackets, or the target of an HTML link.
var target = lazyregexp.New(`(!?)\[(?:[^\[\]\n]|!\[[^\]\n]*\]\([^)\n]*\))*\]\(\s*<?((?:[^\s()>]|\([^\s()]*\))+)[^)\n]*\)|<((?:https?|vscode|cursor|goose):[^\s<>]+)>|\bhref=["']([^"'\n]+)["']`)

// targets returns the targets of the links in a text: those that add a server to a client, and the addresses
// of servers and packages.
func targets(text string) (links, addresses []string) {
	for _, m := range target.FindAllStringSubmatch(text, maxBlocks) {
		switch address := m[2] + m[3] + html.UnescapeString(m[4]); {
		case m[1] != "": // an image
		case link.MatchString(address):
			links = append(links, address)
		case webaddress.InProse(address):
			addresses = append(addresses, address)
		}
	}
	return links, addresses
}
