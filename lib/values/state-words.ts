export type Meaning = 'good' | 'working' | 'attention' | 'danger' | 'unknown' | 'neutral'

export interface StateWords {
  readonly word: string
  readonly meaning: Meaning
  readonly sentence: string
}

export const unknownStateWords = (state: string): StateWords => ({
  word: state,
  meaning: 'neutral',
  sentence: 'The service gives a state this console does not know.',
})
