import { type StateWords, unknownStateWords } from '#lib/values/state-words.ts'

const words: Readonly<Record<TerminalState, StateWords>> = {
  ACTIVE: { word: 'Active', meaning: 'good', sentence: 'The reader takes cards.' },
  DISABLED: {
    word: 'Disabled',
    meaning: 'danger',
    sentence: 'The reader is stopped: lost, stolen or retired. This cannot be undone.',
  },
}

const isKnown = (state: string): state is TerminalState => terminalStates.some((known) => known === state)

/** Words for a terminal's state; one that the interface does not give shows as it came. */
export const terminalStateWords = (state: string): StateWords =>
  isKnown(state) ? words[state] : unknownStateWords(state)

/** Why a terminal cannot be disabled as it stands; null when nothing speaks against it. */
export const disableFault = (status: string): string | null =>
  status === 'ACTIVE'
    ? null
    : `This terminal is ${terminalStateWords(status).word}. Only an active one can be disabled.`

/** The states that interface.md gives. A response may carry others; they stay plain strings. Free of schemas, for browsers. */
const terminalStates = ['ACTIVE', 'DISABLED'] as const

export type TerminalState = (typeof terminalStates)[number]
