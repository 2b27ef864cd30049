import type { Config } from 'tailwindcss'

const role = (name: string): string => `var(--${name})`

/** Colours by role only: `app/globals.css` gives each its value in both themes. */
export default {
  content: ['./app/**/*.tsx', './components/**/*.tsx'],
  theme: {
    // `wide`: room for the rail's words and for two columns.
    screens: { sm: '640px', wide: '1101px' },
    colors: {
      transparent: 'transparent',
      current: 'currentColor',
      paper: role('paper'),
      surface: role('surface'),
      sunken: role('sunken'),
      line: { DEFAULT: role('line'), strong: role('line-strong') },
      ink: { DEFAULT: role('ink'), 2: role('ink-2'), 3: role('ink-3') },
      accent: { DEFAULT: role('accent'), ink: role('accent-ink'), wash: role('accent-wash') },
      good: { DEFAULT: role('good'), wash: role('good-wash') },
      working: { DEFAULT: role('working'), wash: role('working-wash') },
      attention: { DEFAULT: role('attention'), wash: role('attention-wash') },
      danger: { DEFAULT: role('danger'), ink: role('danger-ink'), wash: role('danger-wash') },
      unknown: { DEFAULT: role('unknown'), wash: role('unknown-wash') },
    },
    fontFamily: {
      sans: ['Inter Variable', 'ui-sans-serif', 'system-ui', 'sans-serif'],
      mono: ['JetBrains Mono Variable', 'ui-monospace', 'monospace'],
    },
    fontSize: {
      xs: ['12px', '16px'],
      sm: ['13px', '18px'],
      base: ['14px', '20px'],
      lg: ['16px', '24px'],
      xl: ['20px', '28px'],
      figure: ['26px', '32px'],
    },
    borderRadius: { none: '0', sm: '4px', DEFAULT: '6px', md: '7px', lg: '9px', full: '9999px' },
  },
} satisfies Config
