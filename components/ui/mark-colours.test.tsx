import { expect, test } from 'vitest'
import { contrast } from '#lib/testing/contrast.ts'

test.each(['light', 'dark'] as const)('each colour of a mark stands out from every ground in the %s theme', (theme) => {
  for (const colour of [1, 2, 3, 4, 5, 6]) {
    for (const ground of ['card', 'background', 'muted', 'accent']) {
      expect(contrast(`mark-${colour}`, ground, theme), `mark-${colour} on ${ground}`).toBeGreaterThanOrEqual(3)
    }
  }
})
