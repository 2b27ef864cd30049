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

/** Where an area begins: what the person pinned and looked at lately there. */
export const StartList = async ({ session, kind, words }: StartListProps) => (
  <ThingList things={await recentThings(session, kind)} words={words} />
)
