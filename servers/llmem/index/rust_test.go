package index

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"goated/internal/servertest"
	"goated/servers/llmem/outline"
	"goated/servers/llmem/workspace"
)

// Each use declaration leads to the files that the compiler reads for it.
func TestRustModules(t *testing.T) {
	var s Snapshot
	for _, name := range []string{
		"app/src/main.rs", "app/src/error.rs", "app/src/net/mod.rs", "app/src/net/http.rs", "app/src/net/http/body.rs", "app/src/store.rs", "app/src/store/row.rs", "app/src/bin/tool.rs", "app/src/bin/shared.rs",
		"core-lib/src/lib.rs", "core-lib/src/error.rs", "core-lib/tests/all.rs", "core-lib/tests/common/mod.rs", "core-lib/src/log.rs", "core-lib/src/unix.rs",
	} {
		s.Listed = append(s.Listed, workspace.Entry{Path: name})
	}
	r := newResolver(s, nil)
	for _, c := range []struct{ from, use, want string }{
		{"app/src/main.rs", "crate::{error,store::{row,self}}", "[app/src/error.rs app/src/store/row.rs app/src/store.rs]"},
		{"app/src/main.rs", "{crate::error::Error,std::fmt}", "[app/src/error.rs]"},
		{"app/src/main.rs", "net::http::body::Body", "[app/src/net/http/body.rs]"},
		{"app/src/net/http.rs", "crate::error::Error", "[app/src/error.rs]"}, // not the other crate's
		{"core-lib/src/log.rs", "crate::error::Error", "[core-lib/src/error.rs]"},
		{"app/src/store.rs", "crate::Config", "[app/src/main.rs]"},
		{"app/src/net/http.rs", "super::{http::body,Limits}", "[app/src/net/http/body.rs app/src/net/mod.rs]"},
		{"app/src/net/http/body.rs", "super::super::super::error::*", "[app/src/error.rs]"},
		{"app/src/net/http/body.rs", "super::Request", "[app/src/net/http.rs]"},
		{"app/src/net/mod.rs", "super::store", "[app/src/store.rs]"},
		{"app/src/net/mod.rs", "self::http", "[app/src/net/http.rs]"},
		{"app/src/store.rs", "self::row", "[app/src/store/row.rs]"},
		{"app/src/bin/tool.rs", "self::shared", "[app/src/bin/shared.rs]"},
		{"app/src/main.rs", "core_lib::{error::Error,Reader}", "[core-lib/src/error.rs core-lib/src/lib.rs]"},
		{"core-lib/tests/all.rs", "common::start", "[core-lib/tests/common/mod.rs]"},
		{"core-lib/src/unix.rs", "log::info", "[]"}, // the crate log: crate::log is not in scope
		{"app/src/main.rs", "std::{io::{self,Read},fs}", "[]"},
	} {
		if have := fmt.Sprint(r.rust(c.from, c.use)); have != c.want {
			t.Errorf("%s: use %s leads to %s, want %s", c.from, c.use, have, c.want)
		}
	}
	deep := strings.Repeat("a::{", 1<<20)
	if begin := time.Now(); len(usePaths(deep)) > 0 || len(usePaths(deep+strings.Repeat("b,", 1<<20))) > 0 || time.Since(begin) > 10*time.Second {
		t.Errorf("a declaration with a million braces took %s", time.Since(begin))
	}
}

// A local name or a comment in a use declaration hides no file.
func TestRustAliases(t *testing.T) {
	s := Snapshot{Listed: []workspace.Entry{{Path: "src/main.rs"}, {Path: "src/a.rs"}, {Path: "src/b.rs"}, {Path: "src/c.rs"}, {Path: "src/d.rs"}, {Path: "src/e.rs"}, {Path: "src/g.rs"}}}
	source := "use crate::a as first;\nuse crate::{\n    b as second, // often used\n    /* old */ c as _,\n    /** often * used **/ d,\n    /* /* x */ y */ e // as f\n    /* z */ as r#type,\n    g::{self as h},\n};\n"
	p := outline.New(outline.Options{CacheDir: servertest.Grammars(t), MaxTime: time.Minute})
	t.Cleanup(func() { _ = p.Close() })
	o, err := p.Parse(t.Context(), "main.rs", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	have := fmt.Sprint(newResolver(s, nil).imports(&Entry{Entry: s.Listed[0], Language: "rust", Imports: o.Imports}))
	if have != "[src/a.rs src/b.rs src/c.rs src/d.rs src/e.rs src/g.rs]" {
		t.Errorf("the imports %+v lead to %s", o.Imports, have)
	}
}
