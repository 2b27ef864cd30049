import type { ComponentType } from 'react'
import { cn } from './cn.ts'
import type { SpriteName } from './sprite.ts'

interface IconProps {
  'aria-hidden'?: boolean
  className?: string
  strokeWidth?: number
}

/** From the sprite or from lucide. */
export type Icon = ComponentType<IconProps>

/** Refers to the sprite, so that the paths are in the page once, however many rows show the icon. */
const ofSprite =
  (name: SpriteName): Icon =>
  ({ className, ...rest }) => (
    <svg aria-hidden width={24} height={24} className={cn('icon', className)} {...rest}>
      <use href={`#icon-${name}`} />
    </svg>
  )

export const AlarmClock = ofSprite('alarm-clock')
export const ArrowDown = ofSprite('arrow-down')
export const ArrowDownLeft = ofSprite('arrow-down-left')
export const ArrowLeftRight = ofSprite('arrow-left-right')
export const ArrowUp = ofSprite('arrow-up')
export const ArrowUpDown = ofSprite('arrow-up-down')
export const ArrowUpRight = ofSprite('arrow-up-right')
export const Ban = ofSprite('ban')
export const Check = ofSprite('check')
export const ChevronFirst = ofSprite('chevron-first')
export const ChevronLast = ofSprite('chevron-last')
export const ChevronLeft = ofSprite('chevron-left')
export const ChevronRight = ofSprite('chevron-right')
export const CircleAlert = ofSprite('circle-exclamation-point')
export const CircleDashed = ofSprite('circle-dashed')
export const CircleHelp = ofSprite('circle-question-mark')
export const CircleUser = ofSprite('circle-user')
export const Clock = ofSprite('clock')
export const CornerUpLeft = ofSprite('corner-up-left')
export const CreditCard = ofSprite('credit-card')
export const FileWarning = ofSprite('file-exclamation-point')
export const Flag = ofSprite('flag')
export const Gavel = ofSprite('gavel')
export const History = ofSprite('rotate-ccw-clock')
export const Hourglass = ofSprite('hourglass')
export const Inbox = ofSprite('inbox')
export const Landmark = ofSprite('landmark')
export const Lock = ofSprite('lock')
export const LogOut = ofSprite('log-out')
export const Menu = ofSprite('menu')
export const Nfc = ofSprite('nfc')
export const Scale = ofSprite('scale')
export const Search = ofSprite('search')
export const ShieldAlert = ofSprite('shield-exclamation-point')
export const ShieldCheck = ofSprite('shield-check')
export const SlidersHorizontal = ofSprite('sliders-horizontal')
export const Timer = ofSprite('timer')
export const Users = ofSprite('users')
export const X = ofSprite('x')
