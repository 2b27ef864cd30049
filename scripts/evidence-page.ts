interface EvidenceSection {
  readonly command: string
  /** Where the command leaves its table. */
  readonly file: string
  readonly about: string
}

/** Commands that leave a table, in the order of the page. */
export const evidenceSections: readonly EvidenceSection[] = [
  {
    command: 'npm test',
    file: 'test-results/tests.md',
    about: 'Every check and every test but the long forms.',
  },
  {
    command: 'npm run test:long',
    file: 'test-results/tests-long.md',
    about: 'The long forms of the tests, on both engines.',
  },
  {
    command: 'npm run test:security',
    file: 'test-results/security.md',
    about:
      'Each promise of [SECURITY.md](../SECURITY.md), how many tests are behind it, and whether all of them passed.',
  },
  {
    command: 'npm run test:faults',
    file: 'test-results/faults.md',
    about: 'What breaks around one console while changes are made, and what of that went wrong.',
  },
  {
    command: 'npm run test:cluster',
    file: 'test-results/cluster.md',
    about: 'Several console processes on one store.',
  },
  {
    command: 'npm run bench',
    file: 'test-results/bench.md',
    about: 'Ratios and times beside their aims, part by part. A missed aim is written down as that; the ADRs say why.',
  },
]

const HEAD = `# Evidence

What the commands found when they were last run for this page, with date and machine. \`npm run evidence\` puts the tables that lie
in \`test-results/\` into their sections, and leaves the other sections as they are. Nothing here is typed by hand.
`

const notRun = (command: string): string => `Not run yet: \`${command}\`.`

/** The page anew: a section has the table that was found, else what the page before had there. */
export function evidencePage(before: string, tableOf: (file: string) => string | null): string {
  const sections = evidenceSections.map(({ command, file, about }) => {
    const [, old = ''] = before.split(`\n## \`${command}\`\n\n`)
    const [, ...kept] = (old.split('\n## ')[0] ?? '').trim().split('\n\n')
    const body = tableOf(file)?.trim() ?? (kept.join('\n\n') || notRun(command))
    return `## \`${command}\`\n\n${about}\n\n${body}\n`
  })
  return [HEAD, ...sections].join('\n')
}
