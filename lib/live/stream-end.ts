/** How a stream of events to a browser ends. */
export type StreamEnd =
  /** It should be opened anew: news were lost, or this process stops. */
  | { readonly type: 'resync' }
  /** It is not to be opened again by itself. */
  | { readonly type: 'closed'; readonly why: 'session-over' }
