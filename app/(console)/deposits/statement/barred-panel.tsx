import { Panel } from '#components/ui/panel.tsx'

/** A statement shows what the service tells of transactions, so it takes the scope to read them. */
export const BarredPanel = () => (
  <Panel title="You are not permitted to see this" tone="attention" className="max-w-3xl">
    <p className="px-3.5 py-4 text-ink-2 text-sm">
      It needs the scope <span className="mono">core:transactions:read</span>.
    </p>
  </Panel>
)
