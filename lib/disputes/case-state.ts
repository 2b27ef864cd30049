import { type Span, workingMsIn } from '#lib/values/time.ts'
import { counted, ownProperty, type StateWords, unknownStateWords } from '#lib/values/words.ts'

const words: Readonly<Record<string, StateWords>> = {
  OPEN: { word: 'Open', meaning: 'attention', sentence: 'Not resolved yet. Both sides can write.' },
  RESOLVED: { word: 'Resolved', meaning: 'good', sentence: 'Resolved permanently. The thread is closed.' },
}

export const caseStateWords = (status: string): StateWords => ownProperty(words, status) ?? unknownStateWords(status)

const HOUR_MS = 3_600_000
const NEARING_FROM = 0.75

export type AgeTarget = 'within' | 'nearing' | 'over'

export interface DecisionTarget {
  readonly hours: number
  /** Working time: the last `hours` of it, and that of the next days. Null: all time counts. */
  readonly spans: readonly Span[] | null
}

/** `createdAt`: ISO 8601. */
export function ageTarget(createdAt: string, nowMs: number, { hours, spans }: DecisionTarget): AgeTarget {
  const since = Date.parse(createdAt)
  const part = (spans === null ? nowMs - since : workingMsIn(spans, since, nowMs)) / (hours * HOUR_MS)
  if (part >= 1) return 'over'
  return part >= NEARING_FROM ? 'nearing' : 'within'
}

export function ageTargetWords(target: AgeTarget, { hours: count, spans }: DecisionTarget) {
  const hours = counted(count, spans === null ? 'hour' : 'working hour')
  switch (target) {
    case 'within':
      return { word: 'within', sentence: `Within the target: a case is to be decided within ${hours}.` }
    case 'nearing':
      return { word: 'nearing', sentence: `Nearing the target: three quarters of ${hours} have passed.` }
    case 'over':
      return { word: 'over', sentence: `Over the target: the case is open for ${hours} or longer.` }
  }
}
