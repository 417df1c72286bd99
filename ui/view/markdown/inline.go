package markdown

import (
	"html"
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"goated/ui/richtext"
)

// spans returns the children of n as spans.
func (r reader) spans(n ast.Node) []richtext.Span {
	var out []richtext.Span
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		out = r.inline(out, c, richtext.Span{})
	}
	return out
}

// inline appends n to out in style, the style around n.
func (r reader) inline(out []richtext.Span, n ast.Node, style richtext.Span) []richtext.Span {
	within := func(style richtext.Span) []richtext.Span {
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			out = r.inline(out, c, style)
		}
		return out
	}
	switch n := n.(type) {
	case *ast.Text:
		text := string(n.Segment.Value(r.source))
		if !n.IsRaw() {
			text = unescape(text)
		}
		out = add(out, text, style)
		switch {
		case n.HardLineBreak():
			out = add(out, "\n", style)
		case n.SoftLineBreak():
			out = add(out, " ", style)
		}
		return out
	case *ast.String:
		return add(out, string(n.Value), style)
	case *ast.CodeSpan:
		var b strings.Builder
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			if t, ok := c.(*ast.Text); ok {
				b.Write(t.Segment.Value(r.source))
			}
		}
		style.Code = true
		return add(out, strings.ReplaceAll(b.String(), "\n", " "), style)
	case *inlineTeX:
		return append(out, inlineFormula(n, style)...)
	case *ast.Emphasis:
		style.Bold = style.Bold || n.Level == 2
		style.Italic = style.Italic || n.Level == 1
		return within(style)
	case *east.Strikethrough:
		style.Strike = true
		return within(style)
	case *ast.Link:
		from := len(out)
		outer := style
		style.Link = opens(unescape(string(n.Destination)))
		out = within(style)
		return leads(out, from, unescape(string(n.Destination)), outer)
	case *ast.Image:
		// An image at an address becomes a link: the reader fetches nothing.
		from := len(out)
		outer := style
		style.Link = opens(unescape(string(n.Destination)))
		if !n.HasChildren() {
			out = add(out, "image", style)
		}
		out = within(style)
		return leads(out, from, unescape(string(n.Destination)), outer)
	case *ast.AutoLink:
		label := string(n.Label(r.source))
		address := string(n.URL(r.source))
		if n.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(strings.ToLower(address), "mailto:") {
			address = "mailto:" + address
		}
		style.Link = opens(address)
		return add(out, label, style)
	case *ast.RawHTML:
		var b strings.Builder
		for i := range n.Segments.Len() {
			s := n.Segments.At(i)
			b.Write(s.Value(r.source))
		}
		if lineBreak.MatchString(b.String()) {
			return add(out, "\n", style)
		}
		return add(out, b.String(), style)
	case *east.FootnoteLink:
		return add(out, superscript(n.Index), style)
	case *east.FootnoteBacklink, *east.TaskCheckBox:
		return out
	}
	return within(style)
}

var lineBreak = regexp.MustCompile(`(?i)^<br\s*/?>$`)

// add appends text, and joins it with the last span if the style is the same.
func add(out []richtext.Span, text string, style richtext.Span) []richtext.Span {
	if text == "" {
		return out
	}
	style.Text = ""
	if n := len(out); n > 0 {
		last := out[n-1]
		last.Text = ""
		if last == style {
			out[n-1].Text += text
			return out
		}
	}
	style.Text = text
	return append(out, style)
}

var entity = regexp.MustCompile(`\\[!-/:-@\[-` + "`" + `{-~]|&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});`)

// unescape replaces backslash escapes and HTML entities.
func unescape(text string) string {
	if !strings.ContainsAny(text, `\&`) {
		return text
	}
	return entity.ReplaceAllStringFunc(text, func(s string) string {
		if s[0] == '\\' {
			return s[1:]
		}
		return html.UnescapeString(s)
	})
}
