import {
  type ComponentType,
  createContext,
  type LazyExoticComponent,
  lazy,
  type ReactNode,
  use,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { Button } from './button.tsx'
import { cn } from './cn.ts'

interface Failed {
  readonly again: () => void
  /** React keeps what came of a load: the next use is to have a new one. */
  readonly forget: () => void
  /** Null where it is no dialog. */
  readonly close: (() => void) | null
}

const FailedContext = createContext<Failed>({ again: () => {}, forget: () => {}, close: null })

interface Source<Props> {
  readonly attempt: () => LazyExoticComponent<ComponentType<Props>>
  latest: LazyExoticComponent<ComponentType<Props>>
  readonly closing: ((props: Props) => () => void) | undefined
}

/**
 * A part whose script is loaded with its first use, to be rendered in a `Suspense`. Where the script does not come, a notice
 * stands in its place and loads it again; the page and what is typed there stay. `closing` is for dialogs: how one is closed.
 */
export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  closing?: (props: Props) => () => void,
): (props: Props) => ReactNode {
  const attempt = () =>
    lazy(() =>
      load().then(
        (part) => ({ default: part }),
        () => ({ default: NotLoaded as ComponentType<Props> }),
      ),
    )
  const source: Source<Props> = { attempt, latest: attempt(), closing }
  return (props) => <Loaded source={source} props={props} />
}

function Loaded<Props extends object>({ source, props }: { source: Source<Props>; props: Props }) {
  const [Part, setPart] = useState(() => source.latest)
  const forget = () => {
    if (source.latest === Part) source.latest = source.attempt()
  }
  const again = () => {
    forget()
    setPart(() => source.latest)
  }
  return (
    <FailedContext value={{ again, forget, close: source.closing?.(props) ?? null }}>
      <Part {...props} />
    </FailedContext>
  )
}

function NotLoaded() {
  const { again, forget, close } = use(FailedContext)
  const box = useRef<HTMLDivElement>(null)
  const leave = useEffectEvent(forget)
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest' })
    // What opened it may be disabled by now, and has lost the focus.
    if (document.activeElement === document.body) box.current?.querySelector('button')?.focus()
    return () => leave()
  }, [])
  return (
    <div
      ref={box}
      role="alert"
      className={cn(
        'flex flex-wrap items-center gap-x-3 gap-y-2 px-3.5 py-2.5 text-sm',
        close !== null &&
          'fixed inset-x-4 top-[20dvh] z-50 mx-auto max-w-md rounded-lg border bg-card shadow-[var(--lift)]',
      )}
    >
      <p className="min-w-48 flex-1">
        This part of the page could not be loaded. Check the connection; what you typed stays here.
      </p>
      <Button variant="outline" onClick={again}>
        Try again
      </Button>
      {close === null ? null : (
        <Button variant="ghost" onClick={close}>
          Cancel
        </Button>
      )}
    </div>
  )
}
