package screentest

// AskSizes asks everything on the page for its smallest size, as Fyne does when a
// part changes its size.
func AskSizes(s *Screen) {
	s.visit(s.Canvas().Content(), false, func(n *node) bool {
		n.object.MinSize()
		return true
	})
}
