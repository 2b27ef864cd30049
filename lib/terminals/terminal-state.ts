import { type StateWords, unknownStateWords } from '#lib/values/words.ts'

const words: Readonly<Record<TerminalState, StateWords>> = {
  ACTIVE: { word: 'Active', meaning: 'good', sentence: 'The reader takes cards.' },
  DISABLED: {
    word: 'Disabled',
    meaning: 'danger',
    sentence: 'The reader no longer takes cards. This cannot be undone.',
  },
}

const isKnown = (state: string): state is TerminalState => terminalStates.some((known) => known === state)

export const terminalStateWords = (state: string): StateWords =>
  isKnown(state) ? words[state] : unknownStateWords(state)

export const disableFault = (status: string): string | null =>
  status === 'ACTIVE'
    ? null
    : `This terminal is ${terminalStateWords(status).word}. Only an active terminal can be disabled.`

/** From interface.md; answers may have other states. This file has no schemas, to keep browser bundles small. */
const terminalStates = ['ACTIVE', 'DISABLED'] as const

export type TerminalState = (typeof terminalStates)[number]
