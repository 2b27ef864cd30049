import { Menu } from 'lucide-react'
import { Button } from '#components/ui/button.tsx'
import { AccountMenu, type AccountMenuProps } from './account-menu.tsx'

/** The bar on top: on a phone the way to the areas, and who is signed in. */
export function Bar(account: AccountMenuProps) {
  return (
    <header className="flex min-h-12 items-center gap-3 border-line border-b px-3 sm:px-5">
      <Button look="quiet" size="icon" popoverTarget="areas" aria-label="Areas" className="sm:hidden">
        <Menu aria-hidden />
      </Button>
      <div className="ml-auto flex min-w-0 items-center gap-2">
        <AccountMenu {...account} />
      </div>
    </header>
  )
}
