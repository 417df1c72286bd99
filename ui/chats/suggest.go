package chats

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client"
	"goated/internal/errtext"
	"goated/internal/offers"
	"goated/ui/form"
	"goated/ui/kit"
	"goated/ui/transcript"
	"goated/ui/view"
	"goated/ui/view/format"
	"goated/ui/view/fuzzy"
)

const (
	suggestRow  = 36 // the height of a row
	suggestRows = 7  // the number of rows that are visible at the same time
)

// suggestions are the prompts and resources that match what the user types. "/" at the beginning
// of a message lists prompts, and "@" before a word lists resources.
type suggestions struct {
	page *Page
	host *client.Host // nil: there are no suggestions
	Root *fyne.Container

	rows  *fyne.Container
	cache offers.Cache
	asks  int            // how many times the servers were asked
	all   []offers.Offer // everything that the servers offer; nil: not asked for this message
	wrong []error        // the reasons why some offers are missing
	ready bool           // all is complete
	found []offers.Offer // the offers that match
	token string         // the typed token, with its sign
	left  string         // the token whose suggestions the user closed with Esc
	at    int            // the index of the marked row
	first int            // the index of the first visible row
}

func newSuggestions(p *Page, h *client.Host) *suggestions {
	s := &suggestions{page: p, host: h, rows: kit.Vertical(0)}
	ground := kit.NewPanel(kit.ColorSurface, kit.ColorHair, 12)
	s.Root = kit.Boxed(ground, kit.Margin{Top: 5, Right: 5, Bottom: 5, Left: 5}, s.rows)
	s.Root.Hide()
	return s
}

// tokenOf returns the token at the end of a message that asks for suggestions, or "" if there is
// none.
func tokenOf(text string) string {
	if strings.HasPrefix(text, "/") && !strings.ContainsAny(text, " \t\n{") {
		return text
	}
	last := text[strings.LastIndexAny(text, " \t\n")+1:]
	if strings.HasPrefix(last, "@") {
		return last
	}
	return ""
}

// typed looks for suggestions that match the text in the composer.
func (s *suggestions) typed() {
	token := tokenOf(s.page.Composer.Input.Text)
	if token == "" || s.host == nil {
		s.token, s.left = "", ""
		s.hide()
		return
	}
	if s.token == "" { // a new token
		s.ready, s.all = false, nil
		s.asks++
		asked := s.asks
		s.page.shell.Go(func() {
			all, wrong := s.cache.List(s.page.shell.Ctx, s.host)
			s.page.shell.Post(func() {
				if asked == s.asks {
					s.all, s.wrong, s.ready = all, wrong, true
					s.find()
				}
			})
		})
	}
	s.token = token
	s.find()
}

// find shows the suggestions that match the token.
func (s *suggestions) find() {
	if s.token == "" || s.token == s.left || !s.ready {
		s.hide()
		return
	}
	prompts := s.token[0] == '/'
	var fit []offers.Offer
	for _, o := range s.all {
		if (o.Kind == offers.Prompt) == prompts {
			fit = append(fit, o)
		}
	}
	s.found = nil
	for _, m := range fuzzy.Rank(s.token[1:], len(fit), func(i int) (string, string) { return fit[i].Title, fit[i].Name + " " + fit[i].From + " " + fit[i].URI }) {
		s.found = append(s.found, fit[m.Index])
	}
	s.at, s.first = 0, 0
	if len(fit) > 0 && len(s.found) == 0 {
		s.hide()
		return
	}
	s.draw()
}

// draw shows the rows around the marked row.
func (s *suggestions) draw() {
	s.first = min(max(s.first, s.at-suggestRows+1), s.at)
	s.rows.Objects = nil
	for i := s.first; i < min(s.first+suggestRows, len(s.found)); i++ {
		s.rows.Add(s.row(i))
	}
	if len(s.found) == 0 {
		none := "No connected server has prompts. Type a message, or /TOOL and its arguments."
		if s.token[0] == '@' {
			none = "No connected server has resources. Attach files with the clip."
		}
		if len(s.wrong) > 0 {
			none = errtext.PlainSentence(s.wrong[0])
		}
		s.rows.Add(kit.Sized(1, suggestRow, kit.Inset(kit.Margin{Left: 10, Right: 10}, kit.NewLabel(none, 13, kit.ColorMuted).Elided())))
	}
	s.Root.Show()
	s.page.Questions.hint()
	s.page.on.Layout()
	s.Root.Refresh()
}

func (s *suggestions) row(i int) fyne.CanvasObject {
	o := s.found[i]
	tap := kit.NewTappable(8, func() { s.choose(i) })
	tap.SkipTab = true
	if i == s.at {
		tap.SetColors(kit.ColorSelected, kit.ColorNone)
	}
	icon, raw := "file", o.URI
	if o.Kind == offers.Prompt {
		icon, raw = "message", "/"+o.Name
	}
	title := kit.NewLabel(format.Cut(o.Title, 48), 13, kit.ColorText).Medium()
	about := kit.NewLabel(raw, 12, kit.ColorMuted).Mono().Elided()
	if o.Kind == offers.Prompt && o.About != "" {
		about = kit.NewLabel(raw+"  "+format.Cut(o.About, 120), 12, kit.ColorMuted).Elided()
	}
	line := kit.Horizontal(10, about, kit.NewIcon(icon, 15, kit.ColorMuted), title, about, kit.NewLabel(format.Cut(o.From, 24), 12, kit.ColorFaint))
	return container.New(kit.Fixed{Min: fyne.NewSize(1, suggestRow)}, tap, kit.Inset(kit.Margin{Left: 10, Right: 10}, line))
}

func (s *suggestions) hide() {
	if s.Root.Visible() {
		s.Root.Hide()
		s.page.Questions.hint()
		s.page.on.Layout()
	}
}

// key handles a key of the composer while suggestions are visible.
func (s *suggestions) key(e *fyne.KeyEvent) bool {
	if !s.Root.Visible() {
		return false
	}
	switch e.Name {
	case fyne.KeyEscape:
		s.left = s.token
		s.hide()
		return true
	case fyne.KeyDown, fyne.KeyUp:
		if n := len(s.found); n > 0 {
			by := 1
			if e.Name == fyne.KeyUp {
				by = n - 1
			}
			s.at = (s.at + by) % n
			s.draw()
		}
		return true
	case fyne.KeyReturn, fyne.KeyEnter:
		if len(s.found) > 0 && !s.page.Composer.Input.Shift {
			s.choose(s.at)
			return true
		}
	}
	return false
}

// choose uses an offer. If the offer has arguments, choose asks for them first.
func (s *suggestions) choose(i int) {
	o := s.found[i]
	text := s.page.Composer.Input.Text
	s.page.Composer.Fill(strings.TrimSuffix(text, s.token))
	s.token = ""
	s.hide()
	s.page.write()
	if len(o.Entries) == 0 {
		s.use(s.page.shell.Ctx, o, nil, func(err error) { s.page.shell.Alert(err) })
		return
	}
	sh := s.page.shell
	sh.Go(func() {
		ctx, cancel := context.WithTimeout(sh.Ctx, 3*time.Second)
		defer cancel()
		examples := make(map[string][]string)
		for _, a := range o.Entries {
			examples[a.Name] = o.Suggest(ctx, s.host, a.Name, "", nil)
		}
		sh.Post(func() { s.ask(o, examples) })
	})
}

// ask asks the user for the arguments of an offer. examples are values that the server suggests.
func (s *suggestions) ask(o offers.Offer, examples map[string][]string) {
	properties, required := map[string]any{}, []any{}
	for _, a := range o.Entries {
		about := a.About
		if list := examples[a.Name]; len(list) > 0 {
			about = strings.TrimSpace(about + " For example " + strings.Join(list[:min(len(list), 8)], ", ") + ".")
		}
		properties[a.Name] = map[string]any{"type": "string", "title": a.Title, "description": about}
		if a.Required {
			required = append(required, a.Name)
		}
	}
	sh := s.page.shell
	f := form.New(sh, map[string]any{"type": "object", "properties": properties, "required": required}, nil, nil)
	wrong := kit.NewText("", 13, 20, kit.ColorBad)
	wrong.Hide()
	var sheet *kit.Sheet
	gap := kit.NewLabel("from "+o.From, 12, kit.ColorFaint).Elided()
	ctx, leave := context.WithCancel(sh.Ctx)
	asking := false
	submit := func() {
		values, ok := f.Submit()
		if !ok || asking {
			return
		}
		args := make(map[string]string, len(values))
		for k, v := range values {
			args[k] = fmt.Sprint(v)
		}
		asking = true
		gap.Set("Asking the server…")
		s.use(ctx, o, args, func(err error) {
			asking = false
			gap.Set("from " + o.From)
			if err == nil {
				sheet.OnClose()
				return
			}
			wrong.SetText(errtext.PlainSentence(err))
			wrong.Show()
			sheet.Refit()
		})
	}
	f.OnSubmit = submit
	body := kit.Vertical(14)
	if o.About != "" {
		body.Add(kit.NewText(o.About, 13, 20, kit.ColorMuted))
	}
	body.Add(f.Root)
	body.Add(wrong)
	word := "Insert into message"
	if o.Kind != offers.Prompt {
		word = "Attach"
	}
	use := kit.NewButton(kit.Primary, "check", word, submit)
	sheet = kit.NewSheet(520, o.Title, body, kit.Horizontal(8, gap, gap, kit.NewButton(kit.Outline, "", "Cancel", func() { sheet.OnClose() }), use))
	sheet.OnClose = func() {
		leave()
		sh.Sheets.Shut(sheet)
	}
	f.Sheet = sheet
	sheet.Holds = f.Entered
	sheet.First = f.First(use)
	sh.Sheets.Open(sheet)
}

// Insert puts the text and the files of a server's prompt into the next message of the shown
// conversation, unless ctx ends first. done receives the outcome before that, on the UI goroutine.
func (s *suggestions) Insert(ctx context.Context, from client.Server, p *mcp.Prompt, args map[string]string, done func(error)) {
	s.use(ctx, offers.OfPrompt(from, p), args, done)
}

// use puts the text of a prompt into the composer, or attaches a resource, unless ctx ends first. If
// there were arguments or if it failed, done receives the outcome on the UI goroutine.
func (s *suggestions) use(ctx context.Context, o offers.Offer, args map[string]string, done func(error)) {
	sh, c := s.page.shell, s.page.Conversation()
	finish := func(err error) (proceed bool) {
		if ctx.Err() != nil {
			return false
		}
		if err != nil || args != nil {
			done(err)
		}
		return err == nil
	}
	sh.Go(func() {
		if o.Kind == offers.Prompt {
			got, err := o.Fill(ctx, s.host, args)
			var files []Attached
			if err == nil {
				files, err = attachedOf(got.Files)
			}
			sh.Post(func() {
				if finish(err) {
					s.insert(c, got.Text)
					s.attach(c, files)
				}
			})
			return
		}
		all, err := o.Read(ctx, s.host, args, view.MaxAttachment)
		var files []Attached
		if err == nil {
			files, err = attachedOf(all)
		}
		sh.Post(func() {
			if finish(err) {
				s.attach(c, files)
			}
		})
	})
}

// insert puts the text of a prompt into the next message of c, after the text that the user has
// written.
func (s *suggestions) insert(c *Conversation, text string) {
	if text == "" {
		return
	}
	if strings.TrimSpace(c.draft) != "" {
		text = "\n\n" + text
	}
	if c != s.page.Conversation() {
		s.page.Files.insert(c, text)
		return
	}
	s.page.Composer.Input.Append(text)
	s.page.write()
}

// Fill puts an example into the next message, instead of another example or after the text that the
// user has written.
func (s *suggestions) Fill(example string) {
	known := append(transcript.Examples(true), transcript.Examples(false)...)
	if text := s.page.Composer.Input.Text; slices.ContainsFunc(known, func(e transcript.Example) bool { return e.Text == text }) {
		s.page.Composer.Fill("")
	}
	s.insert(s.page.Conversation(), example)
}

// attachedOf turns documents into files for the next message. An error for one of them fails all
// of them.
func attachedOf(all []offers.Document) (files []Attached, err error) {
	for _, d := range all {
		a, err := newAttached(d.Name, d.Data)
		if err != nil {
			return nil, err
		}
		files = append(files, a)
	}
	return files, nil
}

// attach adds files to the next message of c.
func (s *suggestions) attach(c *Conversation, files []Attached) {
	c.reading += len(files)
	for _, a := range files {
		s.page.Files.attachTo(c, a, nil)
	}
}
