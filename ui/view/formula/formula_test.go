package formula

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// written returns a formula on one line, or "refused" if Parse rejects it.
func written(tex string) string {
	row, ok := Parse(tex)
	if !ok {
		return "refused"
	}
	var out strings.Builder
	for _, run := range Write(row) {
		out.WriteString(run.Text)
	}
	return out.String()
}

func TestFormulas(t *testing.T) {
	for tex, want := range map[string]string{
		`x^2`:                                  "x²",
		`E = mc^2`:                             "E = mc²",
		`a^2 + b^2 = c^2`:                      "a² + b² = c²",
		`x_1, x_2, \ldots, x_n`:                "x₁, x₂, …, xₙ",
		`\frac{-b \pm \sqrt{b^2 - 4ac}}{2a}`:   "(−b ± √(b² − 4ac))/(2a)",
		`\sum_{i=1}^{n} i = \frac{n(n+1)}{2}`:  "∑ᵢ₌₁ⁿ i = n(n + 1)/2",
		`\int_0^1 x^2\,dx = \frac{1}{3}`:       "∫₀¹ x² dx = 1/3",
		`\int_{-\infty}^{\infty} e^{-x^2} dx`:  "∫_(−∞)^∞ e^(−x²)dx",
		`\lim_{x \to 0} \frac{\sin x}{x} = 1`:  "lim_(x→0) ((sin x)/x) = 1",
		`e^{i\pi} + 1 = 0`:                     "e^(iπ) + 1 = 0",
		`\forall \epsilon > 0`:                 "∀ϵ > 0",
		`x \in \mathbb{R}^n`:                   "x ∈ ℝⁿ",
		`f: A \to B`:                           "f : A → B",
		`A \cup B \subseteq C \setminus D`:     "A ∪ B ⊆ C ∖ D",
		`\hat{\theta} = \bar{x} + \vec{v}`:     "θ̂ = x̄ + v⃗",
		`\nabla \cdot \mathbf{E} = 0`:          "∇ · E = 0",
		`\frac{d}{dx} f(x) = f'(x)`:            "(d/dx)f(x) = f′(x)",
		`\frac{d^2 y}{dx^2} + y'' = 0`:         "d²y/dx² + y″ = 0",
		`-\frac{\partial f}{\partial t}`:       "−∂f/∂t",
		`\left( \frac{a}{b} \right)^2`:         "(a/b)²",
		`\frac{1}{2}x`:                         "(1/2)x",
		`x\frac{a}{b}`:                         "x(a/b)",
		`2\frac{1}{2}`:                         "2 1/2",
		`a/\frac{b}{c}`:                        "a/(b/c)",
		`a \div \frac{b}{c}`:                   "a ÷ (b/c)",
		`\frac{\frac{a}{b}}{c}`:                "(a/b)/c",
		`\frac{a}{bc}`:                         "a/(bc)",
		`\frac{a+b}{c}`:                        "(a + b)/c",
		`\frac{a}{b(c+d)}`:                     "a/(b(c + d))",
		`\frac{x}{y}!`:                         "(x/y)!",
		`\frac12 + \frac ab`:                   "1/2 + a/b",
		`\sin\frac{x}{2}`:                      "sin (x/2)",
		`\binom{n}{k} = \frac{n!}{k!(n-k)!}`:   "(n choose k) = n!/(k!(n − k)!)",
		`O(n \log n)`:                          "O(n log n)",
		`\sqrt[3]{27} = 3`:                     "∛27 = 3",
		`x\sqrt[n]{y}`:                         "x(ⁿ√y)",
		`\sqrt{2}x`:                            "√(2)x",
		`\sqrt{x}^2`:                           "(√x)²",
		`x_{max}`:                              "xₘₐₓ",
		`v_{\text{rms}}`:                       "vᵣₘₛ",
		`x_{i,j}`:                              "x_(i,j)",
		`F_B = F_Bx`:                           "F_B = F_(B)x",
		`A^T, A^{-1}, A^\dagger, x^*`:          "Aᵀ, A⁻¹, A†, x*",
		`90^\circ`:                             "90°",
		`x^{1/2}`:                              "x^(1/2)",
		`x^{y^{z}}`:                            "x^(yᶻ)",
		`{x^2}^3`:                              "(x²)³",
		`(a+b)^2`:                              "(a + b)²",
		`{ab}^2`:                               "(ab)²",
		`50\% \text{ of } \$100`:               "50% of $100",
		`\mathcal{L} = -\frac{1}{4}`:           "ℒ = −1/4",
		`a \equiv b \pmod{n}`:                  "a ≡ b (mod n)",
		`a \bmod n`:                            "a mod n",
		`\log_2 8 = 3`:                         "log₂ 8 = 3",
		`\sin^2\theta + \cos^2\theta = 1`:      "sin² θ + cos² θ = 1",
		`{}^{14}_6\mathrm{C}`:                  "₆¹⁴C",
		`2\,{}^{14}\mathrm{C}`:                 "2 ¹⁴C",
		`\boxed{42}`:                           "42",
		`a \not= b, a \not\in B`:               "a ≠ b, a ∉ B",
		`\text{Area} = \pi r^2`:                "Area = πr²",
		`\langle \psi | \hat{H} | \psi\rangle`: "⟨ψ|H\u0302|ψ⟩",
		`|x - y| \leq \lVert v \rVert`:         "|x − y| ≤ ‖v‖",
		`\operatorname{argmax}_\theta p(x)`:    "argmax_θ p(x)",
		`\overline{AB}`:                        "A̅B̅",
		`1{,}000 + 1,000 + f(1, 2)`:            "1,000 + 1,000 + f(1, 2)",
		`-5 + (-3) = -8`:                       "−5 + (−3) = −8",
		`\left\{ x \mid x > 0 \right\}`:        "{x ∣ x > 0}",
		`\max_{x \in X} f(x)`:                  "max_(x∈X) f(x)",
		`T(n) = 2T\left(\frac{n}{2}\right)`:    "T(n) = 2T(n/2)",
		`a \xrightarrow{f} b`:                  "a ⟶ᶠ b",
		`\left.\frac{df}{dx}\right|_{x=0}`:     "df/dx|ₓ₌₀",
		`p \implies q \iff \neg r`:             "p ⟹ q ⟺ ¬r",
		`\sum\limits_{k=0}^\infty a_k`:         "∑ₖ₌₀^∞ aₖ",
		`\Big( x \Big)`:                        "(x)",
		`\mathrm{CO_2}`:                        "CO₂",
		`x = 5 \quad y = 6`:                    "x = 5  y = 6",
		`\alpha\beta\Gamma`:                    "αβΓ",
		`f(x) = \begin{cases} x & \text{if } x \ge 0 \\ -x & \text{otherwise} \end{cases}`: "f(x) = {x, if x ≥ 0; −x, otherwise}",
		`\begin{pmatrix} 1 & 0 \\ 0 & 1 \end{pmatrix}`:                                     "(1, 0; 0, 1)",
		`\begin{vmatrix} a & b \\ c & d \\[4pt] \end{vmatrix}`:                             "|a, b; c, d|",
		`\begin{aligned} a &= b + c \\ &= d \end{aligned}`:                                 "a = b + c; = d",
		`a &= b \\ &+ c`:                      "a = b; +c",
		`\sum_{\substack{i<n \\ j<m}} a_{ij}`: "∑_(i<n; j<m) aᵢⱼ",
	} {
		if got := written(tex); got != want {
			t.Errorf("%s\nis  %q\nnot %q", tex, got, want)
		}
	}
}

// Parse rejects a formula that it does not understand completely: the reader then sees the
// source.
func TestUnknownFormulasAreRefused(t *testing.T) {
	for _, tex := range []string{
		``, ` `, `\,`, `\unknown{x}`, `\ce{H2O}`, `\underbrace{a+b}_{c}`, `\cancel{x}`, `\widehat{AB}`, `x^`, `x^{2`, `x}`, `x^1^2`, `x_1_2`, `\frac{a}`, `\frac{a}_b`,
		`\left( x`, `x \right)`, `\left x \right)`, `\begin{matrix} a`, `\begin{matrix} a \end{pmatrix}`, `\begin{tikzpicture} a \end{tikzpicture}`, `\begin{array}{c|c} a & b \end{array}`,
		`a & b`, `50% of x`, `#1`, `a $ b`, "a\x00b", "a\xffb", "a\u202eb", `\text{a $x$ b}`, `\text{\unknown}`, `\text{a`, `\phantom{x}`, `\def\x{1}`, `\newcommand{\x}{1}`, `\`, `\mathbb{+é}`, `\not x`,
		`\sqrt[]{x}`, `\color`, strings.Repeat("{", 100) + strings.Repeat("}", 100), strings.Repeat("x", maxBytes+1),
	} {
		if got := written(tex); got != "refused" {
			t.Errorf("%q is written as %q", tex, got)
		}
	}
}

func TestStylesOfFormulas(t *testing.T) {
	row, _ := Parse(`2x \mathbf{v}`)
	want := []Run{{"2", false, false}, {"x", true, false}, {"v", false, true}}
	got := Write(row)
	if len(got) != len(want) {
		t.Fatalf("got %v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("run %d is %v, not %v", i, got[i], want[i])
		}
	}
}

// formulas generates formulas that Parse accepts, with the letters and digits in them.
func formulas() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		var write func(depth int) string
		write = func(depth int) string {
			var out strings.Builder
			for range rapid.IntRange(1, 4).Draw(t, "nodes") {
				kind := rapid.IntRange(0, 12).Draw(t, "kind")
				if depth == 0 {
					kind %= 3
				}
				switch kind {
				case 0:
					out.WriteString(rapid.SampledFrom([]string{"a", "b", "X", "7", "12"}).Draw(t, "letter"))
				case 1:
					out.WriteString(rapid.SampledFrom([]string{"+", "-", "=", ",", "/", " ", `\cdot `, `\le `, `\to `, `\,`, "(", ")", "|", "!"}).Draw(t, "sign"))
				case 2:
					out.WriteString(rapid.SampledFrom([]string{`\alpha `, `\infty `, `\sum `, `\int `, `\partial `, `\sin `, `\text{so Z}`}).Draw(t, "command"))
				case 3:
					out.WriteString("q^{" + write(depth-1) + "}")
				case 4:
					out.WriteString("q_{" + write(depth-1) + "}")
				case 5:
					out.WriteString(`\frac{` + write(depth-1) + "}{" + write(depth-1) + "}")
				case 6:
					out.WriteString(`\sqrt[n]{` + write(depth-1) + "}")
				case 7:
					out.WriteString(`\left(` + write(depth-1) + `\right)`)
				case 8:
					out.WriteString(`\begin{pmatrix}` + write(depth-1) + "&" + write(depth-1) + `\\` + write(depth-1) + `\end{pmatrix}`)
				case 9:
					out.WriteString("{" + write(depth-1) + "}")
				case 10:
					out.WriteString(`\begin{aligned}` + write(depth-1) + "&" + write(depth-1) + `\\ &` + write(depth-1) + `\end{aligned}`)
				case 11:
					out.WriteString(`\binom{` + write(depth-1) + "}{" + write(depth-1) + "}")
				case 12:
					out.WriteString(`\sum_{` + write(depth-1) + "}^{" + write(depth-1) + "}")
				}
			}
			return out.String()
		}
		return write(3)
	})
}

// bare returns a text in which raised and lowered characters are replaced by plain ones.
func bare(text string) string {
	text = strings.Map(func(r rune) rune {
		for _, pair := range [][2]string{{raised, plainAbove}, {lowered, plainBelow}} {
			from, to := []rune(pair[0]), []rune(pair[1])
			for i := range from {
				if from[i] == r {
					return to[i]
				}
			}
		}
		return r
	}, text)
	return text
}

// Each letter, digit and sign of a formula is in its text, as many times as in the source.
func TestFormulasLoseNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tex := formulas().Draw(t, "tex")
		got := written(tex)
		if got == "refused" {
			if row, _ := Parse("a" + tex); row != nil {
				t.Skip("it has only blanks")
			}
			t.Fatalf("%q is refused", tex)
		}
		text := bare(got)
		for sign, source := range map[string][]string{"7": {"7"}, "12": {"12"}, "X": {"X"}, "α": {`\alpha`}, "∞": {`\infty`}, "∑": {`\sum`}, "∫": {`\int`}, "∂": {`\partial`}, "Z": {"Z"}, "≤": {`\le `}, "→": {`\to `}, "=": {"="}, "!": {"!"}, "choose": {`\binom`}} {
			n := 0
			for _, s := range source {
				n += strings.Count(tex, s)
			}
			if have := strings.Count(text, sign); have != n {
				t.Fatalf("%q is %q, with %q %d times and not %d", tex, got, sign, have, n)
			}
		}
		if strings.Count(text, "(") != strings.Count(text, ")")+strings.Count(tex, "(")-strings.Count(tex, ")") {
			t.Fatalf("%q is %q, whose brackets do not match", tex, got)
		}
		_, places := Places(mustParse(t, tex))
		for n, at := range places {
			if at < 0 || at > len([]rune(got)) {
				t.Fatalf("%q: %q is at %d", tex, n.Text, at)
			}
		}
	})
}

func mustParse(t *rapid.T, tex string) Row {
	row, ok := Parse(tex)
	if !ok {
		t.Fatalf("%q is refused", tex)
	}
	return row
}

// Parse accepts or rejects arbitrary bytes without a panic.
func FuzzFormula(f *testing.F) {
	for _, tex := range []string{`\frac{a}{b}`, `x_1^2'`, `\begin{cases} a & b \\ c \end{cases}`, `\left( \right)`, `\text{a\%}`, `\sqrt[3]{x}`, "\\not\\", "^_{}&"} {
		f.Add(tex)
	}
	f.Fuzz(func(_ *testing.T, tex string) {
		if row, ok := Parse(tex); ok {
			Write(row)
			Places(row)
		}
	})
}

func TestAnyPiecesAreReadOrRefused(t *testing.T) {
	piece := rapid.SampledFrom([]string{`\`, `\\`, "{", "}", "^", "_", "&", "'", "[", "]", "a", "1", " ", `\frac`, `\sqrt`, `\left`, `\right`, "(", ".", `\begin{cases}`, `\end{cases}`, `\text{`, `\hat`, `\not`, `\sum`, `\limits`, `\substack`, `\mathbb`, "é", "\x80", `\overline`, `\mathrm`})
	rapid.Check(t, func(t *rapid.T) {
		tex := strings.Join(rapid.SliceOf(piece).Draw(t, "pieces"), "")
		if row, ok := Parse(tex); ok {
			Write(row)
		}
	})
}

// The longest formulas take milliseconds, regardless of their parts.
func TestLongFormulasAreFast(t *testing.T) {
	for _, part := range []string{"x", "x^2", `\frac{a}{b}`, `\frac{`, "{", "x_{", `\sqrt{`, `\left(`, "&", `\\`, "'", `\begin{cases}`, "a b c ", `\hat x`, "-", `\substack{`, `\text{a}`, `\overline{a`} {
		for _, tex := range []string{strings.Repeat(part, maxBytes/len(part)), strings.Repeat(part, 20) + strings.Repeat("x^{y}+", 2000) + strings.Repeat("}", 20)} {
			begin := time.Now()
			row, _ := Parse(tex)
			Write(row)
			Places(row)
			if took := time.Since(begin); took > 2*time.Second {
				t.Errorf("%q repeated takes %v", part, took)
			}
		}
	}
}
