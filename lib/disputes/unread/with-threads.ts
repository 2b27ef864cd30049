import type { ThreadState } from './thread-state.ts'

interface Row {
  readonly id: string
  readonly thread: ThreadState | null
}

/** A changed thread does not mark the list as changed. */
export function withThreads<Shown extends Row>(rows: readonly Shown[], later: readonly Row[]): readonly Shown[] {
  const threads = new Map(later.map(({ id, thread }) => [id, thread]))
  return rows.map((row) => ({ ...row, thread: threads.get(row.id) ?? row.thread }))
}
