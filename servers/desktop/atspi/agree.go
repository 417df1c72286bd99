package atspi

import (
	"slices"
	"strings"
)

// confirmNames lists the names of buttons that confirm a dialog.
var confirmNames = []string{"save", "open", "replace", "overwrite", "select", "choose", "ok", "yes"}

// ConfirmButton returns the id of the button among nodes that confirms their dialog, or "" if there is none
// or more than one candidate. It recognizes the button by its name. In GTK it also accepts the second
// button of a pair, because the first one cancels.
func (t *Tree) ConfirmButton(nodes []int) string {
	groups := make(map[int][]int) // by parent
	var named, paired []int
	for _, i := range nodes {
		n := &t.Nodes[i]
		if n.Role != RolePushButton || n.Name == "" || !n.States.Has(StateSensitive) {
			continue
		}
		groups[n.Parent] = append(groups[n.Parent], i)
		if slices.Contains(confirmNames, strings.ToLower(n.Name)) {
			named = append(named, i)
		}
	}
	for _, group := range groups {
		if len(group) == 2 && strings.EqualFold(t.App.Toolkit, "gtk") {
			paired = append(paired, group[1])
		}
	}
	switch {
	case len(named) == 1:
		return t.Element(named[0]).ID
	case len(named) == 0 && len(paired) == 1:
		return t.Element(paired[0]).ID
	}
	return "" // none, or several
}

// Words returns the text of the labels among nodes.
func (t *Tree) Words(nodes []int) (words []string) {
	for _, i := range nodes {
		if n := &t.Nodes[i]; n.Role == RoleLabel && n.Name != "" {
			words = append(words, n.Name)
		}
	}
	return words
}
