// Command keeper supervises the processes of one server.
//
// goated embeds this program and runs it once for each server: see [goated/internal/keeper].
// It imports nothing but what a keeper needs, because each server pays for it.
package main

import "goated/internal/proc"

func main() { proc.Keep() }
