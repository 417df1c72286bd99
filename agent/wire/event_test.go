package wire

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// usual lists events as the service streams them.
var usual = []string{
	`{"candidates": [{"content": {"parts": [{"text": "Hello"}],"role": "model"},"index": 0}],"usageMetadata": {"promptTokenCount": 5,"candidatesTokenCount": 6,"totalTokenCount": 11,"promptTokensDetails": [{"modality": "TEXT","tokenCount": 5}]},"modelVersion": "gemini-2.5-flash","responseId": "abc"}`,
	`{"candidates":[{"content":{"parts":[{"text":"**h\u00e9**\n\"\ud83d\ude00\" é","thought":true}],"role":"model"}}],"usageMetadata":{"promptTokenCount":5,"thoughtsTokenCount":60,"cachedContentTokenCount":3},"modelVersion":"m","responseId":"r"}`,
	`{"candidates":[{"content":{"parts":[{"text":"a"},{"text":"b"}],"role":"model"},"finishReason":"STOP","index":0}],"modelVersion":"m"}`,
	"{ \"candidates\" : [ { \"content\" : {\r\n \"parts\" : [ { \"text\" : \"\" , \"thought\" : false } ] , \"role\" : \"model\" } , \"index\" : 0 } ] }",
	`{"candidates":[{"content":{"parts":[{"functionCall":{"id":"7","name":"f","args":{"n":9007199254740993,"f":-1.10e+5,"s":"x","b":true,"a":[1,"x",[{}]],"o":{"x":{}}}},"thoughtSignature":"c2ln"}],"role":"model"},"finishReason":"STOP","index":0}]}`,
	`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f"}},{"functionCall":{"name":"g","args":{}}}]}}]}`,
	`{"usageMetadata":{}}`, `{}`,
}

// unusual lists the events, and the data that is not an event, that go to decodeAny.
var unusual = []string{
	`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":{"n":null,"a":[],"e":[1,],"é":1,"\u0061":2,"a":3}}}]}}]}`,
	`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":{"n":01,"m":1.}}},{"functionCall":{"name":"f","args":null}},{"functionCall":null}]}}]}`,
	`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":{"n":1}},"functionCall":{"id":"1"}}]}}]}`,
	`{"candidates":[{"content":{"parts":[{"functionCall":{"args":{"a":{"x":1},"a":{"y":2}}}}]}}]}`, `{"candidates":[{"content":{"parts":[{"text":"x","thoughtSignature":""}]}}]}`,
	`{"candidates":[{"content":{"parts":[{"text":"x","thoughtSignature":"c2ln"}]}}]}`,
	`{"candidates":[{"Content":{"parts":[{"text":"x"}]}}]}`, `{"candidates":[],"modelVersion":null}`, `{"candidates":[null]}`,
	`{"candidates":[{"content":{"parts":[]},"index":-1}]}`, `{"candidates":[{"index":1.0}]}`, `{"candidates":[{"index":01}]}`, `{"candidates":[{"index":99999999999}]}`,
	`{"candidates":[{"content":{"parts":[{"text":"x"}]},"content":{"role":"model"}}]}`, `{"candidates":[{"index":0}],"candidates":[{"index":1},{}]}`,
	`{"usageMetadata":{"promptTokenCount":1},"usageMetadata":{"totalTokenCount":2}}`, `{"promptFeedback":{"blockReason":"SAFETY"}}`,
	`{"error":{"code":503,"message":"busy","status":"UNAVAILABLE"}}`, "{\"modelVersion\":\"\xff\"}", "{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\xffb\"}]}}]}",
	`{"modelVersion":"\ud83d"}`, `{"c\u0061ndidates":[{"index":3}]}`, `{"candidates":[{"index":0}]} x`, `{"modelVersion":"m",}`, `{"modelVersion":"m"`, `[]`, `"x"`, ``, `{"candidates":[{"index":}]}`,
}

// same compares both decoders for one event. The fast decoder has read another event before.
func same(t *testing.T, event string) {
	t.Helper()
	var d decoder
	if _, err := d.decode([]byte(usual[0])); err != nil {
		t.Fatal(err)
	}
	got, gotErr := d.decode([]byte(event))
	want, wantErr := decodeAny([]byte(event))
	if fmt.Sprint(gotErr) != fmt.Sprint(wantErr) || !reflect.DeepEqual(got, want) {
		t.Errorf("%q:\n%+v, %v\nwant\n%+v, %v", event, got, gotErr, want, wantErr)
	}
}

// Both decoders have the same result for all events, even damaged ones.
func TestDecodersAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, event := range append(usual, unusual...) {
		same(t, event)
		for range 300 {
			data := []byte(event)
			for range 1 + r.IntN(2) {
				if len(data) == 0 {
					break
				}
				at := r.IntN(len(data))
				switch r.IntN(4) {
				case 0:
					data[at] = byte(r.IntN(256))
				case 1:
					data = append(data[:at], data[at+1:]...)
				case 2:
					data = data[:at]
				default:
					other := usual[r.IntN(len(usual))]
					data = append(data[:at:at], append([]byte(other[r.IntN(len(other)):]), data[at:]...)...)
				}
			}
			same(t, string(data))
		}
	}
}

// FuzzEvents compares the decoders.
func FuzzEvents(f *testing.F) {
	for _, event := range append(usual, unusual...) {
		f.Add(event)
	}
	f.Fuzz(same)
}

// Usual events go through the fast decoder. A chunk takes as long at the end of a long answer as at
// its beginning.
func TestUsualEventsAreCheap(t *testing.T) {
	for _, event := range usual {
		var d decoder
		d.data = []byte(event)
		if d.response() == nil {
			t.Errorf("takes the long way: %s", event)
		}
	}
	event := "data: " + usual[0] + "\r\n\r\n"
	r := newReader()
	cost := func(n int) float64 {
		events := strings.NewReader(strings.Repeat(event, n))
		return testing.AllocsPerRun(1, func() {
			events.Seek(0, 0)
			r.reset(events)
			for _, err := range r.responses {
				if err != nil {
					t.Error(err)
				}
			}
		}) / float64(n)
	}
	if few, many := cost(1000), cost(30_000); few > 12 || many > 1.2*few {
		t.Errorf("a chunk makes %.1f allocations among 1,000, and %.1f among 30,000", few, many)
	}
}
