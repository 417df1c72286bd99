package geminitest

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// modelsPerPage is smaller than the number of models, so that a client that reads only one page
// misses some. A server may always return fewer than the client requests.
const modelsPerPage = 2

type model struct {
	Name        string   `json:"name"`
	Version     string   `json:"version"`
	DisplayName string   `json:"displayName"`
	Description string   `json:"description"`
	InputLimit  int      `json:"inputTokenLimit"`
	OutputLimit int      `json:"outputTokenLimit"`
	Methods     []string `json:"supportedGenerationMethods"`
	Temperature float64  `json:"temperature,omitempty"`
	TopP        float64  `json:"topP,omitempty"`
	TopK        int      `json:"topK,omitempty"`
	Thinking    bool     `json:"thinking,omitempty"`
}

// models returns all models. One of them does not generate content.
func models() []model {
	var list []model
	for _, m := range []struct{ id, title string }{
		{"gemini-2.5-flash", "Gemini 2.5 Flash"},
		{"gemini-3-flash-preview", "Gemini 3 Flash Preview"},
		{"gemini-3.1-pro-preview", "Gemini 3.1 Pro Preview"},
		{"gemini-flash-latest", "Gemini Flash Latest"},
		{"gemini-pro-latest", "Gemini Pro Latest"},
	} {
		list = append(list, model{
			Name: "models/" + m.id, Version: "001", DisplayName: m.title,
			Description: m.title + ", as served on loopback.",
			InputLimit:  1 << 20, OutputLimit: 1 << 16,
			Methods:     []string{"generateContent", "countTokens", "createCachedContent", "batchGenerateContent"},
			Temperature: 1, TopP: 0.95, TopK: 64, Thinking: true,
		})
	}
	return append(list, model{
		Name: "models/gemini-embedding-001", Version: "001", DisplayName: "Gemini Embedding 001",
		Description: "Obtain a distributed representation of a text.",
		InputLimit:  2048, OutputLimit: 1,
		Methods: []string{"embedContent", "countTextTokens", "countTokens"},
	})
}

func findModel(id string) (model, bool) {
	all := models()
	i := slices.IndexFunc(all, func(m model) bool { return m.Name == "models/"+id })
	if i < 0 {
		return model{}, false
	}
	return all[i], true
}

// supports reports whether the model supports method. The list has no separate entry for streaming.
func (m model) supports(method string) bool {
	if method == methodStream {
		method = methodGenerate
	}
	return slices.Contains(m.Methods, method)
}

// listModels returns one page of the list of models.
func listModels(r *http.Request) (map[string]any, *failure) {
	all := models()
	from, size := 0, modelsPerPage
	if token := r.FormValue("pageToken"); token != "" {
		position, err := strconv.Atoi(strings.TrimPrefix(token, "page-"))
		if err != nil || position <= 0 || position >= len(all) {
			return nil, invalid("Page token is invalid.")
		}
		from = position
	}
	if asked := r.FormValue("pageSize"); asked != "" {
		n, err := strconv.Atoi(asked)
		if err != nil || n < 0 {
			return nil, invalid("Page size is invalid.")
		}
		if n > 0 {
			size = min(size, n)
		}
	}
	page := map[string]any{"models": all[from:min(from+size, len(all))]}
	if from+size < len(all) {
		page["nextPageToken"] = "page-" + strconv.Itoa(from+size)
	}
	return page, nil
}
