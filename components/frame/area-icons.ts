import {
  ArrowLeftRight,
  CreditCard,
  History,
  Inbox,
  Landmark,
  type LucideIcon,
  Nfc,
  Scale,
  ShieldCheck,
  Users,
} from 'lucide-react'
import type { AreaHref } from './areas.ts'

/** Apart from the areas themselves, which every page loads for their keys. */
export const areaIcons: Readonly<Record<AreaHref, LucideIcon>> = {
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
