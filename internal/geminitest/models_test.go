package geminitest_test

import (
	"errors"
	"slices"
	"testing"

	"google.golang.org/genai"

	"goated/internal/geminitest"
)

func TestListModels(t *testing.T) {
	s := geminitest.New(t)
	client := newClient(t, s, geminitest.DefaultKey)
	var able, unable []string
	for m, err := range client.Models.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(m.SupportedActions, "generateContent") {
			able = append(able, m.Name)
		} else {
			unable = append(unable, m.Name)
		}
	}
	if !slices.Contains(able, "models/"+modelID) || len(able) != 5 || len(unable) != 1 {
		t.Errorf("able %q, unable %q", able, unable)
	}
	if n := len(s.Requests()); n != 3 {
		t.Errorf("%d pages", n)
	}
	page, err := client.Models.List(t.Context(), &genai.ListModelsConfig{PageSize: 1})
	if err != nil || len(page.Items) != 1 || page.NextPageToken == "" {
		t.Errorf("page %+v, error %v", page, err)
	}
}

func TestListModelsRefuses(t *testing.T) {
	s := geminitest.New(t)
	s.ExpectRefusals()
	client := newClient(t, s, geminitest.DefaultKey)
	for _, config := range []*genai.ListModelsConfig{{PageToken: "page-99"}, {PageToken: "x"}, {PageSize: -1}} {
		if _, err := client.Models.List(t.Context(), config); err == nil {
			t.Errorf("%+v was accepted", config)
		}
	}
	if got := len(s.Refusals()); got != 3 {
		t.Errorf("%d refusals", got)
	}
}

func TestGetModel(t *testing.T) {
	s := geminitest.New(t)
	client := newClient(t, s, geminitest.DefaultKey)
	m, err := client.Models.Get(t.Context(), modelID, nil)
	if err != nil || m.Name != "models/"+modelID || m.InputTokenLimit != 1<<20 || !m.Thinking {
		t.Errorf("model %+v, error %v", m, err)
	}
	_, err = client.Models.Get(t.Context(), "gemini-0", nil)
	wantNotFound(t, err)
	_, err = client.Models.GenerateContent(t.Context(), "gemini-0", genai.Text("hi"), nil)
	wantNotFound(t, err)
	_, err = client.Models.GenerateContent(t.Context(), "gemini-embedding-001", genai.Text("hi"), nil)
	wantNotFound(t, err)
}

func wantNotFound(t *testing.T, err error) {
	t.Helper()
	var ae genai.APIError
	if !errors.As(err, &ae) || ae.Code != 404 || ae.Status != "NOT_FOUND" {
		t.Errorf("error = %v", err)
	}
}

func TestCountTokens(t *testing.T) {
	s := geminitest.New(t)
	res, err := newClient(t, s, geminitest.DefaultKey).Models.CountTokens(t.Context(), modelID, genai.Text("hello"), nil)
	if err != nil || res.TotalTokens <= 0 {
		t.Errorf("response %+v, error %v", res, err)
	}
	if got := s.Requests()[0].Method; got != "countTokens" {
		t.Errorf("method = %q", got)
	}
}
