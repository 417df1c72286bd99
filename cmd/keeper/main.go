// Command keeper supervises the processes of one server.
//
// goated embeds this program and runs it once for each server: see [goated/internal/keeper]. It
// imports only what a keeper needs, because each server pays for its memory.
package main

import "goated/internal/proc"

func main() { proc.Keep() }
