// Command keeper supervises the processes of one server.
//
// goated embeds this program and runs it once for each server; see [goated/internal/keeper]. It has
// as few imports as possible, because a keeper stays in memory for each server.
package main

import "goated/internal/proc"

func main() { proc.Keep() }
