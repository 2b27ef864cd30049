const ERROR = 50

/** The lines of level error that the consoles print, and all that is no line of the log. */
export class LoadLog {
  readonly errors = new Map<string, number>()

  take(text: string): void {
    const line = read(text)
    if (line === null) {
      this.#add(`not a line of the log: ${text.slice(0, 120)}`)
    } else if (Number(line.level) >= ERROR) {
      const { event, error = '', why = '', endpoint = '', state = '' } = line
      this.#add([event, error, why, endpoint, state].filter((it) => it !== '').join(' '))
    }
  }

  /** How many there are. */
  get count(): number {
    return [...this.errors.values()].reduce((sum, times) => sum + times, 0)
  }

  #add(what: string): void {
    this.errors.set(what, (this.errors.get(what) ?? 0) + 1)
  }
}

function read(text: string): Readonly<Record<string, unknown>> | null {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>
  } catch {
    return null
  }
}
