export type StreamEnd =
  /** Events were lost or this process is stopping: reconnect. */
  | { readonly type: 'resync' }
  /** Do not reconnect. */
  | { readonly type: 'closed'; readonly why: 'session-over' }
