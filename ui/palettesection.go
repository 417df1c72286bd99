package ui

import (
	"cmp"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"goated/ui/kit"
	"goated/ui/view/fuzzy"
)

// A section is a part of the palette with a heading.
type section int

// The sections, in the order of the palette.
const (
	sectionRecent section = iota
	sectionCommands
	sectionServers
	sectionTools
)

// recentRows is the number of conversations above the commands while the field is empty.
const recentRows = 5

// paletteHead is the height of a heading.
const paletteHead = 28

// section returns the part of the palette that a command belongs to.
func (c command) section() section {
	kind, _, _ := strings.Cut(c.ID, ":")
	switch kind {
	case "chat", "version":
		return sectionRecent
	case "server", "restart", "disconnect":
		return sectionServers
	case "try":
		return sectionTools
	}
	return sectionCommands
}

func newHeadings() (all []fyne.CanvasObject) {
	for _, name := range []string{"Recent", "Commands", "Servers", "Tools"} {
		label := kit.NewLabel(name, 11, kit.ColorFaint).Medium()
		all = append(all, kit.Sized(1, paletteHead, kit.Inset(kit.Margin{Top: 10, Right: 12, Bottom: 3, Left: 12}, label)))
	}
	return all
}

// sort orders the results by section, and drops loose matches: the letters of a short word
// occur in order in most titles of conversations. While the field is empty, it keeps only the
// most recently used conversations.
func (p *palette) sort() {
	words := strings.Fields(strings.ToLower(p.input.Text))
	recent := 0
	p.found = slices.DeleteFunc(p.found, func(m fuzzy.Ranked) bool {
		c := p.all[m.Index]
		if len(words) == 0 {
			if c.section() == sectionRecent {
				recent++
			}
			return c.section() == sectionRecent && recent > recentRows
		}
		if m.At != nil && c.section() != sectionRecent {
			return false // loose matches find commands, for example "nc" finds New chat
		}
		return !contains(strings.Join([]string{c.Title, c.Group.String(), c.Detail}, " "), words)
	})
	first := p.sectionOrder(words)
	slices.SortStableFunc(p.found, func(a, b fuzzy.Ranked) int {
		return cmp.Compare(first[p.all[a.Index].section()], first[p.all[b.Index].section()])
	})
	p.found = p.found[:min(len(p.found), paletteRows)]
}

// sectionOrder returns the rank of each section. The section of the best match comes first. If
// the title of a command contains all words, the commands come first.
func (p *palette) sectionOrder(words []string) map[section]int {
	order := map[section]int{sectionRecent: 10, sectionCommands: 11, sectionServers: 12, sectionTools: 13}
	if len(words) == 0 || len(p.found) == 0 {
		return order
	}
	order[p.all[p.found[0].Index].section()] = 1
	for _, m := range p.found {
		if c := p.all[m.Index]; c.section() == sectionCommands && contains(c.Title, words) {
			order[sectionCommands] = 0
		}
	}
	return order
}

// contains reports whether a text contains all words. It ignores case.
func contains(text string, words []string) bool {
	text = strings.ToLower(text)
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
}
