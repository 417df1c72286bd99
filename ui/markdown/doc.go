// Package markdown lays out blocks of Markdown: it turns a block into lines,
// shapes and places to press, for one width and one size of letters.
//
// A layout can grow: when text is added at the end of a block, only the lines from
// the change on are set again. The package draws nothing, and must not know the
// transcript, its selection or the source of the text.
package markdown
