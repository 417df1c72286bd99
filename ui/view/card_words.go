package view

import (
	"strings"

	"goated/ui/view/format"
	"goated/ui/view/markdown"
)

// PlainText returns a card as plain text: the tool, its arguments, and its result.
func (c Card) PlainText() string {
	return c.plainText(func(title, text string) string { return title + ":\n" + text })
}

// Source returns a card as Markdown.
func (c Card) Source() string {
	return c.plainText(func(title, text string) string {
		language := ""
		if start := strings.TrimSpace(text[:min(len(text), 100)]); start != "" && (start[0] == '{' || start[0] == '[') {
			language = "json"
		}
		return title + ":\n\n" + markdown.Fenced(language, text)
	})
}

func (c Card) plainText(part func(title, text string) string) string {
	head := c.Heading()
	if head != c.Tool {
		head += " [" + c.Tool + "]"
	}
	if c.Server != "" {
		head += " (" + c.Server + ")"
	}
	head += ": " + c.Status.String()
	if took := format.Duration(c.Duration); took != "" {
		head += ", " + took
	}
	out := []string{head}
	if c.Given != nil {
		out = append(out, part(c.Given.Title, c.Given.Text))
	}
	if c.Error != "" {
		out = append(out, c.Error)
	}
	if c.Result != "" {
		out = append(out, part("Result", c.Result))
	}
	return strings.Join(out, "\n\n")
}

// PlainText returns a failure and its advice as plain text.
func (f Failure) PlainText() string {
	return strings.TrimSpace(f.Text + "\n\n" + f.Advice)
}
