import { ThingList } from '#components/look-up/thing-list.tsx'
import { recentThings } from '#lib/look-up/recent-things.ts'
import type { ThingKind } from '#lib/look-up/thing.ts'
import type { Session } from '#lib/session/session.ts'

interface StartListProps {
  session: Session
  kind: ThingKind
  /** `transactions` */
  words: string
}

/** Things that the operator pinned or opened recently. */
export const StartList = async ({ session, kind, words }: StartListProps) => (
  <ThingList things={await recentThings(session, kind)} words={words} />
)
