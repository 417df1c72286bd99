package geminitest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

const (
	methodStream   = "streamGenerateContent"
	methodGenerate = "generateContent"
	methodCount    = "countTokens"
	methodList     = "models.list"
	methodGet      = "models.get"
)

// ServeHTTP answers one request of the API.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.isClosed() {
		panic(http.ErrAbortHandler)
	}

	// net/http notices that a client disconnects only after the body was read to its end.
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client has disconnected
	}
	req := Request{Header: r.Header.Clone(), Body: body}
	var known bool
	req.Method, req.Model, known = route(r)
	if !known {
		s.reject(w, req, &failure{
			Code: http.StatusNotFound, Status: "NOT_FOUND",
			Message: fmt.Sprintf("%s %s is not a method of the API.", r.Method, r.URL.Path),
		})
		return
	}
	if f := s.admit(req); f != nil {
		// The user caused this failure, so it does not count as a wrong request of the client.
		req.Refusal = f.Message
		s.record(req)
		f.write(w)
		return
	}
	switch req.Method {
	case methodList:
		page, f := listModels(r)
		if f != nil {
			s.reject(w, req, f)
			return
		}
		s.record(req)
		writeJSON(w, page)
	case methodGet:
		s.record(req)
		m, _ := findModel(req.Model) // admit has checked that the model exists
		writeJSON(w, m)
	case methodCount:
		s.count(w, req)
	default:
		s.generate(w, r, req)
	}
}

// route returns the method and the model in the path of a request.
func route(r *http.Request) (method, model string, known bool) {
	path, ok := strings.CutPrefix(r.URL.Path, "/v1beta/models")
	if !ok {
		return "", "", false
	}
	if r.Method == http.MethodGet && path == "" {
		return methodList, "", true
	}
	path, ok = strings.CutPrefix(path, "/")
	model, method, action := strings.Cut(path, ":")
	if !ok || model == "" || strings.Contains(model, "/") {
		return "", "", false
	}
	switch {
	case r.Method == http.MethodGet && !action:
		return methodGet, model, true
	case r.Method == http.MethodPost && (method == methodStream || method == methodGenerate || method == methodCount):
		return method, model, true
	}
	return "", "", false
}

// admit checks the key and the model.
func (s *Server) admit(req Request) *failure {
	switch key := req.Header.Get("X-Goog-Api-Key"); key {
	case s.key:
	case "":
		return noKey()
	default:
		return badKey()
	}
	if req.Method == methodList {
		return nil
	}
	m, known := findModel(req.Model)
	if !known || req.Method != methodGet && !m.supports(req.Method) {
		return noModel(req.Model, req.Method)
	}
	return nil
}

// reject refuses a request that Gemini would refuse, and records the refusal.
func (s *Server) reject(w http.ResponseWriter, req Request, f *failure) {
	req.Refusal = f.Message
	s.record(req)
	s.refuse(f.Message)
	f.write(w)
}

func (s *Server) count(w http.ResponseWriter, req Request) {
	wire, f := decode[countRequest](req.Body)
	if f == nil {
		f = s.checkCount(wire)
	}
	if f != nil {
		s.reject(w, req, f)
		return
	}
	req.decode()
	s.record(req)
	writeJSON(w, map[string]any{"totalTokens": tokens(len(req.Body))})
}

func (s *Server) generate(w http.ResponseWriter, r *http.Request, req Request) {
	f := checkBody(req.Body)
	var wire *generateRequest
	if f == nil {
		wire, f = decode[generateRequest](req.Body)
	}
	if f == nil {
		wire.Model = req.Model
		f = s.check(wire)
	}
	if f == nil {
		f = checkInput(wire, len(req.Body))
	}
	if f == nil && req.Method == methodStream && r.URL.Query().Get("alt") != "sse" {
		f = invalid("Streaming is served as server-sent events only; set alt=sse.")
	}
	if f != nil {
		s.reject(w, req, f)
		return
	}
	req.decode()
	s.record(req)
	reply, scripted := s.next(req)
	if !scripted {
		message := fmt.Sprintf("%s arrived, but no reply was scripted for it", req.Method)
		s.unscript(message)
		(&failure{Code: http.StatusNotImplemented, Status: "UNIMPLEMENTED", Message: message}).write(w)
		return
	}
	s.play(w, r, req, reply)
}

func writeJSON(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	_ = json.NewEncoder(w).Encode(value) // fails only if the client has disconnected
}

// tokens returns a plausible number of tokens.
func tokens(bytes int) int { return bytes/4 + 1 }
