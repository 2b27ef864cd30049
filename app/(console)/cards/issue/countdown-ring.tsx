const RADIUS = 15
const LENGTH = 2 * Math.PI * RADIUS

/** A ring that empties with the seconds, and their number in it. */
export const CountdownRing = ({ left, of }: { left: number; of: number }) => (
  <span
    role="timer"
    aria-live="off"
    aria-label={`Hidden in ${left} s`}
    className="relative grid size-9 place-items-center"
  >
    <svg viewBox="0 0 36 36" aria-hidden="true" className="absolute inset-0 -rotate-90">
      <circle cx="18" cy="18" r={RADIUS} fill="none" strokeWidth="3" className="stroke-border" />
      <circle
        cx="18"
        cy="18"
        r={RADIUS}
        fill="none"
        strokeWidth="3"
        strokeLinecap="round"
        strokeDasharray={LENGTH}
        strokeDashoffset={LENGTH * (1 - left / of)}
        className="stroke-attention transition-[stroke-dashoffset] duration-1000 ease-linear"
      />
    </svg>
    <span aria-hidden className="figures font-semibold text-xs">
      {left}
    </span>
  </span>
)
