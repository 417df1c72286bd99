package inspect

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"
	"time"
)

// maxFile limits the size of a file to read, in bytes.
const maxFile = 512 << 20

// A document is the export format of seed 004, with additional members for each message.
type document struct {
	Session  session   `json:"session"`
	Servers  Starts    `json:"servers,omitempty"`
	Messages []message `json:"messages"`
	Metrics  []Figures `json:"metrics,omitempty"` // for people; not imported
}

// Starts contains the flags that connect each server, for example --server with its path.
type Starts map[string][]string

// Connected stores the flags that connect the servers, for [Log.Export].
func (l *Log) Connected(s Starts) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.starts = s
}

// Started returns the flags that connect the servers of the log, or nil if they are not known.
func (l *Log) Started() Starts {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.starts
}

// ImportStarts reads the flags that connect the servers of a file. It returns nil if the file has
// none.
func ImportStarts(r io.Reader) Starts {
	var d struct {
		Servers Starts `json:"servers"`
	}
	if json.NewDecoder(io.LimitReader(r, maxFile)).Decode(&d) != nil {
		return nil // Import returns the error
	}
	return d.Servers
}

type session struct {
	Start        json.Number `json:"start,omitempty"` // in milliseconds since 1970
	End          json.Number `json:"end,omitempty"`
	MessageCount int         `json:"messageCount"`
}

type message struct {
	Timestamp json.Number     `json:"timestamp"` // in milliseconds since 1970; with exact decimals
	Direction string          `json:"direction"` // outgoing: goated sent it; or incoming
	Server    string          `json:"server,omitempty"`
	Message   json.RawMessage `json:"message,omitempty"`
	Text      string          `json:"text,omitempty"` // in place of a message: a frame that is cut or is not JSON
	Noise     bool            `json:"noise,omitempty"`
	End       End             `json:"end,omitempty"` // of the connection: closed by goated, or lost; text describes how
	Call      *Call           `json:"call,omitempty"`
	Size      int             `json:"size"`

	Unanswered json.RawMessage `json:"unanswered,omitempty"` // id of a request without a response; text has the reason
}

// Export writes the entries that a filter selects as JSON, sorted by time, with the statistics.
func (l *Log) Export(w io.Writer, f Filter) error {
	d := document{Messages: []message{}, Metrics: l.Figures(f), Servers: l.Started()}
	type at struct {
		time.Time
		message
	}
	var all []at
	for _, e := range l.Entries(f) {
		asks := Call{Method: e.Method, ID: e.ID}
		answers := Call{ID: e.ID, Code: e.Code}
		for i, p := range []Part{e.Request, e.Answer} {
			if p.Time.IsZero() && p.Data == nil {
				continue
			}
			m := message{Timestamp: stamp(p.Time), Direction: "outgoing", Server: e.Server, Size: p.Size, Noise: e.Kind == Noise}
			if e.Ours != (i == 0) {
				m.Direction = "incoming"
			}
			if e.Kind == Ended {
				if m.End = Closed; e.Outcome == ServerEnded {
					m.End = Lost
				}
			}
			if i == 1 && e.unanswered() {
				m.Unanswered = json.RawMessage(e.ID)
				if e.Outcome != Unanswered {
					m.Direction = "outgoing" // goated gave it up
				}
			}
			if e.call {
				m.Call = []*Call{&asks, &answers}[i]
			}
			if e.Kind != Ended && m.Unanswered == nil && json.Valid(p.Data) {
				m.Message = p.Data
			} else {
				m.Text = string(p.Data)
			}
			all = append(all, at{p.Time, m})
		}
	}
	slices.SortStableFunc(all, func(a, b at) int { return cmp.Compare(a.UnixNano(), b.UnixNano()) })
	for _, m := range all {
		d.Messages = append(d.Messages, m.message)
	}
	if n := len(all); n > 0 {
		d.Session = session{all[0].Timestamp, all[n-1].Timestamp, n}
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(d)
}

// stamp formats a time in milliseconds, exact to the nanosecond.
func stamp(t time.Time) json.Number {
	ns := t.UnixNano()
	whole, part := ns/1_000_000, ns%1_000_000
	if part == 0 {
		return json.Number(fmt.Sprint(whole))
	}
	return json.Number(strings.TrimRight(fmt.Sprintf("%d.%06d", whole, part), "0"))
}

// moment parses a stamp.
func moment(n json.Number) (time.Time, error) {
	r, ok := new(big.Rat).SetString(string(n))
	if !ok || len(n) > 40 || strings.ContainsAny(string(n), "eE/") {
		return time.Time{}, fmt.Errorf("%q is not a time in milliseconds", string(n))
	}
	ns := new(big.Int).Quo(new(big.Int).Mul(r.Num(), big.NewInt(1_000_000)), r.Denom())
	if !ns.IsInt64() {
		return time.Time{}, fmt.Errorf("%s is too large for a time in milliseconds", n)
	}
	return time.Unix(0, ns.Int64()), nil
}

// Import reads an export and returns its frames. The error names the message that is wrong.
func Import(r io.Reader) ([]Frame, error) {
	var d struct {
		Messages *[]message `json:"messages"`
	}
	limited := &io.LimitedReader{R: r, N: maxFile + 1}
	dec := json.NewDecoder(limited)
	if err := dec.Decode(&d); err != nil {
		var syntax *json.SyntaxError
		switch {
		case limited.N <= 0:
			return nil, fmt.Errorf("the file is larger than %d MB", maxFile>>20)
		case errors.Is(err, io.EOF):
			return nil, errors.New("the file is empty")
		case errors.Is(err, io.ErrUnexpectedEOF):
			return nil, fmt.Errorf("the file ends in the middle, after %d bytes", dec.InputOffset())
		case errors.As(err, &syntax):
			return nil, fmt.Errorf("the file is not JSON: byte %d: %w", syntax.Offset, err)
		}
		return nil, fmt.Errorf("the file is not an export of messages: %w", err)
	}
	if d.Messages == nil {
		return nil, errors.New(`the file is not an export of messages: it has no "messages"`)
	}
	frames := make([]Frame, 0, len(*d.Messages))
	for i, m := range *d.Messages {
		at, err := moment(m.Timestamp)
		if err != nil {
			return nil, fmt.Errorf("message %d: %w", i+1, err)
		}
		if m.Direction != "outgoing" && m.Direction != "incoming" {
			return nil, fmt.Errorf("message %d: its direction is %q; it must be outgoing or incoming", i+1, m.Direction)
		}
		if m.End != NotEnded && m.End != Closed && m.End != Lost {
			return nil, fmt.Errorf("message %d: the end of its connection is %q; it must be closed or lost", i+1, string(m.End))
		}
		f := Frame{Server: m.Server, Sent: m.Direction == "outgoing", Noise: m.Noise, Unanswered: identity(m.Unanswered), End: m.End, Time: at, Data: m.Message, Size: m.Size, Call: m.Call}
		if m.Message == nil {
			f.Data = []byte(m.Text)
		}
		frames = append(frames, f)
	}
	return frames, nil
}
