/** What a state means to the reader; each meaning has one colour and one look everywhere. */
export type Meaning = 'good' | 'working' | 'attention' | 'danger' | 'unknown' | 'neutral'

export interface StateWords {
  readonly word: string
  readonly meaning: Meaning
  readonly sentence: string
}

/** A state that the interface does not give: as it came, with no meaning put on it. */
export const unknownStateWords = (state: string): StateWords => ({
  word: state,
  meaning: 'neutral',
  sentence: 'The service gives a state this console does not know.',
})
