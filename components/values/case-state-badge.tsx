import { caseLooks, styleIn } from './case-state-style.ts'
import { ExplainedBadge } from './explained-badge.tsx'

/** The state of a case, as `StateBadge` shows it. */
export function CaseStateBadge({ state }: { state: string }) {
  const { word, meaning, sentence, icon } = styleIn(caseLooks, state)
  return <ExplainedBadge word={word} meaning={meaning} icon={icon} explanation={sentence} raw={state} />
}
