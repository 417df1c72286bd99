// Package dbfile reads the rows of an SQLite database page by page, without using its B-trees. So a
// damaged page loses the rows on it, but no rows on other pages.
//
// It knows the file format (https://www.sqlite.org/fileformat2.html) with its write-ahead log, and
// must not know tables. The file must not change while it is open.
package dbfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"iter"
	"math"
	"os"
)

// A File is an open database. The caller must close it.
type File struct {
	main, log *os.File // log is nil without a write-ahead log
	frames    map[uint32]int64
	size      int // of a page, in bytes
	usable    int // usable bytes of a page
	pages     uint32
}

const (
	magic      = "SQLite format 3\x00"
	headerSize = 100 // of the file header, on the first page
	usualSize  = 4096
)

// Open opens a database together with the log beside it.
func Open(path string) (*File, error) {
	main, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	f := &File{main: main, frames: make(map[uint32]int64)}
	if f.log, err = os.Open(path + "-wal"); err != nil {
		f.log = nil // the main file can be read without it
	}
	if err := f.measure(); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Close closes the file.
func (f *File) Close() {
	_ = f.main.Close()
	if f.log != nil {
		_ = f.log.Close()
	}
}

// measure finds the page size and the number of pages.
func (f *File) measure() error {
	info, err := f.main.Stat()
	if err != nil {
		return err
	}
	f.size = usualSize
	reserved := 0
	head := make([]byte, headerSize)
	if _, err := f.main.ReadAt(head, 0); err == nil && string(head[:len(magic)]) == magic {
		if n := sizeOf(uint32(binary.BigEndian.Uint16(head[16:]))); n > 0 {
			f.size, reserved = n, int(head[20])
		}
	}
	logged := f.readLog()
	f.usable = f.size - reserved
	if f.usable < 480 { // the format's minimum
		f.usable = f.size
	}
	f.pages = max(logged, uint32(min(info.Size()/int64(f.size), math.MaxUint32-1)))
	return nil
}

// sizeOf returns the page size in a header, or 0 if it is not valid.
func sizeOf(n uint32) int {
	if n == 1 {
		return 1 << 16
	}
	if n < 512 || n > 1<<16 || n&(n-1) != 0 {
		return 0
	}
	return int(n)
}

// readLog finds the newest version of each page in the log, up to its last commit. It returns the
// number of pages after that commit.
func (f *File) readLog() (pages uint32) {
	if f.log == nil {
		return 0
	}
	head := make([]byte, 32)
	if _, err := f.log.ReadAt(head, 0); err != nil {
		return 0
	}
	var order binary.ByteOrder = binary.LittleEndian
	switch binary.BigEndian.Uint32(head) {
	case 0x377f0682:
	case 0x377f0683:
		order = binary.BigEndian
	default:
		return 0
	}
	size := sizeOf(binary.BigEndian.Uint32(head[8:]))
	sum := checksum(order, [2]uint32{}, head[:24])
	if size == 0 || sum[0] != binary.BigEndian.Uint32(head[24:]) || sum[1] != binary.BigEndian.Uint32(head[28:]) {
		return 0
	}
	f.size = size
	open := make(map[uint32]int64) // pages of the transaction that is being read
	frame := make([]byte, 24+size)
	for at := int64(32); ; at += int64(len(frame)) {
		if _, err := f.log.ReadAt(frame, at); err != nil || !bytes.Equal(frame[8:16], head[16:24]) {
			return pages
		}
		sum = checksum(order, checksum(order, sum, frame[:8]), frame[24:])
		if sum[0] != binary.BigEndian.Uint32(frame[16:]) || sum[1] != binary.BigEndian.Uint32(frame[20:]) {
			return pages
		}
		open[binary.BigEndian.Uint32(frame)] = at + 24
		if n := binary.BigEndian.Uint32(frame[4:]); n != 0 {
			pages = n
			for page, place := range open {
				f.frames[page] = place
			}
			clear(open)
		}
	}
}

// checksum continues a checksum of the log with more data.
func checksum(order binary.ByteOrder, s [2]uint32, data []byte) [2]uint32 {
	for ; len(data) >= 8; data = data[8:] {
		s[0] += order.Uint32(data) + s[1]
		s[1] += order.Uint32(data[4:]) + s[0]
	}
	return s
}

// page reads a page. Pages count from 1.
func (f *File) page(n uint32, into []byte) error {
	if n < 1 || n > f.pages {
		return errDamaged
	}
	if at, ok := f.frames[n]; ok {
		_, err := f.log.ReadAt(into, at)
		return err
	}
	_, err := f.main.ReadAt(into, int64(n-1)*int64(f.size))
	return err
}

var errDamaged = errors.New("the row is damaged")

// A Row is a row of a table, or an entry of an index or of a table WITHOUT ROWID.
type Row struct {
	Table bool  // it has a row id
	ID    int64 // the row id
	// Values are nil, int64, float64, string or []byte. The column of an INTEGER PRIMARY KEY is
	// nil. A row lacks the columns that were added after it.
	Values []any
	Pages  []uint32 // the row's own page, then its overflow pages
}

// These are the types of the pages that contain rows.
const (
	innerIndex = 0x02
	leafIndex  = 0x0a
	leafTable  = 0x0d
)

// Rows yields the rows of all tables, in page order. If a part of a row is unreadable, the row
// comes with an error and its readable Values.
func (f *File) Rows() iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		page := make([]byte, f.size)
		for n := uint32(1); n <= f.pages; n++ {
			if err := f.page(n, page); err != nil {
				continue
			}
			for at := range cells(page[:f.usable], n) {
				row, err := f.row(page[:f.usable], n, at)
				if row.Values != nil && !yield(row, err) {
					return
				}
			}
		}
	}
}

// cells yields the offsets of the cells on a page with rows.
func cells(page []byte, number uint32) iter.Seq[int] {
	return func(yield func(int) bool) {
		start := 0
		if number == 1 {
			start = headerSize
		}
		head := 8
		switch page[start] {
		case leafTable, leafIndex:
		case innerIndex:
			head = 12
		default:
			return
		}
		count := int(binary.BigEndian.Uint16(page[start+3:]))
		first := start + head + 2*count
		if first > len(page) {
			return
		}
		for i := range count {
			at := int(binary.BigEndian.Uint16(page[start+head+2*i:]))
			if at >= first && at < len(page)-3 && !yield(at) {
				return
			}
		}
	}
}

// maxPayload is SQLite's own limit for the size of a row.
const maxPayload = 1_000_000_000

// row reads the row in a cell.
func (f *File) row(page []byte, number uint32, at int) (Row, error) {
	start := 0
	if number == 1 {
		start = headerSize
	}
	r := Row{Table: page[start] == leafTable, Pages: []uint32{number}}
	cell := page[at:]
	if page[start] == innerIndex {
		cell = cell[min(4, len(cell)):]
	}
	size, n := varint(cell)
	cell = cell[n:]
	if r.Table {
		id, k := varint(cell)
		r.ID, cell, n = int64(id), cell[k:], min(n, k)
	}
	if n == 0 || size == 0 || size > maxPayload {
		return r, errDamaged
	}
	local := f.local(int(size), r.Table)
	if local > len(cell) {
		return r, errDamaged
	}
	payload := cell[:local]
	var err error
	if local < int(size) {
		if len(cell) < local+4 {
			return r, errDamaged
		}
		payload, r.Pages, err = f.overflow(payload, int(size), binary.BigEndian.Uint32(cell[local:]), r.Pages)
	}
	values, whole := record(payload)
	if err == nil && !whole {
		err = errDamaged
	}
	r.Values = values
	return r, err
}

// local returns how many bytes of a row are stored on its own page.
func (f *File) local(size int, table bool) int {
	u := f.usable
	most, least := u-35, (u-12)*32/255-23
	if !table {
		most = (u-12)*64/255 - 23
	}
	if size <= most {
		return size
	}
	if k := least + (size-least)%(u-4); k <= most {
		return k
	}
	return least
}

// overflow appends the rest of a row to its beginning.
func (f *File) overflow(begin []byte, size int, next uint32, pages []uint32) ([]byte, []uint32, error) {
	if size/(f.usable-4) > int(f.pages) {
		return begin, pages, errDamaged
	}
	all := append(make([]byte, 0, size), begin...)
	page := make([]byte, f.size)
	for len(all) < size {
		if err := f.page(next, page); err != nil {
			return all, pages, errDamaged
		}
		pages = append(pages, next)
		next = binary.BigEndian.Uint32(page)
		all = append(all, page[4:4+min(f.usable-4, size-len(all))]...)
	}
	return all, pages, nil
}

// record decodes the values of a row. It leaves out values that are cut off.
func record(data []byte) (values []any, whole bool) {
	size, n := varint(data)
	if n == 0 || size < uint64(n) || size > uint64(len(data)) {
		return nil, false
	}
	types, body := data[n:size], data[size:]
	for len(types) > 0 {
		kind, k := varint(types)
		if k == 0 || kind == 10 || kind == 11 {
			return nil, false
		}
		types = types[k:]
		length := width(kind)
		if length > uint64(len(body)) {
			return values, false
		}
		values = append(values, value(kind, body[:length]))
		body = body[length:]
	}
	return values, true
}

// width returns the number of bytes of a value with a serial type.
func width(kind uint64) uint64 {
	switch {
	case kind >= 12:
		return (kind - 12) / 2
	case kind >= 8:
		return 0
	}
	return [...]uint64{0, 1, 2, 3, 4, 6, 8, 8}[kind]
}

func value(kind uint64, b []byte) any {
	switch {
	case kind >= 12 && kind%2 == 1:
		return string(b)
	case kind >= 12:
		return bytes.Clone(b)
	case kind == 0:
		return nil
	case kind >= 8:
		return int64(kind - 8)
	}
	n := uint64(0)
	for _, c := range b {
		n = n<<8 | uint64(c)
	}
	if kind == 7 {
		return math.Float64frombits(n)
	}
	unused := 64 - 8*len(b)
	return int64(n<<unused) >> unused // extends the sign
}

// varint reads a number of one to nine bytes. n is 0 if the number is cut off.
func varint(b []byte) (v uint64, n int) {
	for i, c := range b[:min(9, len(b))] {
		if i == 8 {
			return v<<8 | uint64(c), 9
		}
		if v = v<<7 | uint64(c&0x7f); c < 0x80 {
			return v, i + 1
		}
	}
	return 0, 0
}
