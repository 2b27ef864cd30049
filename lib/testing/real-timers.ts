import { afterEach, vi } from 'vitest'

// Files of a worker share its process: a clock that a failed test left fake would stop whatever comes next.
afterEach(() => void vi.useRealTimers())
