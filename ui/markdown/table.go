package markdown

import (
	"strings"

	"goated/ui/kit"
	md "goated/ui/view/markdown"
)

// The padding of a cell.
const cellX, cellY = 12, 7

// longestWord is the width up to which a column is at least as wide as its longest word. Longer
// words, for example addresses, may break.
const longestWord = 180

// table lays out rows of cells at their natural width. If the table would be wider than w, the
// widest columns shrink, but no word breaks. A table without room for its longest words becomes a
// list of records, with the name of the column beside each cell.
func (l *Layout) table(b *md.Block, x, y, w float32, m Style) float32 {
	want := l.natural(b.Blocks, nil, m)
	least := l.least(b.Blocks, nil, m)
	if len(b.Blocks) > 1 && b.Blocks[0].Head && len(want) > 2 && span(least) > w {
		return l.records(b, x, y, w, m)
	}
	columns := share(want, least, w)
	if b == l.Outer {
		l.grid = tableState{widths: columns}
	}
	l.Shapes = append(l.Shapes, Shape{X: x, Y: y, W: span(columns), Fill: kit.ColorNone, Radius: 10})
	return l.rows(b, 0, len(l.Shapes)-1, x, y, columns, m)
}

// span returns the width of a table with these columns.
func span(columns []float32) float32 {
	wide := float32(0)
	for _, c := range columns {
		wide += c + 2*cellX
	}
	return wide
}

// rows lays out the rows from first on. ground is the index of the background shape.
func (l *Layout) rows(b *md.Block, first, ground int, x, y float32, columns []float32, m Style) float32 {
	wide := span(columns)
	for i := first; i < len(b.Blocks); i++ {
		row := &b.Blocks[i]
		l.step(b, y)
		if i > 0 {
			l.Shapes = append(l.Shapes, Shape{X: x + 1, Y: y, W: wide - 2, H: 1, Fill: kit.ColorBorder})
		}
		head := len(l.Shapes)
		if row.Head {
			l.Shapes = append(l.Shapes, Shape{X: x + 1, Y: y + 1, W: wide - 2, Fill: kit.ColorSunken, Radius: 9},
				Shape{X: x + 1, W: wide - 2, H: 10, Fill: kit.ColorSunken})
		}
		at, bottom := x, y+m.Leading+2*cellY
		for j := range columns {
			if j < len(row.Blocks) {
				cell := &row.Blocks[j]
				k := m
				if row.Head {
					k.Style.Bold, k.Ink = true, kit.ColorMuted
				}
				end := l.text(cell.Spans, cell.At, at+cellX, y+cellY, columns[j], k, cell.Align)
				bottom = max(bottom, end+cellY)
			}
			at += columns[j] + 2*cellX
		}
		if row.Head {
			// The header has round corners at the top and straight ones at the bottom.
			l.Shapes[head].H = bottom - y - 1
			l.Shapes[head+1].Y = bottom - 10
			if len(b.Blocks) == 1 {
				l.Shapes[head+1].H = 0
			}
		}
		y = bottom
	}
	l.Shapes[ground].H = y - l.Shapes[ground].Y
	// The border comes last, above everything else.
	edge := l.Shapes[ground]
	edge.Stroke = kit.ColorBorder
	l.Shapes = append(l.Shapes, edge)
	return y
}

// natural returns the natural widths of the columns in rows, but no less than before.
func (l *Layout) natural(rows []md.Block, before []float32, m Style) []float32 {
	want := append([]float32(nil), before...)
	for _, row := range rows {
		for j, cell := range row.Blocks {
			if j == len(want) {
				want = append(want, 8)
			}
			k := m
			k.Style.Bold = row.Head
			for _, line := range l.Broken(cell.Spans, 1e6, k) {
				want[j] = max(want[j], float32(int(line.Width())+2))
			}
		}
	}
	return want
}

// least returns the widths of the longest words in the columns of rows, but no less than before.
func (l *Layout) least(rows []md.Block, before []float32, m Style) []float32 {
	least := append([]float32(nil), before...)
	for _, row := range rows {
		for j, cell := range row.Blocks {
			if j == len(least) {
				least = append(least, 24)
			}
			style := m.Style
			style.Bold = style.Bold || row.Head
			for word := range strings.FieldsSeq(cell.Text()) {
				least[j] = max(least[j], min(float32(int(l.Measure.Width(word, m.TextSize, style))+2), longestWord))
			}
		}
	}
	return least
}

// records lays out each row of a table as a list of column names and cells.
func (l *Layout) records(b *md.Block, x, y, w float32, m Style) float32 {
	head := b.Blocks[0]
	name := m
	name.Ink = kit.ColorMuted
	wide := float32(0)
	for _, c := range l.natural(b.Blocks[:1], nil, m) {
		wide = max(wide, c)
	}
	wide = min(wide, float32(int(w*0.4)))
	ground := len(l.Shapes)
	l.Shapes = append(l.Shapes, Shape{X: x, Y: y, W: w, Fill: kit.ColorNone, Radius: 10})
	for i := range b.Blocks {
		l.step(b, y)
		if i == 0 {
			continue // its cells are the names
		}
		if i > 1 {
			l.Shapes = append(l.Shapes, Shape{X: x + 1, Y: y, W: w - 2, H: 1, Fill: kit.ColorBorder})
		}
		y += cellY
		for j := range b.Blocks[i].Blocks {
			cell, bottom := &b.Blocks[i].Blocks[j], y+m.Leading
			if j < len(head.Blocks) {
				bottom = max(bottom, l.text(head.Blocks[j].Spans, head.Blocks[j].At, x+cellX, y, wide, name, md.AlignLeft))
			}
			left := x + 2*cellX + wide
			y = max(bottom, l.text(cell.Spans, cell.At, left, y, w-(left-x)-cellX, m, md.AlignLeft))
		}
		y += cellY
	}
	l.Shapes[ground].H = y - l.Shapes[ground].Y
	edge := l.Shapes[ground]
	edge.Stroke = kit.ColorBorder
	l.Shapes = append(l.Shapes, edge)
	if b == l.Outer {
		l.grid = tableState{}
	}
	return y
}

// share reduces the column widths to the available width w without padding, but not below least.
func share(wish, least []float32, w float32) []float32 {
	want := append([]float32(nil), wish...)
	room := w - float32(len(want))*2*cellX
	// Narrow columns keep their width; the others share the rest.
	settled := make([]bool, len(want))
	for {
		rest, n := room, 0
		for j, c := range want {
			if settled[j] {
				rest -= c
			} else {
				n++
			}
		}
		if n == 0 {
			return want
		}
		share, again := max(rest/float32(n), 24), false
		for j, c := range want {
			if !settled[j] && c > share && least[j] > share {
				want[j] = least[j]
				c = share
			}
			if !settled[j] && c <= share {
				settled[j], again = true, true
			}
		}
		if !again {
			for j := range want {
				if !settled[j] {
					want[j] = float32(int(share))
				}
			}
			return want
		}
	}
}
