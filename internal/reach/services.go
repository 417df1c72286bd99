//go:build linux

package main

import (
	"fmt"
	"net/http"
	"strings"
)

// answers holds the responses of the stand-ins for web services, by request. A pattern without a
// host is for servers that have an option for the service's URL. A pattern with a host goes through
// the proxy.
var answers = map[string]string{
	"GET /v2/libs/search":                        `{"results":[{"id":"/cats/whiskers","title":"Whiskers","description":"A library about cats.","totalSnippets":1,"totalTokens":9,"stars":9,"trustScore":9,"state":"finalized","lastUpdateDate":"2026-01-01"}]}`, // context7
	"POST /v2/scrape":                            `{"success":true,"data":{"markdown":"Nine lives.","metadata":{"title":"Whiskers","statusCode":200}}}`,                                                                                                         // firecrawl
	"POST /chart":                                `{"success":true,"resultObj":"https://charts.example/whiskers.png"}`,                                                                                                                                          // antv-chart
	"GET /v1/users/me":                           `{"object":"user","id":"1","type":"bot","name":"Whiskers"}`,                                                                                                                                                   // notion
	"GET /api/0/users/me/regions/":               `{"regions":[]}`,
	"GET /api/0/organizations/":                  `[{"id":"9","slug":"cats","name":"Whiskers","links":{"organizationUrl":"https://cats.example","regionUrl":""}}]`,
	"GET /api/0/auth/":                           `{"id":"9","name":"Whiskers","email":"whiskers@example.org"}`, // sentry
	"GET /v1/organizations":                      `[{"id":"1","slug":"cats","name":"Whiskers"}]`,                // supabase
	"/docs/api/graphql":                          `{"data":{"schema":"type Query { cat: String }"}}`,            // supabase
	"GET /api/contents/":                         contentsOfJupyter,
	"GET /api/contents":                          contentsOfJupyter,
	"GET /search":                                `{"query":"cats","number_of_results":1,"results":[{"title":"Whiskers","url":"https://cats.example/","content":"Nine lives.","score":1}]}`,                                                                                                                                                      // searxng
	"GET /api/v4/projects":                       `[{"id":9,"name":"whiskers","path_with_namespace":"cats/whiskers","visibility":"public","web_url":"https://cats.example/","description":"","ssh_url_to_repo":"","http_url_to_repo":"","created_at":"2026-01-01T00:00:00Z","last_activity_at":"2026-01-01T00:00:00Z","default_branch":"main"}]`, // gitlab
	"GET api.airtable.com/v0/meta/bases":         `{"bases":[{"id":"app1","name":"Whiskers","permissionLevel":"read"}]}`,
	"GET en.wikipedia.org/w/api.php":             `{"batchcomplete":"","query":{"searchinfo":{"totalhits":1},"search":[{"ns":0,"title":"Whiskers","pageid":9,"size":9,"wordcount":2,"snippet":"Nine lives.","timestamp":"2026-01-01T00:00:00Z"}]}}`,
	"POST api.tavily.com/search":                 `{"query":"cats","results":[{"title":"Whiskers","url":"https://cats.example/","content":"Nine lives.","score":1}],"response_time":0.1}`,
	"GET api.figma.com/v1/files/{key}":           `{"name":"Whiskers","lastModified":"2026-01-01T00:00:00Z","thumbnailUrl":"","version":"1","role":"owner","editorType":"figma","schemaVersion":0,"components":{},"componentSets":{},"styles":{},"document":{"id":"0:0","name":"Document","type":"DOCUMENT","children":[{"id":"0:1","name":"Basket","type":"CANVAS","children":[]}]}}`,
	"GET api.github.com/search/code":             `{"total_count":1,"incomplete_results":false,"items":[{"name":"whiskers.go","path":"whiskers.go"}]}`,
	"GET api.search.brave.com/res/v1/web/search": `{"web":{"results":[{"title":"Whiskers","description":"Nine lives.","url":"https://cats.example/"}]}}`,
	"POST api.exa.ai/search":                     `{"requestId":"1","results":[{"id":"1","title":"Whiskers","url":"https://cats.example/","text":"Nine lives.","score":1}]}`,
}

// publicHosts are the hosts in whose place the proxy responds.
var publicHosts = map[string]bool{"api.tavily.com": true, "api.figma.com": true, "api.github.com": true, "api.search.brave.com": true, "api.exa.ai": true, "docs.aws.amazon.com": true, "api.airtable.com": true, "en.wikipedia.org": true}

// contentsOfJupyter is a folder of a Jupyter server with one notebook.
const contentsOfJupyter = `{"name":"","path":"","type":"directory","writable":true,"created":"2026-01-01T00:00:00Z","last_modified":"2026-01-01T00:00:00Z","mimetype":null,"format":"json","size":null,"content":[` +
	`{"name":"whiskers.ipynb","path":"whiskers.ipynb","type":"notebook","writable":true,"created":"2026-01-01T00:00:00Z","last_modified":"2026-01-01T00:00:00Z","mimetype":null,"format":null,"size":9,"content":null}]}`

// serveAnswers adds the stand-ins of web services.
func serveAnswers(mux *http.ServeMux) {
	for pattern, body := range answers {
		mux.HandleFunc(pattern, func(out http.ResponseWriter, _ *http.Request) {
			out.Header().Set("Content-Type", "application/json")
			_, _ = fmt.Fprint(out, body)
		})
	}
}

// A model's repository at Hugging Face, at one commit.
const (
	modelRepo = "/Qdrant/all-MiniLM-L6-v2-onnx"
	modelAt   = "0123456789abcdef0123456789abcdef01234567"
)

// serveModel adds a stand-in for Hugging Face with the model that qdrant downloads.
func serveModel(mux *http.ServeMux) {
	files := map[string]string{
		"model.onnx":            string(tinyModel()),
		"config.json":           `{"pad_token_id":0}`,
		"tokenizer_config.json": `{"model_max_length":16,"pad_token":"[PAD]"}`,
		"tokenizer.json": `{"version":"1.0","truncation":null,"padding":null,"added_tokens":[],"normalizer":{"type":"Lowercase"},"pre_tokenizer":{"type":"Whitespace"},"post_processor":null,"decoder":null,` +
			`"model":{"type":"WordLevel","vocab":{"[PAD]":0,"[UNK]":1,"whiskers":2},"unk_token":"[UNK]"}}`,
		"special_tokens_map.json": `{"pad_token":"[PAD]","unk_token":"[UNK]"}`,
	}
	var siblings, tree []string
	for name, text := range files {
		siblings = append(siblings, fmt.Sprintf(`{"rfilename":%q}`, name))
		tree = append(tree, fmt.Sprintf(`{"type":"file","path":%q,"size":%d,"oid":"%040x"}`, name, len(text), len(name)))
	}
	send := func(pattern, body string) {
		mux.HandleFunc(pattern, func(out http.ResponseWriter, _ *http.Request) {
			out.Header().Set("Content-Type", "application/json")
			_, _ = fmt.Fprint(out, body)
		})
	}
	about := `{"id":"` + modelRepo[1:] + `","sha":"` + modelAt + `","siblings":[` + strings.Join(siblings, ",") + `]}`
	send("GET /api/models"+modelRepo, about)
	send("GET /api/models"+modelRepo+"/revision/{at}", about)
	send("GET /api/models"+modelRepo+"/tree/{at}", `[`+strings.Join(tree, ",")+`]`)
	mux.HandleFunc("GET "+modelRepo+"/resolve/{at}/{name}", func(out http.ResponseWriter, in *http.Request) {
		name := in.PathValue("name")
		text, ok := files[name]
		if !ok {
			http.NotFound(out, in)
			return
		}
		out.Header().Set("ETag", fmt.Sprintf(`"%040x"`, len(name)))
		out.Header().Set("X-Repo-Commit", modelAt)
		out.Header().Set("Content-Length", fmt.Sprint(len(text)))
		_, _ = fmt.Fprint(out, text)
	})
}
