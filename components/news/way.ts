/** `polling`: streams are blocked, so the browser asks every five seconds. `offline`: the console does not answer. */
export type Way = 'opening' | 'live' | 'polling' | 'offline' | 'session-over' | 'refused'
