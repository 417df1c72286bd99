package atspi

import "strings"

// cleanName repairs names. GTK 3 pads the names of menu items with trailing spaces. GTK 4.8 names an
// unnamed widget after its class, and repeats labels.
func cleanName(name string, gtk4 bool) string {
	name = strings.TrimSpace(name)
	if !gtk4 {
		return name
	}
	for _, prefix := range []string{"Gtk", "Adw"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok && rest != "" && rest[0] >= 'A' && rest[0] <= 'Z' && !strings.ContainsAny(rest, " .") {
			return ""
		}
	}
	if half := len(name) / 2; len(name)%2 == 1 && name[half] == ' ' && name[:half] == name[half+1:] {
		return name[:half]
	}
	return name
}

// label gives unnamed elements that can be pressed the name of the labels inside them, for example "π"
// to a button with a formatted label.
func (t *Tree) label() {
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.Name != "" || n.Interfaces&InterfaceAction == 0 || n.Secure || len(n.Children) == 0 || n.Role == RoleText {
			continue
		}
		var names []string
		left := 8 // how many more elements to look at
		t.labels(i, &names, &left)
		if s := strings.Join(names, " "); s != "" && len(s) <= 80 {
			n.Name, n.derived = s, true
		}
	}
}

func (t *Tree) labels(i int, names *[]string, left *int) {
	for _, c := range t.Nodes[i].Children {
		if *left--; *left < 0 {
			return
		}
		child := &t.Nodes[c]
		switch child.Role {
		case 29, RoleStatic, RoleText: // label
			if child.Name != "" {
				*names = append(*names, child.Name)
			}
		}
		t.labels(c, names, left)
	}
}
