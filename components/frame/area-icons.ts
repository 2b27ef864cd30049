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

/** Apart from the areas themselves, which every page loads for their keys. */
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
