package selector

import "strings"

// rolesOf returns the AT-SPI names of the roles that a name stands for.
func rolesOf(name string) map[string]bool {
	plain := strings.ToLower(strings.TrimSpace(name))
	names := map[string]bool{plain: true, strings.NewReplacer("_", " ", "-", " ").Replace(plain): true}
	for _, n := range aliases(strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.TrimPrefix(plain, "ax"))) {
		names[n] = true
	}
	return names
}

// IsRole reports whether an element with a role of AT-SPI has the role that a name stands for, as in
// [Role].
func IsRole(role, name string) bool { return rolesOf(name)[role] }

// aliases returns the AT-SPI roles for a role of ARIA or macOS.
func aliases(name string) []string {
	switch name {
	case "button", "pushbutton":
		return []string{"push button", "toggle button", "push button menu"}
	case "textfield", "textbox", "textarea", "textinput", "input", "entry", "edit", "searchfield", "searchbox":
		return []string{"entry", "text", "password text", "spin button", "editbar"}
	case "securetextfield", "password", "passwordtext":
		return []string{"password text"}
	case "statictext", "label":
		return []string{"label", "static", "paragraph"}
	case "checkbox":
		return []string{"check box", "check menu item", "toggle button"}
	case "radio", "radiobutton":
		return []string{"radio button", "radio menu item"}
	case "popupbutton", "combobox", "select", "dropdown":
		return []string{"combo box", "push button menu", "option pane"}
	case "menuitem":
		return []string{"menu item", "check menu item", "radio menu item", "tearoff menu item", "menu"}
	case "menubaritem":
		return []string{"menu", "menu item"}
	case "window", "frame":
		return []string{"frame", "window", "dialog", "alert", "file chooser", "color chooser", "font chooser"}
	case "dialog", "sheet":
		return []string{"dialog", "alert", "file chooser", "color chooser", "font chooser"}
	case "group", "generic", "layoutarea":
		return []string{"panel", "filler", "section", "grouping"}
	case "scrollarea":
		return []string{"scroll pane", "viewport"}
	case "tab":
		return []string{"page tab"}
	case "tabgroup", "tablist":
		return []string{"page tab list"}
	case "list", "listbox":
		return []string{"list", "list box"}
	case "listitem", "option":
		return []string{"list item"}
	case "row", "tablerow":
		return []string{"table row", "list item", "tree item"}
	case "cell", "gridcell", "tablecell":
		return []string{"table cell"}
	case "outline", "tree":
		return []string{"tree", "tree table"}
	case "treeitem", "outlinerow":
		return []string{"tree item", "table row"}
	case "table", "grid":
		return []string{"table", "tree table"}
	case "webarea", "document":
		return []string{"document web", "document frame", "document text"}
	case "progressindicator", "progressbar":
		return []string{"progress bar", "level bar"}
	case "stepper", "incrementor", "spinbutton":
		return []string{"spin button"}
	case "scrollbar", "slider", "heading", "link", "image", "toolbar", "menu", "menubar", "splitter", "statusbar", "terminal", "application":
		return map[string][]string{
			"scrollbar": {"scroll bar"}, "slider": {"slider", "dial"}, "heading": {"heading"}, "link": {"link"}, "image": {"image", "icon"},
			"toolbar": {"tool bar"}, "menu": {"menu", "popup menu"}, "menubar": {"menu bar"}, "splitter": {"split pane", "separator"},
			"statusbar": {"status bar"}, "terminal": {"terminal"}, "application": {"application"},
		}[name]
	}
	return nil
}
