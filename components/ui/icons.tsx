import type { ComponentType } from 'react'
import { cn } from './cn.ts'
import type { SpriteName } from './sprite.ts'

interface IconProps {
  'aria-hidden'?: boolean
  /** For an icon without a word beside it. */
  'aria-label'?: string
  role?: 'img'
  className?: string
  strokeWidth?: number
}

export type Icon = ComponentType<IconProps>

/** Refers to the sprite, so that the paths are in the page once, however many rows show the icon. */
const ofSprite =
  (name: SpriteName): Icon =>
  ({ className, ...rest }) => (
    // biome-ignore lint/a11y/noSvgWithoutTitle: hidden unless it has a label.
    <svg
      aria-hidden={rest['aria-label'] === undefined}
      width={24}
      height={24}
      className={cn('icon', className)}
      {...rest}
    >
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
export const AtSign = ofSprite('at-sign')
export const Ban = ofSprite('ban')
export const Bell = ofSprite('bell')
export const Check = ofSprite('check')
export const ChevronDown = ofSprite('chevron-down')
export const ChevronFirst = ofSprite('chevron-first')
export const ChevronLast = ofSprite('chevron-last')
export const ChevronLeft = ofSprite('chevron-left')
export const ChevronRight = ofSprite('chevron-right')
export const ChevronUp = ofSprite('chevron-up')
export const CircleAlert = ofSprite('circle-exclamation-point')
export const CircleDashed = ofSprite('circle-dashed')
export const CircleHelp = ofSprite('circle-question-mark')
export const CircleUser = ofSprite('circle-user')
export const CircleX = ofSprite('circle-x')
export const ClipboardCheck = ofSprite('clipboard-check')
export const Clock = ofSprite('clock')
export const CloudOff = ofSprite('cloud-off')
export const Copy = ofSprite('copy')
export const CornerUpLeft = ofSprite('corner-up-left')
export const CreditCard = ofSprite('credit-card')
export const Download = ofSprite('download')
export const Ellipsis = ofSprite('ellipsis')
export const Equal = ofSprite('equal')
export const EqualNot = ofSprite('equal-not')
export const Eye = ofSprite('eye')
export const EyeOff = ofSprite('eye-off')
export const FileText = ofSprite('file-text')
export const FileUp = ofSprite('file-up')
export const FileWarning = ofSprite('file-exclamation-point')
export const Flag = ofSprite('flag')
export const Gavel = ofSprite('gavel')
export const GitCompareArrows = ofSprite('git-compare-arrows')
export const History = ofSprite('rotate-ccw-clock')
export const Hourglass = ofSprite('hourglass')
export const Inbox = ofSprite('inbox')
export const KeyRound = ofSprite('key-round')
export const Landmark = ofSprite('landmark')
export const Loader = ofSprite('loader')
export const Lock = ofSprite('lock')
export const LogOut = ofSprite('log-out')
export const Menu = ofSprite('menu')
export const Minus = ofSprite('minus')
export const Monitor = ofSprite('monitor')
export const Nfc = ofSprite('nfc')
export const Pin = ofSprite('pin')
export const PinOff = ofSprite('pin-off')
export const Play = ofSprite('play')
export const RefreshCw = ofSprite('refresh-cw')
export const RotateCw = ofSprite('rotate-cw')
export const Scale = ofSprite('scale')
export const Search = ofSprite('search')
export const SearchX = ofSprite('search-x')
export const ShieldAlert = ofSprite('shield-exclamation-point')
export const ShieldCheck = ofSprite('shield-check')
export const ShieldOff = ofSprite('shield-off')
export const ShieldQuestionMark = ofSprite('shield-question-mark')
export const SlidersHorizontal = ofSprite('sliders-horizontal')
export const StickyNote = ofSprite('sticky-note')
export const Store = ofSprite('store')
export const Timer = ofSprite('timer')
export const TimerReset = ofSprite('timer-reset')
export const TriangleAlert = ofSprite('triangle-exclamation-point')
export const Undo2 = ofSprite('undo-2')
export const UserMinus = ofSprite('user-minus')
export const UserPlus = ofSprite('user-plus')
export const Users = ofSprite('users')
export const WifiOff = ofSprite('wifi-off')
export const X = ofSprite('x')
