import { readFileSync } from 'node:fs'

const roles = readFileSync('app/globals.css', 'utf8')

/** The relative luminance (WCAG) of a role in a theme, of an `oklch()` without transparency. */
function luminance(role: string, theme: 'light' | 'dark'): number {
  const [, light = '', dark = ''] =
    new RegExp(`--${role}: light-dark\\(oklch\\(([^)]*)\\), oklch\\(([^)]*)\\)\\)`).exec(roles) ?? []
  const [lightness = 0, chroma = 0, hue = 0] = (theme === 'light' ? light : dark).split(' ').map(Number)
  const [a, b] = [chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180)]
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const [red, green, blue] = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Of two roles in a theme (WCAG). */
export function contrast(one: string, other: string, theme: 'light' | 'dark'): number {
  const [brighter = 0, darker = 0] = [luminance(one, theme), luminance(other, theme)].sort((a, b) => b - a)
  return (brighter + 0.05) / (darker + 0.05)
}
