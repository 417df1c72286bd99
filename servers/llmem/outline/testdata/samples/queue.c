#include <stdio.h>
#include "queue.h"

#define MAX_ITEMS 10
#define MIN(a, b) ((a) < (b) ? (a) : (b))

struct node;

typedef struct node {
    int value;
    struct node *next;
} node_t;

typedef int (*compare_fn)(const void *, const void *);

enum color { RED, GREEN = 2 };

union number {
    int i;
    float f;
};

typedef enum { OFF, ON } state_t;

static int counter = 0;
extern const char *names[];
const struct ops queue_ops = { .open = queue_open };

int queue_open(const char *path);

/* Adds a value. */
static inline int
queue_add(node_t **head, int value)
{
    int local = value;
    return local;
}

int (*queue_compare(void))(const void *, const void *)
{
    return 0;
}

#ifdef DEBUG
void queue_dump(node_t *head)
{
    printf("%p", head);
}
#endif

int main(int argc, char **argv) { return 0; }
