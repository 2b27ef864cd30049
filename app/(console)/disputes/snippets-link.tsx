import Link from 'next/link'
import { buttonVariants } from '#components/ui/button.tsx'

/** To the texts that staff share for their work on cases. */
export const SnippetsLink = () => (
  <Link href="/disputes/snippets" prefetch={false} className={buttonVariants({ variant: 'ghost' })}>
    Snippets
  </Link>
)
