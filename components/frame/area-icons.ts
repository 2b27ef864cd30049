import {
  ArrowLeftRight,
  CreditCard,
  History,
  type Icon,
  Inbox,
  Landmark,
  Nfc,
  Scale,
  ShieldCheck,
  Users,
} from '#components/ui/icons.tsx'
import type { AreaHref } from './areas.ts'

/** A separate module: every page loads `areas.ts` and few need the icons. */
export const areaIcons: Readonly<Record<AreaHref, Icon>> = {
  '/': Inbox,
  '/deposits': Landmark,
  '/transactions': ArrowLeftRight,
  '/users': Users,
  '/cards': CreditCard,
  '/terminals': Nfc,
  '/disputes': Scale,
  '/activity': History,
  '/security': ShieldCheck,
}
