/** The states that interface.md gives. A response may carry others; they stay plain strings. Free of schemas, for browsers. */
export const terminalStates = ['ACTIVE', 'DISABLED'] as const

export type TerminalState = (typeof terminalStates)[number]
