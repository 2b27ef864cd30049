import Link from 'next/link'
import { buttonVariants } from '#components/ui/button.tsx'

export const SnippetsLink = () => (
  <Link href="/disputes/snippets" prefetch={false} className={buttonVariants({ variant: 'ghost' })}>
    Snippets
  </Link>
)
