package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"testing"
	"testing/iotest"

	"google.golang.org/genai"
)

// stream decodes a stream.
func stream(in io.Reader) iter.Seq2[*genai.GenerateContentResponse, error] {
	r := newReader()
	r.reset(in)
	return r.responses
}

// The data of an event contains only the line breaks between its lines, and a piece of a long line
// keeps its last character.
func TestDataOfAnEvent(t *testing.T) {
	r := newReader()
	piece := strings.Repeat("x", 32<<10-len("data: ")-1) + "\r" // fills the buffer
	r.reset(strings.NewReader("data: a\r\ndata: b\r\n\r\ndata: " + piece + "y\n\n"))
	for _, want := range []string{"a\nb", piece + "y"} {
		if got, err := r.next(); err != nil || string(got) != want {
			t.Errorf("an event of %d bytes and %v, want %d", len(got), err, len(want))
		}
	}
}

// Each form of a stream results in the same texts, wherever the network splits it.
func TestStreamForms(t *testing.T) {
	event := func(text string) string {
		return fmt.Sprintf(`{"candidates":[{"content":{"role":"model","parts":[{"text":%q}]}}]}`, text)
	}
	long := strings.Repeat("é", 100_000)
	for _, c := range []struct{ name, stream, want, fault string }{
		{"line feeds", "data: " + event("a") + "\n\ndata: " + event("b") + "\n\n", "ab", ""},
		{"carriage returns", "data: " + event("a") + "\r\n\r\ndata: " + event("b") + "\r\n\r\n", "ab", ""},
		{"no space", "data:" + event("a") + "\n\n", "a", ""},
		{"no end", "data: " + event("a") + "\n\ndata: " + event("b"), "ab", ""},
		{"comments and names", ": hello\n\nevent: message\nid: 1\nretry: 5\ndata: " + event("a") + "\n\n", "a", ""},
		{"data of several lines", "data: {\"candidates\":\ndata: [{\"content\":{\"parts\":[{\"text\":\"a\"}]}}]}\n\n", "a", ""},
		{"longer than the buffer", "data: " + event(long) + "\r\n\r\ndata: " + event("b") + "\r\n\r\n", long + "b", ""},
		{"empty", "", "", ""},
		{"cut", "data: " + event("a") + "\n\ndata: " + event("b")[:20], "a", "not JSON"},
		{"no JSON", "<html>busy</html>", "", "not JSON"},
		{"error event", "data: " + event("a") + "\n\ndata: {\"error\":{\"code\":503,\"message\":\"busy\",\"status\":\"UNAVAILABLE\"}}\n\n", "a", "busy"},
		{"bare error", "{\n  \"error\": {\n    \"code\": 503,\n    \"message\": \"busy\"\n  }\n}\n", "", "busy"},
	} {
		for name, r := range map[string]io.Reader{"whole": strings.NewReader(c.stream), "bytes": iotest.OneByteReader(strings.NewReader(c.stream)), "late end": iotest.DataErrReader(strings.NewReader(c.stream))} {
			text, fault := "", error(nil)
			for resp, err := range stream(r) {
				if err != nil {
					fault = err
					continue
				}
				text += resp.Candidates[0].Content.Parts[0].Text
			}
			if text != c.want || (fault == nil) != (c.fault == "") || fault != nil && !strings.Contains(fault.Error(), c.fault) {
				t.Errorf("%s, %s: %.100q, %v; want %.100q, %q", c.name, name, text, fault, c.want, c.fault)
			}
		}
	}
	lost := errors.New("lost")
	for resp, err := range stream(io.MultiReader(strings.NewReader("data: "+event("a")+"\n\ndata: {\"cand"), iotest.ErrReader(lost))) {
		if resp == nil && err != lost {
			t.Errorf("after a lost connection: %v", err)
		}
	}
}

// The decoder reads everything that genai reads, and every digit of a call's arguments.
func TestAnswersKeepAllParts(t *testing.T) {
	resp, err := new(decoder).decode([]byte(`{"candidates":[{"content":{"role":"model","parts":[
		{"text":"hm","thought":true},{"text":"","thoughtSignature":"c2ln"},{"functionCall":{"id":"7","name":"f","args":{"n":9007199254740993,"f":1.10}},"thoughtSignature":"c2ln"},
		{"functionCall":{"name":"g"}},{"inlineData":{"mimeType":"image/png","data":"aGk="}},{"executableCode":{"language":"PYTHON","code":"1"}}]},
		"finishReason":"STOP","finishMessage":"all","index":0}],"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":4,"thoughtsTokenCount":5,"cachedContentTokenCount":2,"toolUsePromptTokenCount":1},
		"modelVersion":"m","responseId":"r","promptFeedback":{"blockReason":"SAFETY"}}`))
	if err != nil {
		t.Fatal(err)
	}
	parts := resp.Candidates[0].Content.Parts
	call := parts[2].FunctionCall
	if len(parts) != 6 || !parts[0].Thought || string(parts[1].ThoughtSignature) != "sig" || call.ID != "7" || call.Args["n"] != json.Number("9007199254740993") || call.Args["f"] != json.Number("1.10") ||
		parts[3].FunctionCall.Name != "g" || string(parts[4].InlineData.Data) != "hi" || parts[5].ExecutableCode.Code != "1" {
		t.Errorf("parts %s", fmt.Sprint(parts))
	}
	u := resp.UsageMetadata
	if c := resp.Candidates[0]; c.FinishReason != genai.FinishReasonStop || c.FinishMessage != "all" || resp.ModelVersion != "m" || resp.PromptFeedback.BlockReason != genai.BlockedReasonSafety ||
		u.PromptTokenCount != 3 || u.CandidatesTokenCount != 4 || u.ThoughtsTokenCount != 5 || u.CachedContentTokenCount != 2 || u.ToolUsePromptTokenCount != 1 {
		t.Errorf("response %s", fmt.Sprint(resp))
	}
	if _, err := new(decoder).decode([]byte(`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":"x"}}]}}]}`)); err == nil {
		t.Error("arguments that are no object were taken")
	}
}
