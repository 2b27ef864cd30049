import type { Meaning } from '#lib/values/words.ts'
import { ownProperty } from '#lib/values/words.ts'

interface Words {
  readonly word: string
  readonly meaning: Meaning
}

const words: Readonly<Record<string, Words>> = {
  draft: { word: 'Prepared', meaning: 'neutral' },
  awaiting_approval: { word: 'Waits for approval', meaning: 'attention' },
  sent: { word: 'Sent', meaning: 'working' },
  challenged: { word: 'Waits for a code', meaning: 'attention' },
  done: { word: 'Done', meaning: 'good' },
  accepted: { word: 'Not confirmed yet', meaning: 'working' },
  refused: { word: 'Not done', meaning: 'attention' },
  unknown: { word: 'Not known yet', meaning: 'unknown' },
  applied: { word: 'Found done', meaning: 'good' },
  not_applied: { word: 'No effect found', meaning: 'attention' },
  closed: { word: 'Not sent', meaning: 'neutral' },
  cancelled: { word: 'Cancelled by its author', meaning: 'neutral' },
}

export const commandStateWords = (state: string): Words =>
  ownProperty(words, state) ?? { word: state, meaning: 'neutral' }
