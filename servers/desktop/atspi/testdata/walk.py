"""Walks the tree of one application with pyatspi and prints how many elements it has and
how many milliseconds the fastest of five walks took."""
import sys
import time

import pyatspi

pid = int(sys.argv[1])
app = next(a for a in pyatspi.Registry.getDesktop(0) if a is not None and a.get_process_id() == pid)


def walk(node):
    if node is None:
        return 0
    node.name, node.getRole(), node.getState().getStates()
    return 1 + sum(walk(node.getChildAtIndex(i)) for i in range(node.childCount))


best, count = None, 0
for _ in range(5):
    app.clear_cache()
    begin = time.perf_counter()
    count = walk(app)
    took = (time.perf_counter() - begin) * 1000
    best = took if best is None else min(best, took)
print(count, best)
