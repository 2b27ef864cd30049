import { idMark, MARK_COLOURS, MARK_SHAPES } from '#lib/values/ids.ts'

/** Distinguishable without colour: disc, ring, square, frame, diamond, up, down, cross. */
const shapes: readonly string[] = [
  'M5 0.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9z',
  'M5 0.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9zM5 3a2 2 0 1 1 0 4a2 2 0 1 1 0-4z',
  'M1 1h8v8h-8z',
  'M1 1h8v8h-8zM3.2 3.2v3.6h3.6v-3.6z',
  'M5 0l5 5l-5 5l-5-5z',
  'M5 0.6l4.8 8.6h-9.6z',
  'M5 9.4l4.8-8.6h-9.6z',
  'M3.5 0.5h3v3h3v3h-3v3h-3v-3h-3v-3h3z',
].slice(0, MARK_SHAPES)

const colours: readonly string[] = [
  'fill-mark-1',
  'fill-mark-2',
  'fill-mark-3',
  'fill-mark-4',
  'fill-mark-5',
  'fill-mark-6',
].slice(0, MARK_COLOURS)

export function IdMark({ id }: { id: string }) {
  const [left, right] = idMark(id)
  return (
    <svg aria-hidden data-mark viewBox="0 0 21 10" className="h-2.5 w-5.25 shrink-0">
      <path fillRule="evenodd" d={shapes[left.shape]} className={colours[left.colour]} />
      <path fillRule="evenodd" d={shapes[right.shape]} className={colours[right.colour]} transform="translate(11)" />
    </svg>
  )
}
