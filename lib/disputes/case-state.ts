import { ownProperty, type StateWords, unknownStateWords } from '#lib/values/words.ts'

const words: Readonly<Record<string, StateWords>> = {
  OPEN: { word: 'Open', meaning: 'attention', sentence: 'Nobody has decided yet. Both sides can write.' },
  RESOLVED: { word: 'Resolved', meaning: 'good', sentence: 'Decided, for good. Nothing can be posted any more.' },
}

export const caseStateWords = (status: string): StateWords => ownProperty(words, status) ?? unknownStateWords(status)
