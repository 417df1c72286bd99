package formula

// A symbol is the meaning of a command.
type symbol struct {
	text  string
	class Class
}

// symbolOf returns the symbol for a command. The name has no backslash.
func symbolOf(name string) (symbol, bool) {
	for _, t := range []struct {
		of    map[string]string
		class Class
	}{{ordinary, Ordinary}, {binary, Binary}, {relations, Relation}, {opening, Opening}, {closing, Closing}} {
		if text, ok := t.of[name]; ok {
			return symbol{text, t.class}, true
		}
	}
	return symbol{}, false
}

// greek contains the lower-case letters, which are italic. Capital letters are upright.
var greek = map[string]string{
	"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ϵ", "varepsilon": "ε", "zeta": "ζ", "eta": "η",
	"theta": "θ", "vartheta": "ϑ", "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "omicron": "ο",
	"pi": "π", "varpi": "ϖ", "rho": "ρ", "varrho": "ϱ", "sigma": "σ", "varsigma": "ς", "tau": "τ", "upsilon": "υ",
	"phi": "ϕ", "varphi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω", "imath": "ı", "ell": "ℓ",
}

var ordinary = map[string]string{
	"Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Upsilon": "Υ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
	"infty": "∞", "partial": "∂", "nabla": "∇", "forall": "∀", "exists": "∃", "nexists": "∄", "emptyset": "∅", "varnothing": "∅",
	"hbar": "ℏ", "hslash": "ℏ", "Re": "ℜ", "Im": "ℑ", "wp": "℘", "aleph": "ℵ", "beth": "ℶ",
	"angle": "∠", "measuredangle": "∡", "triangle": "△", "square": "□", "Box": "□", "Diamond": "◇", "heartsuit": "♡",
	"blacksquare": "■", "qed": "∎", "checkmark": "✓", "degree": "°", "prime": "′", "neg": "¬", "lnot": "¬", "top": "⊤", "bot": "⊥", "complement": "∁",
	"flat": "♭", "natural": "♮", "sharp": "♯", "bigstar": "★", "S": "§", "P": "¶", "pounds": "£", "euro": "€", "copyright": "©",
	"ldots": "…", "dots": "…", "dotsc": "…", "dotso": "…", "cdots": "⋯", "dotsb": "⋯", "dotsm": "⋯", "vdots": "⋮", "ddots": "⋱",
	"%": "%", "$": "$", "#": "#", "&": "&", "_": "_", "backslash": "\\", "vert": "|", "|": "‖", "Vert": "‖",
}

var binary = map[string]string{
	"pm": "±", "mp": "∓", "times": "×", "div": "÷", "cdot": "·", "cdotp": "·", "ast": "∗", "star": "⋆", "circ": "∘", "bullet": "•",
	"cap": "∩", "cup": "∪", "uplus": "⊎", "sqcap": "⊓", "sqcup": "⊔", "vee": "∨", "lor": "∨", "wedge": "∧", "land": "∧", "veebar": "⊻",
	"setminus": "∖", "smallsetminus": "∖", "wr": "≀", "diamond": "⋄", "amalg": "⨿", "dagger": "†", "ddagger": "‡",
	"oplus": "⊕", "ominus": "⊖", "otimes": "⊗", "oslash": "⊘", "odot": "⊙", "boxplus": "⊞", "boxtimes": "⊠", "ltimes": "⋉", "rtimes": "⋊",
	"bmod": "mod", "lhd": "⊲", "rhd": "⊳",
}

var relations = map[string]string{
	"le": "≤", "leq": "≤", "leqslant": "⩽", "ge": "≥", "geq": "≥", "geqslant": "⩾", "ne": "≠", "neq": "≠", "lt": "<", "gt": ">",
	"ll": "≪", "gg": "≫", "lll": "⋘", "ggg": "⋙", "approx": "≈", "equiv": "≡", "sim": "∼", "simeq": "≃", "cong": "≅", "asymp": "≍", "propto": "∝", "varpropto": "∝",
	"prec": "≺", "succ": "≻", "preceq": "⪯", "succeq": "⪰", "lesssim": "≲", "gtrsim": "≳", "lessgtr": "≶", "triangleq": "≜", "coloneqq": "≔", "coloneq": "≔", "eqqcolon": "≕", "doteq": "≐",
	"in": "∈", "notin": "∉", "ni": "∋", "subset": "⊂", "supset": "⊃", "subseteq": "⊆", "supseteq": "⊇", "subsetneq": "⊊", "supsetneq": "⊋",
	"nsubseteq": "⊈", "nsupseteq": "⊉", "sqsubseteq": "⊑", "sqsupseteq": "⊒", "nleq": "≰", "ngeq": "≱", "nless": "≮", "ngtr": "≯", "ncong": "≇", "nsim": "≁",
	"perp": "⊥", "parallel": "∥", "nparallel": "∦", "mid": "∣", "nmid": "∤", "vdash": "⊢", "dashv": "⊣", "models": "⊨", "vDash": "⊨", "Vdash": "⊩", "nvdash": "⊬",
	"trianglelefteq": "⊴", "trianglerighteq": "⊵", "bowtie": "⋈", "colon": ":", "therefore": "∴", "because": "∵",
	"to": "→", "rightarrow": "→", "gets": "←", "leftarrow": "←", "leftrightarrow": "↔", "Rightarrow": "⇒", "Leftarrow": "⇐", "Leftrightarrow": "⇔",
	"longrightarrow": "⟶", "longleftarrow": "⟵", "longleftrightarrow": "⟷", "Longrightarrow": "⟹", "Longleftarrow": "⟸", "Longleftrightarrow": "⟺",
	"implies": "⟹", "impliedby": "⟸", "iff": "⟺", "mapsto": "↦", "longmapsto": "⟼", "hookrightarrow": "↪", "hookleftarrow": "↩", "twoheadrightarrow": "↠", "rightarrowtail": "↣",
	"uparrow": "↑", "downarrow": "↓", "updownarrow": "↕", "Uparrow": "⇑", "Downarrow": "⇓", "nearrow": "↗", "searrow": "↘", "swarrow": "↙", "nwarrow": "↖",
	"rightharpoonup": "⇀", "rightharpoondown": "⇁", "leftharpoonup": "↼", "leftharpoondown": "↽", "rightleftharpoons": "⇌", "leftrightharpoons": "⇋", "rightleftarrows": "⇄", "rightrightarrows": "⇉",
	"leadsto": "⇝", "rightsquigarrow": "⇝", "nrightarrow": "↛", "nleftarrow": "↚", "nRightarrow": "⇏",
}

var opening = map[string]string{
	"{": "{", "lbrace": "{", "lbrack": "[", "langle": "⟨", "lfloor": "⌊", "lceil": "⌈", "lvert": "|", "lVert": "‖", "lparen": "(",
}

var closing = map[string]string{
	"}": "}", "rbrace": "}", "rbrack": "]", "rangle": "⟩", "rfloor": "⌋", "rceil": "⌉", "rvert": "|", "rVert": "‖", "rparen": ")",
}

// large contains the operators that are larger in a display formula. Sum-like operators have
// limits above and below.
var large = map[string]string{
	"sum": "∑", "prod": "∏", "coprod": "∐", "bigcup": "⋃", "bigcap": "⋂", "bigoplus": "⨁", "bigotimes": "⨂", "bigodot": "⨀", "bigvee": "⋁", "bigwedge": "⋀", "bigsqcup": "⨆", "biguplus": "⨄",
}

var integrals = map[string]string{"int": "∫", "iint": "∬", "iiint": "∭", "oint": "∮", "oiint": "∯", "smallint": "∫"}

// functions are written upright. The value is true if limits go below the name.
var functions = map[string]bool{
	"sin": false, "cos": false, "tan": false, "cot": false, "sec": false, "csc": false, "arcsin": false, "arccos": false, "arctan": false, "arccot": false,
	"sinh": false, "cosh": false, "tanh": false, "coth": false, "sech": false, "csch": false, "log": false, "ln": false, "lg": false, "exp": false, "arg": false, "deg": false, "dim": false, "hom": false, "ker": false,
	"lim": true, "limsup": true, "liminf": true, "max": true, "min": true, "sup": true, "inf": true, "det": true, "gcd": true, "lcm": true, "Pr": true, "argmax": true, "argmin": true,
}

// negated contains the effect of \not on a sign.
var negated = map[string]string{"=": "≠", "∈": "∉", "<": "≮", ">": "≯", "≤": "≰", "≥": "≱", "⊂": "⊄", "⊃": "⊅", "⊆": "⊈", "⊇": "⊉", "≡": "≢", "∼": "≁", "≈": "≉", "≅": "≇", "∃": "∄", "∣": "∤", "∥": "∦", "→": "↛", "⇒": "⇏", "⇔": "⇎", "↔": "↮", "⊢": "⊬", "⊨": "⊭"}

// accents contains the combining marks for commands.
var accents = map[string]string{
	"hat": "\u0302", "widehat": "\u0302", "bar": "\u0304", "tilde": "\u0303", "widetilde": "\u0303", "vec": "\u20d7", "overrightarrow": "\u20d7", "dot": "\u0307", "ddot": "\u0308",
	"check": "\u030c", "breve": "\u0306", "acute": "\u0301", "grave": "\u0300", "mathring": "\u030a", "overline": "\u0305", "underline": "\u0332",
}

// spaces contains the blanks that commands produce.
var spaces = map[string]string{
	",": " ", ":": " ", ";": " ", ">": " ", " ": " ", "\n": " ", "\t": " ", "thinspace": " ", "medspace": " ", "thickspace": " ", "enspace": " ", "space": " ", "nobreakspace": " ", "quad": "  ", "qquad": "    ",
	"!": "", "negthinspace": "", "displaystyle": "", "textstyle": "", "scriptstyle": "", "scriptscriptstyle": "", "nonumber": "", "notag": "", "allowbreak": "", "limits": "", "nolimits": "", "relax": "",
	"big": "", "Big": "", "bigg": "", "Bigg": "", "bigl": "", "Bigl": "", "biggl": "", "Biggl": "", "bigr": "", "Bigr": "", "biggr": "", "Biggr": "", "bigm": "", "Bigm": "", "biggm": "", "Biggm": "",
}

// A font is how a command changes letters.
type font struct {
	italic, bold bool
	alphabet     string // the name of one of Unicode's mathematical alphabets; "" for plain letters and digits
}

var fonts = map[string]font{
	"mathrm": {}, "mathnormal": {italic: true}, "mathit": {italic: true}, "mathbf": {bold: true}, "boldsymbol": {italic: true, bold: true}, "bm": {italic: true, bold: true}, "pmb": {italic: true, bold: true},
	"mathsf": {}, "mathtt": {}, "mathbb": {alphabet: "double"}, "mathcal": {alphabet: "script"}, "mathscr": {alphabet: "script"}, "mathfrak": {alphabet: "fraktur"},
}

// styled contains the letters of the alphabets that are outside their Unicode block.
var styled = map[string]string{
	"doubleC": "ℂ", "doubleH": "ℍ", "doubleN": "ℕ", "doubleP": "ℙ", "doubleQ": "ℚ", "doubleR": "ℝ", "doubleZ": "ℤ",
	"scriptB": "ℬ", "scriptE": "ℰ", "scriptF": "ℱ", "scriptH": "ℋ", "scriptI": "ℐ", "scriptL": "ℒ", "scriptM": "ℳ", "scriptR": "ℛ", "scripte": "ℯ", "scriptg": "ℊ", "scripto": "ℴ",
	"frakturC": "ℭ", "frakturH": "ℌ", "frakturI": "ℑ", "frakturR": "ℜ", "frakturZ": "ℨ",
}

// letterOf returns a letter of an alphabet.
func letterOf(alphabet string, r rune) (string, bool) {
	if s, ok := styled[alphabet+string(r)]; ok {
		return s, true
	}
	capitals, small := map[string]rune{"double": 0x1D538, "script": 0x1D49C, "fraktur": 0x1D504}[alphabet], rune(26)
	switch {
	case r >= 'A' && r <= 'Z':
		return string(capitals + r - 'A'), true
	case r >= 'a' && r <= 'z':
		return string(capitals + small + r - 'a'), true
	case r >= '0' && r <= '9' && alphabet == "double":
		return string(0x1D7D8 + r - '0'), true
	}
	return "", false
}

// The characters with a superscript or a subscript form.
const (
	plainAbove  = "0123456789+−=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVW"
	raised      = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂ"
	plainBelow  = "0123456789+−=()aehijklmnoprstuvx"
	lowered     = "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ"
	asTheyStand = "′″‴°†‡" // already raised
)
