package atspi

// States is the set of an element's states, one bit each, numbered as in AtspiStateType.
type States uint64

// The states that this package needs.
const (
	StateActive             = 1
	StateChecked            = 4
	StateDefunct            = 6
	StateEditable           = 7
	StateEnabled            = 8
	StateExpandable         = 9
	StateExpanded           = 10
	StateFocusable          = 11
	StateFocused            = 12
	StateIconified          = 15
	StateModal              = 16
	StateMultiLine          = 17
	StatePressed            = 20
	StateSelectable         = 22
	StateSelected           = 23
	StateSensitive          = 24
	StateShowing            = 25
	StateVisible            = 30
	StateManagesDescendants = 31
	StateCheckable          = 41
	StateHasPopup           = 42
	StateReadOnly           = 43
)

// Has reports whether a state is set.
func (s States) Has(state uint) bool { return s>>state&1 == 1 }

// statesOf decodes the two words of a reply.
func statesOf(words []uint32) (s States) {
	if len(words) > 0 {
		s = States(words[0])
	}
	if len(words) > 1 {
		s |= States(words[1]) << 32
	}
	return s
}

// shownStates are the states that users and models see as attributes.
var shownStates = []struct {
	state uint
	name  string
}{
	{StateActive, "active"}, {StateChecked, "checked"}, {StateEditable, "editable"}, {StateExpanded, "expanded"},
	{StateIconified, "iconified"}, {StateModal, "modal"}, {StatePressed, "pressed"}, {StateSelected, "selected"},
	{StateReadOnly, "read-only"}, {StateHasPopup, "has-popup"}, {StateExpandable, "expandable"}, {StateMultiLine, "multi-line"},
	{StateSelectable, "selectable"}, {StateCheckable, "checkable"}, {StateFocusable, "focusable"},
}

// Interfaces is the set of an element's interfaces, one bit each.
type Interfaces uint16

// The interfaces that this package uses.
const (
	InterfaceAction Interfaces = 1 << iota
	InterfaceComponent
	InterfaceEditable
	InterfaceSelection
	InterfaceText
	InterfaceValue
	InterfaceCollection
	interfaceUnknown
)

// interfacesUnknown is the value for an element that was not asked yet. It includes the two interfaces
// that every Chromium element has, and those that it may have.
const interfacesUnknown = interfaceUnknown | InterfaceAction | InterfaceComponent | InterfaceText | InterfaceValue

// interfacesOf converts a list of interface names.
func interfacesOf(names []string) (f Interfaces) {
	for _, name := range names {
		switch name {
		case actionIface:
			f |= InterfaceAction
		case componentIface:
			f |= InterfaceComponent
		case editableIface:
			f |= InterfaceEditable
		case selectionIface:
			f |= InterfaceSelection
		case textIface:
			f |= InterfaceText
		case valueIface:
			f |= InterfaceValue
		case "org.a11y.atspi.Collection":
			f |= InterfaceCollection
		}
	}
	return f
}
