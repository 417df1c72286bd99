package samples

// RichAnswer contains everything that an answer can contain.
const RichAnswer = "Here is what I found. The **quarterly report** is in `reports/2026-Q3.md`, and three of the *four* targets were met. See the [full dashboard](https://grafana.example.org/d/q3) or ~~the old one~~.\n\n" +
	"## Summary\n\n| Metric | Target | Actual | Status |\n|:--|--:|--:|:-:|\n| Revenue | $1.20M | **$1.31M** | Met |\n| Churn | 2.5 % | 2.1 % | Met |\n| Latency `p95` | 180 ms | 212 ms | Missed |\n\n" +
	"### What to do next\n\n1. Profile the slow endpoint with `pprof`\n2. Move the JSON decoder out of the hot path\n   - it allocates 14 MB per request\n   - reuse buffers with a `sync.Pool`\n3. Re-run the load test\n\n" +
	"```go\n// Handler streams rows without buffering them all.\nfunc Handler(w http.ResponseWriter, r *http.Request) error {\n\tenc := json.NewEncoder(w)\n\tfor row := range rows(r.Context(), 128) {\n\t\tif err := enc.Encode(row); err != nil {\n\t\t\treturn fmt.Errorf(\"encode %d: %w\", row.ID, err)\n\t\t}\n\t}\n\treturn nil\n}\n```\n\n" +
	"> Latency was the only target missed, and only in the EU region.\n\n- [x] Fetch the report\n- [ ] Open a ticket for the latency work\n\nThe mean is $\\mu = \\frac{1}{n}\\sum_i x_i$, see the note.[^1]\n\n---\n\n[^1]: Over all 412 samples."
