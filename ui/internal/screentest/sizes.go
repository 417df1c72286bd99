package screentest

// AskSizes asks every object on the page for its minimum size, as Fyne does when a part changes
// its size.
func AskSizes(s *Screen) {
	s.visit(s.Canvas().Content(), false, func(n *node) bool {
		n.object.MinSize()
		return true
	})
}
