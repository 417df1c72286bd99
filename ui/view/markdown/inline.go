package markdown

import (
	"html"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"goated/internal/lazyregexp"
	"goated/ui/richtext"
)

// spans returns the children of n as spans.
func (r reader) spans(n ast.Node) []richtext.Span {
	return r.within(nil, n, richtext.Span{})
}

// within appends the children of n to out in style. It joins neighbouring texts first. Each line
// of a paragraph is one text, and appending them individually would take quadratic time.
func (r reader) within(out []richtext.Span, n ast.Node, style richtext.Span) []richtext.Span {
	for c := n.FirstChild(); c != nil; {
		if _, ok := c.(*ast.Text); !ok {
			out, c = r.inline(out, c, style), c.NextSibling()
			continue
		}
		var joined strings.Builder
		for c != nil {
			t, ok := c.(*ast.Text)
			if !ok {
				break
			}
			joined.WriteString(r.text(t))
			c = c.NextSibling()
		}
		out = add(out, joined.String(), style)
	}
	return out
}

// inline appends n to out. style is the style around n.
func (r reader) inline(out []richtext.Span, n ast.Node, style richtext.Span) []richtext.Span {
	within := func(style richtext.Span) []richtext.Span { return r.within(out, n, style) }
	switch n := n.(type) {
	case *ast.Text:
		return add(out, r.text(n), style)
	case *ast.String:
		return add(out, string(n.Value), style)
	case *ast.CodeSpan:
		style.Code = true
		return add(out, strings.ReplaceAll(r.code(n), "\n", " "), style)
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
		style.Link = Opens(unescape(string(n.Destination)))
		out = within(style)
		return leads(out, from, unescape(string(n.Destination)), outer)
	case *ast.Image:
		// An image with an address becomes a link, because the parser fetches nothing.
		from := len(out)
		outer := style
		style.Link = Opens(unescape(string(n.Destination)))
		if !n.HasChildren() {
			out = add(out, "image", style)
		}
		out = within(style)
		return leads(out, from, unescape(string(n.Destination)), outer)
	case *ast.AutoLink:
		address, label := r.address(n), string(n.Label(r.source))
		if n.AutoLinkType == ast.AutoLinkEmail {
			// Linkify accepts all characters that a mailbox may contain, as in email='a@b.org.
			if cut := strings.LastIndexAny(label[:max(strings.LastIndexByte(label, '@'), 0)], "='`{|") + 1; cut > 0 {
				out = add(out, label[:cut], style)
				address, label = "mailto:"+label[cut:], label[cut:]
			}
		}
		style.Link = Opens(address)
		return add(out, label, style)
	case *ast.RawHTML:
		raw := r.raw(n)
		if lineBreak.MatchString(raw) {
			return add(out, "\n", style)
		}
		return add(out, raw, style)
	case *east.FootnoteLink:
		return add(out, superscript(n.Index), style)
	case *east.FootnoteBacklink, *east.TaskCheckBox:
		return out
	}
	return within(style)
}

// text returns the content of a text node and the line break after it.
func (r reader) text(n *ast.Text) string {
	text := string(n.Segment.Value(r.source))
	if !n.IsRaw() {
		text = unescape(text)
	}
	switch {
	case n.HardLineBreak():
		return text + "\n"
	case n.SoftLineBreak():
		return text + " "
	}
	return text
}

// code returns the source of a code span.
func (r reader) code(n *ast.CodeSpan) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			b.Write(t.Segment.Value(r.source))
		}
	}
	return b.String()
}

// address returns the URL of a bare address in the text.
func (r reader) address(n *ast.AutoLink) string {
	address := string(n.URL(r.source))
	if n.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(strings.ToLower(address), "mailto:") {
		return "mailto:" + address
	}
	return address
}

// raw returns the source of inline HTML.
func (r reader) raw(n *ast.RawHTML) string {
	var b strings.Builder
	for i := range n.Segments.Len() {
		s := n.Segments.At(i)
		b.Write(s.Value(r.source))
	}
	return b.String()
}

var lineBreak = lazyregexp.New(`(?i)^<br\s*/?>$`)

// add appends text, and merges it with the last span if the styles are equal.
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

var entity = lazyregexp.New(`\\[!-/:-@\[-` + "`" + `{-~]|&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});`)

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
