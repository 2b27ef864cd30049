import { useHydrated } from '#components/ui/hydrated.tsx'

interface ChoiceProps<Value extends string> {
  legend: string
  name: string
  value: Value | null
  options: readonly (readonly [value: Value, word: string])[]
  onChoose: (value: Value) => void
}

/** Disabled until hydration: an earlier click would be lost silently. */
export function Choice<Value extends string>({ legend, name, value, options, onChoose }: ChoiceProps<Value>) {
  const hydrated = useHydrated()
  return (
    <fieldset disabled={!hydrated} className="mb-3">
      <legend className="mb-1 text-muted-foreground text-xs">{legend}</legend>
      <div className="flex gap-0.5 rounded-md bg-muted p-0.5">
        {options.map(([option, word]) => (
          <label
            key={option}
            className="flex min-h-7 flex-1 cursor-pointer items-center justify-center rounded px-2 text-center font-[550] text-secondary-foreground text-xs has-checked:bg-card has-focus-visible:outline-2 has-focus-visible:outline-primary has-checked:text-foreground has-checked:shadow-[0_0_0_1px_var(--border)]"
          >
            <input
              type="radio"
              className="sr-only"
              name={name}
              value={option}
              checked={option === value}
              onChange={() => onChoose(option)}
            />
            {word}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
