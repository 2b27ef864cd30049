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
  /** React caches a failed load, so the next mount needs a new lazy component. */
  readonly forget: () => void
  /** Null when it is not a dialog. */
  readonly close: (() => void) | null
}

const FailedContext = createContext<Failed>({ again: () => {}, forget: () => {}, close: null })

interface Source<Props> {
  readonly attempt: () => LazyExoticComponent<ComponentType<Props>>
  latest: LazyExoticComponent<ComponentType<Props>>
  readonly closing: ((props: Props) => () => void) | undefined
}

/** Loads a component on first use; a notice after a failure offers a retry. `closing` returns how to close it. */
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
    // The control that opened it may be disabled by now and have lost the focus.
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
        This part of the page could not be loaded; what you typed stays here. Check the connection. If it fails again,
        reload the page.
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
