package screenshot

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"hash/adler32"
	"hash/crc32"
	"runtime"
	"sync"
)

const (
	maxStripes = 4
	leastRows  = 64 // in one stripe
)

// PNG encodes the picture. Stripes are compressed in parallel and joined to one stream (RFC 1950, RFC
// 1951). Every stripe except the last ends with a flush instead of a final block.
func (p *Picture) PNG() ([]byte, error) {
	w, h := p.Rect.W, p.Rect.H
	n := max(1, min(maxStripes, runtime.GOMAXPROCS(0), h/leastRows))
	stripes := make([]stripe, n)
	var all sync.WaitGroup
	for i := range stripes {
		all.Go(func() { stripes[i] = p.compress(h*i/n, h*(i+1)/n, i == n-1) })
	}
	all.Wait()
	sum := uint32(1)
	var out bytes.Buffer
	out.WriteString("\x89PNG\r\n\x1a\n")
	header := binary.BigEndian.AppendUint32(nil, uint32(w))
	header = binary.BigEndian.AppendUint32(header, uint32(h))
	chunk(&out, "IHDR", append(header, 8, 2, 0, 0, 0)) // 8 bits, RGB
	chunk(&out, "IDAT", []byte{0x78, 0x01})
	for _, s := range stripes {
		if s.err != nil {
			return nil, s.err
		}
		chunk(&out, "IDAT", s.data)
		sum = join(sum, s.sum, s.length)
	}
	chunk(&out, "IDAT", binary.BigEndian.AppendUint32(nil, sum))
	chunk(&out, "IEND", nil)
	return out.Bytes(), nil
}

// A stripe is a compressed range of rows.
type stripe struct {
	data   []byte
	sum    uint32 // the Adler-32 checksum of the rows
	length int    // the uncompressed size in bytes
	err    error
}

// compress compresses a range of rows. It first subtracts the row above from each row, because the
// difference is 0 nearly everywhere on a screen.
func (p *Picture) compress(from, to int, last bool) stripe {
	const up = 2
	w := p.Rect.W
	row := make([]byte, 1+3*w)
	zero := make([]byte, 4*w)
	sum := adler32.New()
	var out bytes.Buffer
	z, err := flate.NewWriter(&out, flate.BestSpeed)
	if err != nil {
		return stripe{err: err}
	}
	for y := from; y < to; y++ {
		in, above := p.Pix[y*p.Stride:][:4*w], zero
		row[0] = 0
		if y > 0 {
			above, row[0] = p.Pix[(y-1)*p.Stride:][:4*w], up
		}
		for i, o := 0, 1; i+3 < len(in); i, o = i+4, o+3 {
			row[o], row[o+1], row[o+2] = in[i+2]-above[i+2], in[i+1]-above[i+1], in[i]-above[i]
		}
		_, _ = sum.Write(row)
		if _, err := z.Write(row); err != nil {
			return stripe{err: err}
		}
	}
	if last {
		err = z.Close()
	} else {
		err = z.Flush()
	}
	return stripe{out.Bytes(), sum.Sum32(), (to - from) * len(row), err}
}

// join returns the Adler-32 checksum of two consecutive parts from their checksums. length is the
// length of the second part.
func join(first, second uint32, length int) uint32 {
	const base = 65521
	n := uint32(length % base)
	a1, b1, a2, b2 := first&0xffff, first>>16, second&0xffff, second>>16
	a := (a1 + a2 + base - 1) % base
	b := uint32((uint64(n)*uint64(a1+base-1) + uint64(b1) + uint64(b2)) % base)
	return a | b<<16
}

func chunk(out *bytes.Buffer, name string, data []byte) {
	head := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	out.Write(append(head, name...))
	out.Write(data)
	sum := crc32.Update(crc32.ChecksumIEEE([]byte(name)), crc32.IEEETable, data)
	out.Write(binary.BigEndian.AppendUint32(nil, sum))
}
