import { own } from '#lib/values/own.ts'
import { type StateWords, unknownStateWords } from '#lib/values/state-words.ts'

const words: Readonly<Record<string, StateWords>> = {
  OPEN: { word: 'Open', meaning: 'attention', sentence: 'Nobody has decided yet. Both sides can write.' },
  RESOLVED: { word: 'Resolved', meaning: 'good', sentence: 'Decided, for good. Nothing can be posted any more.' },
}

export const caseStateWords = (status: string): StateWords => own(words, status) ?? unknownStateWords(status)
