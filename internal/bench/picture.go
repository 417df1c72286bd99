package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
)

// contestants returns the programs in the picture, with their colours.
func contestants() []struct{ name, title, colour string } {
	return []struct{ name, title, colour string }{
		{goated, "goated", "#5b5bd6"},
		{"recorded", "goated, saved in the history", "#9b9ef0"},
		{"gosdk", "go-sdk + genai", "#0d9488"},
		{"mcpgo", "mcp-go + genai", "#d97706"},
		{"ts", "TypeScript SDK", "#2563eb"},
		{seed, "AI SDK", "#be185d"},
		{floor, "floor: no library", "#9ca3af"},
	}
}

// The dimensions of the picture, in pixels.
const (
	pictureWidth = 960
	barsFrom     = 300
	barsTo       = 860
	barHeight    = 9
	rowGap       = 16
)

// picture draws the rows that have more than one contestant, as SVG. Each row has a separate scale,
// so its longest bar has the maximum width.
func (t *table) picture() []byte {
	var b bytes.Buffer
	y := 76
	for _, r := range t.rows {
		if len(t.samples[r.name]) < 2 {
			continue
		}
		longest := 0.0
		for who := range t.samples[r.name] {
			v, _ := t.median(r.name, who)
			longest = math.Max(longest, v)
		}
		top := y
		for _, c := range contestants() {
			v, ok := t.median(r.name, c.name)
			if !ok {
				continue
			}
			width := math.Max(1, v/longest*(barsTo-barsFrom))
			fmt.Fprintf(&b, `<rect x="%d" y="%d" width="%.1f" height="%d" rx="2" fill="%s"/>`+"\n", barsFrom, y, width, barHeight, c.colour)
			fmt.Fprintf(&b, `<text x="%.1f" y="%d" font-size="10" class="soft">%s %s</text>`+"\n", barsFrom+width+6, y+barHeight, figure(v), r.unit)
			y += barHeight + 3
		}
		fmt.Fprintf(&b, `<text x="%d" y="%d" font-size="13" text-anchor="end">%s</text>`+"\n", barsFrom-14, (top+y)/2+3, escape(r.title))
		y += rowGap
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" font-family="system-ui, sans-serif">`+"\n", pictureWidth, y+8)
	out.WriteString(`<style>text { fill: #1f2328 } .soft { fill: #6b7280 } .ground { fill: #ffffff } @media (prefers-color-scheme: dark) { text { fill: #e6e6e6 } .soft { fill: #9ca3af } .ground { fill: #16171d } }</style>` + "\n")
	fmt.Fprintf(&out, `<rect class="ground" width="%d" height="%d" rx="12"/>`+"\n", pictureWidth, y+8)
	out.WriteString(`<text x="24" y="34" font-size="18" font-weight="600">goated beside its peers: shorter is better</text>` + "\n")
	x := 24
	for _, c := range contestants() {
		fmt.Fprintf(&out, `<rect x="%d" y="48" width="10" height="10" rx="2" fill="%s"/><text x="%d" y="57" font-size="11" class="soft">%s</text>`+"\n", x, c.colour, x+15, escape(c.title))
		x += 30 + 6*len(c.title)
	}
	out.Write(b.Bytes())
	out.WriteString("</svg>\n")
	return out.Bytes()
}

func escape(text string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(text)) // a buffer accepts everything
	return b.String()
}
