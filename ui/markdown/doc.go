// Package markdown lays out blocks of Markdown. It turns a block into lines, shapes and boxes for
// one width and one text size. A layout can grow: if text is added to the end of a block, it
// replaces only the lines from the change on. [Text] draws a text that does not change. The
// package owns no cache. It must not depend on the transcript, its selection, or the source of
// the text.
package markdown
