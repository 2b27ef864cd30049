import { Ellipsis } from 'lucide-react'
import { type ReactNode, useId, useRef } from 'react'
import { Button } from '#components/ui/button.tsx'

/**
 * A click on an item closes the menu and returns focus to its button, except for items that show their result inside
 * the menu.
 */
export function More({ children }: { children: ReactNode }) {
  const id = useId()
  const menu = useRef<HTMLDivElement>(null)
  return (
    <>
      <Button variant="outline" size="icon" popoverTarget={id} aria-label="More" className="[anchor-name:--more]">
        <Ellipsis aria-hidden />
      </Button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: the buttons in it are what is clicked, by key or pointer. */}
      <div
        ref={menu}
        id={id}
        popover="auto"
        onClick={({ target }) => {
          if (target instanceof Element && target.closest('[data-slot="button"]:not([data-stays] *)'))
            menu.current?.hidePopover()
        }}
        className="fixed inset-auto my-1 max-h-[70dvh] w-80 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-lg border bg-card text-foreground shadow-[var(--lift)] [position-anchor:--more] [position-area:bottom_span-left]"
      >
        {children}
      </div>
    </>
  )
}
