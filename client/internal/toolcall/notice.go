package toolcall

import (
	"bytes"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/jsonscan"
)

// Progress decodes a progress notification. It compares member names exactly.
func Progress(params []byte) (p mcp.ProgressNotificationParams) {
	number := func(value []byte) (n float64) {
		if len(value) <= jsonscan.MaxName {
			_ = json.Unmarshal(value, &n)
		}
		return n
	}
	jsonscan.Members(params, func(key, value []byte) {
		switch string(key) {
		case "progressToken":
			if len(value) <= jsonscan.MaxName {
				p.ProgressToken = jsonscan.Unquote(value)
			}
		case "progress":
			p.Progress = number(value)
		case "total":
			p.Total = number(value)
		case "message":
			p.Message = jsonscan.Unquote(value)
		}
	})
	return p
}

// LogLine returns the text of a log message.
func LogLine(params []byte) string {
	var level, line string
	jsonscan.Members(params, func(key, value []byte) {
		switch string(key) {
		case "level":
			level = jsonscan.Unquote(value)
		case "data":
			line = jsonscan.Unquote(value)
			if value[0] != '"' {
				line = compact(value)
			}
		}
	})
	switch level {
	case "", "debug", "info", "notice":
		return line
	}
	return level + ": " + line
}

// compact returns a JSON value on one line, truncated to MaxText.
func compact(value []byte) string {
	if len(value) > jsonscan.MaxText {
		return string(value[:jsonscan.MaxText]) + "…"
	}
	var b bytes.Buffer
	_ = json.Compact(&b, value)
	return b.String()
}
