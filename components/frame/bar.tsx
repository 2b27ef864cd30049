import { Menu } from 'lucide-react'
import { Button } from '#components/ui/button.tsx'
import { AccountMenu, type AccountMenuProps } from './account-menu.tsx'
import { VerifiedBadge } from './verified-badge.tsx'

interface BarProps {
  account: AccountMenuProps
  /** ISO 8601 end of the step-up grant; null when there is none. */
  verifiedUntil: string | null
}

/** The bar on top: on a phone the way to the areas, and who is signed in. */
export function Bar({ account, verifiedUntil }: BarProps) {
  return (
    <header className="flex min-h-12 items-center gap-3 border-b px-3 sm:px-5">
      <Button variant="ghost" size="icon" popoverTarget="areas" aria-label="Areas" className="sm:hidden">
        <Menu aria-hidden />
      </Button>
      <div className="ml-auto flex min-w-0 items-center gap-2">
        <VerifiedBadge initial={verifiedUntil} />
        <AccountMenu {...account} />
      </div>
    </header>
  )
}
