import { type CardState, cardStates } from '#lib/contract/states.ts'
import { type StateWords, unknownStateWords } from '#lib/values/words.ts'

const words: Readonly<Record<CardState, StateWords>> = {
  UNISSUED: {
    word: 'Not activated yet',
    meaning: 'neutral',
    sentence: 'Issued, not activated. The holder activates it with the card number.',
  },
  ACTIVE: {
    word: 'Active',
    meaning: 'good',
    sentence: 'Activated by its holder. It can pay from the whole wallet balance unless it is frozen.',
  },
  BLOCKED: { word: 'Blocked', meaning: 'danger', sentence: 'Blocked permanently. It can never pay again.' },
}

const isKnown = (state: string): state is CardState => cardStates.some((known) => known === state)

export const cardStateWords = (state: string): StateWords => (isKnown(state) ? words[state] : unknownStateWords(state))
