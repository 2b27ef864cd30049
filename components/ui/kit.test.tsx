import { globSync, readFileSync } from 'node:fs'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import tailwind from '../../tailwind.config.ts'
import { buttonVariants } from './button.tsx'
import { HoverCard, HoverCardContent, HoverCardLabel, HoverCardTrigger } from './hover-card.fixture.tsx'
import { Progress } from './progress.tsx'

/** By file, the names that shadcn/ui has for what the console's kit holds. */
const exportsOf: Readonly<Record<string, readonly string[]>> = {
  alert: ['Alert', 'AlertTitle', 'AlertDescription'],
  badge: ['Badge', 'badgeVariants'],
  button: ['Button', 'buttonVariants'],
  card: ['Card', 'CardHeader', 'CardTitle', 'CardAction', 'CardFooter'],
  command: ['Command', 'CommandInput', 'CommandList', 'CommandGroup', 'CommandItem'],
  dialog: [
    'Dialog',
    'DialogPortal',
    'DialogOverlay',
    'DialogContent',
    'DialogHeader',
    'DialogFooter',
    'DialogTitle',
    'DialogDescription',
  ],
  field: ['Field', 'FieldLabel', 'FieldDescription', 'FieldError'],
  input: ['Input'],
  kbd: ['Kbd'],
  label: ['Label'],
  progress: ['Progress'],
  select: ['Select', 'SelectValue', 'SelectTrigger', 'SelectContent', 'SelectItem'],
  skeleton: ['Skeleton'],
  table: ['Table', 'TableHeader', 'TableBody', 'TableHead', 'TableRow', 'TableCell'],
  textarea: ['Textarea'],
}

test.each(Object.entries(exportsOf))('%s has the names that shadcn/ui gives it', async (file, names) => {
  const kit: Readonly<Record<string, unknown>> = await import(`./${file}.tsx`)
  expect(names.filter((name) => kit[name] === undefined)).toEqual([])
})

test('works with components as `shadcn add` writes them', () => {
  const html = renderToStaticMarkup(
    <HoverCard open>
      <HoverCardTrigger>Who?</HoverCardTrigger>
      <HoverCardContent className="leading-4">
        An arbitrator
        <HoverCardLabel className="bg-input">Since May</HoverCardLabel>
      </HoverCardContent>
    </HoverCard>,
  )
  expect(html).toMatch(/data-slot="hover-card-trigger"[^>]*>Who\?</)
  expect(html).toMatch(/class="[^"]*bg-popover[^"]* leading-4"[^>]*>An arbitrator</)
  expect(html).toMatch(/data-slot="hover-card-label"[^>]* class="[^"]*my-2 bg-input"/)
})

test('progress never passes its end, and says nothing of how far it is while that is not known', () => {
  expect(renderToStaticMarkup(<Progress aria-label="Export" value={7} max={5} />)).toMatch(
    /aria-valuemax="5" aria-valuenow="5".*width:100%/,
  )
  const unknown = renderToStaticMarkup(<Progress aria-label="Export" value={null} />)
  expect(unknown).toContain('role="progressbar"')
  expect(unknown).not.toContain('aria-valuenow')
})

const looks = ['default', 'destructive', 'outline', 'secondary', 'ghost', 'link'] as const

test.each(looks)('a button that is %s names one colour for its ground, its text and its border each', (variant) => {
  const roles = Object.keys(tailwind.theme.colors).join('|')
  const named = [
    ...buttonVariants({ variant }).matchAll(new RegExp(`(?<=^| )(bg|text|border)-(?:${roles})[\\w-]*`, 'g')),
  ]
  const properties = named.map(([, property]) => property)
  expect(properties).toContain('text')
  expect(properties).toContain('border')
  expect(new Set(properties).size, named.join(' ')).toBe(properties.length)
})

test('every colour that a component names is a role, with a value for both themes', () => {
  const colours = Object.entries(tailwind.theme.colors).flatMap(([name, value]) =>
    typeof value === 'string' ? [name] : Object.keys(value).map((of) => (of === 'DEFAULT' ? name : `${name}-${of}`)),
  )
  // The one block that holds for both themes.
  const [, roles = ''] = /^:root \{(.*?)^\}/ms.exec(readFileSync('app/globals.css', 'utf8')) ?? []
  const own = colours.filter((name) => !['transparent', 'current', 'white', 'black'].includes(name))
  expect(own.filter((name) => !new RegExp(`--${name}: ?(?:light-dark|var|oklch)\\(`).test(roles))).toEqual([])

  // What follows `bg-` and the like is a colour, or a word of Tailwind that is none.
  const other =
    /^(?:\[|[trblxyse](?:-|$)|\d|center|left|right|xs|sm|base|lg|xl|figure|separate|spacing|collapse|none|offset|transparent|current|inherit|dashed)/
  const named = globSync('{app,components}/**/*.tsx', { exclude: ['**/*.test.tsx'] }).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?<![\w/-])(?:bg|text|border|outline|ring)-([a-z][\w[\]-]*)/g)]
      .map(([, name = '']) => name)
      .filter((name) => !other.test(name) && !['hidden'].includes(name)),
  )
  expect(named.length).toBeGreaterThan(50)
  expect([...new Set(named)].filter((name) => !colours.includes(name))).toEqual([])
})
