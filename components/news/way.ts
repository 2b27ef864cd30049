/**
 * How news come right now. `polling`: no stream gets through, so they are asked for every five seconds. `offline`: the console
 * does not answer.
 */
export type Way = 'opening' | 'live' | 'polling' | 'offline' | 'session-over' | 'refused'
