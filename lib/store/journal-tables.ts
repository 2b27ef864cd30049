import 'server-only'

/** One change of a command’s state. */
export interface CommandEventTable {
  sequence: number
  command_id: string
  at: string
  state: string
  actor: string
  /** JSON text: kind, target, params, facts, status, code, trace id, times, process. */
  body: string
  previous_mac: string
  mac: string
}

/** The end of the chain of events: one row, locked while an event is appended. */
export interface CommandChainTable {
  one: number
  sequence: number
  mac: string
}

/** What came of the latest check of the chain: one row, once there was one. */
export interface JournalCheckTable {
  one: number
  at: string
  by_name: string
  events: number
  /** The MAC of the last event. */
  end_mac: string
  /** JSON text. */
  faults: string
}
