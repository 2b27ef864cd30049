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

/** An unknown state is shown as the service sent it. */
export const terminalStateWords = (state: string): StateWords =>
  isKnown(state) ? words[state] : unknownStateWords(state)

/** Null if the terminal can be disabled. */
export const disableFault = (status: string): string | null =>
  status === 'ACTIVE'
    ? null
    : `This terminal is ${terminalStateWords(status).word}. Only an active one can be disabled.`

/** The states of interface.md; answers may have others. Kept free of schemas for the browser bundle. */
const terminalStates = ['ACTIVE', 'DISABLED'] as const

export type TerminalState = (typeof terminalStates)[number]
