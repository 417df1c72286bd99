// A shim between Go and tree-sitter, compiled with its core and one grammar into a
// WebAssembly module. Go copies a source in, parse() builds the tree, and the module
// returns all named nodes as a flat array in document order.
//
// One call at a time. begin() releases everything of the call before.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <tree_sitter/api.h>

const TSLanguage *GRAMMAR(void);

// ---- memory: a bump allocator with free lists of powers of two, released per file

extern unsigned char __heap_base;
#define CLASSES 28
typedef struct block { uint32_t class; uint32_t pad; } block; // before each allocation
typedef struct hole { struct hole *next; } hole;
static uintptr_t top;
static hole *holes[CLASSES];

static uint32_t class_of(size_t n) {
  uint32_t c = 4;
  while (((size_t)1 << c) < n) c++;
  return c;
}

void *malloc(size_t n) {
  if (n > (1u << 27)) return NULL;
  uint32_t c = class_of(n + sizeof(block));
  if (holes[c]) {
    hole *h = holes[c];
    holes[c] = h->next;
    return h;
  }
  if (!top) top = ((uintptr_t)&__heap_base + 15) & ~(uintptr_t)15;
  uintptr_t at = top, end = at + ((uintptr_t)1 << c), have = (uintptr_t)__builtin_wasm_memory_size(0) << 16;
  if (end > have) {
    uintptr_t want = (end - have + 0xffff) >> 16;
    uintptr_t extra = have >> 19; // an eighth
    if (__builtin_wasm_memory_grow(0, want + extra) == (size_t)-1 && __builtin_wasm_memory_grow(0, want) == (size_t)-1) __builtin_trap();
  }
  top = end;
  block *b = (block *)at;
  b->class = c;
  return b + 1;
}

void free(void *p) {
  if (!p) return;
  uint32_t c = ((block *)p - 1)->class;
  hole *h = p;
  h->next = holes[c];
  holes[c] = h;
}

void *calloc(size_t n, size_t m) {
  if (m && n > (1u << 27) / m) return NULL;
  void *p = malloc(n * m);
  if (p) memset(p, 0, n * m);
  return p;
}

void *realloc(void *p, size_t n) {
  if (!p) return malloc(n);
  size_t have = ((size_t)1 << ((block *)p - 1)->class) - sizeof(block);
  if (n <= have) return p;
  void *q = malloc(n);
  if (!q) return NULL;
  memcpy(q, p, have);
  free(p);
  return q;
}

// ---- the tree as an array

typedef struct { uint32_t start, end; uint16_t symbol, field; uint32_t next; } record;
static char *input;
static record *records;
static uint32_t count, room;

__attribute__((import_module("goated"), import_name("late"))) int32_t late(void);

static uint32_t asked;
static bool progress(TSParseState *state) {
  (void)state;
  return (++asked & 31) == 0 && late();
}

#define EXPORT(name) __attribute__((export_name(#name)))

EXPORT(symbols) uint32_t symbols(void) { return ts_language_symbol_count(GRAMMAR()); }
EXPORT(symbol) const char *symbol(uint32_t i) { return ts_language_symbol_name(GRAMMAR(), i); }
EXPORT(named) int32_t named(uint32_t i) { return ts_language_symbol_type(GRAMMAR(), i) == TSSymbolTypeRegular; }
EXPORT(fields) uint32_t fields(void) { return ts_language_field_count(GRAMMAR()); }
EXPORT(field) const char *field(uint32_t i) { return ts_language_field_name_for_id(GRAMMAR(), i); }
EXPORT(result) record *result(void) { return records; }

EXPORT(begin) char *begin(uint32_t length) {
  top = 0;
  memset(holes, 0, sizeof holes);
  records = NULL;
  count = room = 0;
  return input = malloc(length + 1);
}

static void emit(TSNode n, uint16_t f) {
  if (count == room) {
    room = room ? room * 2 : 4096;
    records = realloc(records, room * sizeof(record));
    if (!records) __builtin_trap();
  }
  record *r = &records[count++];
  r->start = ts_node_start_byte(n);
  r->end = ts_node_end_byte(n);
  r->symbol = ts_node_symbol(n);
  r->field = f;
  r->next = 0;
}

typedef struct { const char *text; uint32_t length; } source;
static const char *read_source(void *payload, uint32_t at, TSPoint p, uint32_t *n) {
  (void)p;
  source *s = payload;
  if (at >= s->length) { *n = 0; return ""; }
  *n = s->length - at;
  return s->text + at;
}

// parse returns the number of records, -1 when it ran out of time, -2 on failure.
EXPORT(parse) int32_t parse(uint32_t length) {
  TSParser *p = ts_parser_new();
  if (!ts_parser_set_language(p, GRAMMAR())) return -2;
  source s = {input, length};
  TSInput in = {.payload = &s, .read = read_source, .encoding = TSInputEncodingUTF8};
  TSParseOptions o = {.progress_callback = progress};
  asked = 0;
  TSTree *tree = ts_parser_parse_with_options(p, NULL, in, o);
  if (!tree) return -1;
  TSTreeCursor c = ts_tree_cursor_new(ts_tree_root_node(tree));
  // The stack of open records grows with the depth of the tree.
  uint32_t depth = 0, deep = 256, steps = 0;
  int32_t *open = malloc(deep * sizeof(int32_t));
  for (;;) {
    TSNode n = ts_tree_cursor_current_node(&c);
    if ((++steps & 4095) == 0 && late()) return -1;
    bool shown = ts_node_is_named(n);
    if (depth == deep) {
      deep *= 2;
      open = realloc(open, deep * sizeof(int32_t));
      if (!open) __builtin_trap();
    }
    open[depth] = -1;
    if (shown) {
      open[depth] = count;
      emit(n, ts_tree_cursor_current_field_id(&c));

    }
    if (ts_tree_cursor_goto_first_child(&c)) { depth++; continue; }
    for (;;) {
      if (open[depth] >= 0) records[open[depth]].next = count;
      if (ts_tree_cursor_goto_next_sibling(&c)) break;
      if (depth == 0) return count;
      ts_tree_cursor_goto_parent(&c);
      depth--;
    }
  }
}
